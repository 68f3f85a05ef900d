import assert from 'node:assert/strict';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import type { Cause, PaymentState } from '../../src/payments/life/lifecycle.ts';
import {
  applyToCheck,
  captureNow,
  changeTip,
  fulfil,
  type OrdersDeps,
  voidPayment,
} from '../../src/payments/life/orders.ts';
import { findPayment, type PaymentKey, type PaymentRow } from '../../src/payments/life/store.ts';
import type { Processor } from '../../src/payments/processors/processor.ts';
import type { PaymentFixture } from './fixture.ts';
import { listEvents } from './fixture-store.ts';

/** What a call to the processor does instead of what the simulator would. */
type Scripted = ProcessorAnswer | Error | 'real';

/** A payment from its PUT on, with a processor whose next calls a test can script. */
export interface Life {
  readonly key: PaymentKey;
  /** Every call that the processor got, as `operation key`. */
  readonly calls: string[];
  readonly deps: OrdersDeps;
  /** The next calls of an operation get these, in order; then the simulator answers again. */
  script(operation: keyof Processor, ...answers: Scripted[]): void;
  put(cardNumber?: string): Promise<{ readonly status: number; readonly paymentState?: string }>;
  apply(checkGuid?: string): Promise<PaymentRow>;
  fulfil(): Promise<PaymentRow>;
  void(reason?: string): Promise<PaymentRow>;
  capture(): Promise<PaymentRow>;
  tip(tipMinor: number): Promise<PaymentRow>;
  /** Moves the clock on by milliseconds, and does what is due by then. */
  advance(durationMs: number): Promise<void>;
  sweep(): Promise<void>;
  row(): Promise<PaymentRow>;
  state(): Promise<PaymentState>;
  causes(): Promise<Cause[]>;
}

const ORDERS_CLIENT = 'orders-client';

/** The check that a life applies its payment to. */
const CHECK_GUID = '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35';

/** Begins the life of a payment; nothing is sent yet. */
export function beginLife(fixture: PaymentFixture): Life {
  const key = { merchantGuid: fixture.merchant.guid, paymentUuid: newRandomId() };
  const calls: string[] = [];
  const scripts = new Map<string, Scripted[]>();
  const row = async () => {
    const payment = await findPayment(fixture.database.sql, key);
    assert.ok(payment);
    return payment;
  };
  // Whoever sweeps works on the payments of other tests too: their calls go past the script.
  const isOurs = async (callKey: string) => callKey.split(':')[1] === (await row()).paymentId;
  const processor = scripted(fixture.processor, { scripts, calls, isOurs });
  const deps = { ...fixture.deps, timer: fixture.timer, processor };
  const sweepOf = createPaymentSweep(deps);
  const sweep = async () => {
    await sweepOf.runDue(fixture.clock.nowMs(), { isSequential: false });
  };
  const bodies = new Map<string, Promise<unknown>>();
  return {
    ...{ key, calls, deps, row, sweep },
    script: (operation, ...answers) => scripts.set(operation, answers),
    put: async (cardNumber = '4111111111111111') => {
      const body = bodies.get(cardNumber) ?? fixture.body({ cardNumber });
      bodies.set(cardNumber, body);
      const { paymentUuid } = key;
      const answer = await fixture.put({ paymentUuid, body: await body }, { processor });
      return { status: answer.status, paymentState: answer.body.paymentState };
    },
    apply: (checkGuid = CHECK_GUID) => applyToCheck(deps, key, checkGuid, ORDERS_CLIENT),
    fulfil: () => fulfil(deps, key, ORDERS_CLIENT),
    void: (reason = 'guest left') => voidPayment(deps, key, reason, ORDERS_CLIENT),
    capture: () => captureNow(deps, key, ORDERS_CLIENT),
    tip: (tipMinor) => changeTip(deps, key, tipMinor, ORDERS_CLIENT),
    advance: async (durationMs) => {
      fixture.clock.advance(durationMs);
      await sweep();
    },
    state: async () => (await row()).state,
    causes: async () => {
      const events = await listEvents(fixture.database.sql, key.merchantGuid, key.paymentUuid);
      return events.map(({ cause }) => cause as Cause);
    },
  };
}

interface Script {
  readonly scripts: ReadonlyMap<string, Scripted[]>;
  readonly calls: string[];
  isOurs(callKey: string): Promise<boolean>;
}

function scripted(real: Processor, { scripts, calls, isOurs }: Script): Processor {
  const wrap =
    <Order extends { readonly key: string }>(
      operation: keyof Processor,
      call: (order: Order, signal: AbortSignal) => Promise<ProcessorAnswer>,
    ) =>
    async (order: Order, signal: AbortSignal) => {
      if (!(await isOurs(order.key))) return await call(order, signal);
      calls.push(`${operation} ${order.key}`);
      const answer = scripts.get(operation)?.shift() ?? 'real';
      if (answer instanceof Error) throw answer;
      return answer === 'real' ? await call(order, signal) : answer;
    };
  return {
    authorize: wrap('authorize', (order, signal) => real.authorize(order, signal)),
    inquire: wrap('inquire', (order, signal) => real.inquire(order, signal)),
    capture: wrap('capture', (order, signal) => real.capture(order, signal)),
    void: wrap('void', (order, signal) => real.void(order, signal)),
  };
}
