import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Fault as SimulatorFault } from '@servery/card-simulator/faults.ts';
import type { NotProcessed, Operation } from '@servery/card-simulator/messages.ts';
import { faultText } from '@servery/contract';
import type { Database } from '../database/database.ts';
import { readAmount } from '../payments/life/money.ts';
import type { Processor } from '../payments/processors/processor.ts';
import type { Fault } from './fault.ts';
import type { FaultRules } from './fault-rules.ts';
import { type ActiveRule, findFaultedPayment } from './fault-store.ts';

/** A request that is being served, as what calls the processor for it knows it. */
export interface ServedRequest {
  /** What its header ordered for its authorization. */
  readonly ordered: Fault | null;
  /** The texts of the faults that happened to it. */
  readonly happened: Set<string>;
}

export type ServedRequests = AsyncLocalStorage<ServedRequest>;

export interface ProcessorFaultsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly rules: FaultRules;
  readonly served: ServedRequests;
}

interface Called {
  readonly call: Operation;
  readonly key: string;
  readonly currencyCode?: string;
}

/** Tells the simulator, with the call, what it is to do wrong. */
export function faultyProcessor(processor: Processor, deps: ProcessorFaultsDeps): Processor {
  const asked =
    <Order extends { readonly key: string; readonly currencyCode?: string }, Answer>(
      call: Operation,
      ask: (order: Order, signal: AbortSignal, fault?: SimulatorFault) => Promise<Answer>,
    ) =>
    async (order: Order, signal: AbortSignal): Promise<Answer | NotProcessed> => {
      const fault = await takeFault(deps, { ...order, call });
      if (!fault) return await ask(order, signal);
      if (fault.kind === 'processorUnreachable') return unreachable(fault);
      return await ask(order, signal, simulated(fault, order.currencyCode));
    };
  return {
    ...processor,
    authorize: asked('authorize', (order, ...rest) => processor.authorize(order, ...rest)),
    inquire: asked('inquire', (order, ...rest) => processor.inquire(order, ...rest)),
    capture: asked('capture', (order, ...rest) => processor.capture(order, ...rest)),
    void: asked('void', (order, ...rest) => processor.void(order, ...rest)),
  };
}

async function takeFault(deps: ProcessorFaultsDeps, called: Called): Promise<Fault | null> {
  const request = deps.served.getStore();
  const ordered = called.call === 'authorize' ? (request?.ordered ?? null) : null;
  const fault = ordered ?? (await takeRule(deps, called));
  if (fault) request?.happened.add(faultText(fault));
  return fault;
}

async function takeRule(
  { database, rules }: ProcessorFaultsDeps,
  { call, key }: Called,
): Promise<Fault | null> {
  const isMeant = (rule: ActiveRule) => rule.phase === 'processor' && isOfCall(rule.fault, call);
  const isPicky = (rule: ActiveRule) => rule.clientId !== null || rule.restaurantGuid !== null;
  if (!rules.has(isMeant)) return null;
  // The key of each call holds the identifier of its payment.
  const [, paymentId = ''] = key.split(':');
  const isNeeded = rules.has((rule) => isMeant(rule) && isPicky(rule));
  const payment = isNeeded ? await findFaultedPayment(database.sql, paymentId) : null;
  const taken = await rules.take(
    (rule) =>
      isMeant(rule) &&
      (rule.clientId === null || rule.clientId === payment?.clientId) &&
      (rule.restaurantGuid === null || rule.restaurantGuid === payment?.merchantGuid),
  );
  return taken?.fault ?? null;
}

function isOfCall({ kind, call }: Fault, asked: Operation): boolean {
  switch (kind) {
    case 'processorSilent':
    case 'processorUnreachable':
      return call === null || call === asked;
    case 'captureRefused':
      return asked === 'capture';
    default:
      return asked === 'authorize';
  }
}

function simulated(fault: Fault, currencyCode = ''): SimulatorFault {
  switch (fault.kind) {
    case 'decline':
    case 'captureRefused':
      return { kind: 'declined', responseCode: fault.code ?? '' };
    case 'lateApproval':
      return { kind: 'lateApproval', questions: fault.inquiries ?? 1 };
    case 'otherAmount': {
      const read = fault.amount === null ? null : readAmount(fault.amount, currencyCode);
      const amountMinor = read && 'amountMinor' in read ? read.amountMinor : null;
      return { kind: 'otherAmount', amountMinor };
    }
    default:
      return { kind: 'timeOutAfter' };
  }
}

function unreachable(fault: Fault): NotProcessed {
  const explanation = `the fault ${faultText(fault)} was injected`;
  return { outcome: 'notProcessed', isUnsent: true, explanation };
}
