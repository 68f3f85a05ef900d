import { operationById } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { derivedGuid, newRandomId } from '@servery/support/ids.ts';
import { Faults } from '../../src/http/faults.ts';
import { createOrderWork } from '../../src/orders/kitchen/due-work.ts';
import { ordersHere } from '../../src/orders/kitchen/orders-here.ts';
import { officeOrderHandlers } from '../../src/orders/office/handlers.ts';
import type { OrderSettings } from '../../src/orders/order-deps.ts';
import { orderHandlers } from '../../src/orders/partner/handlers.ts';
import { findOrderingRestaurant } from '../../src/orders/published-store.ts';
import {
  type AuthorizeDeps,
  type AuthorizeInput,
  authorize,
} from '../../src/payments/authorize/authorize.ts';
import { createUnderWay } from '../../src/payments/authorize/under-way.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import {
  applyToCheck,
  captureNow,
  changeTip,
  fulfil,
  voidPayment,
} from '../../src/payments/life/orders.ts';
import { paymentStatus } from '../../src/payments/life/status.ts';
import type { PaymentRow } from '../../src/payments/life/store.ts';
import { voidByPartner } from '../../src/payments/life/void-by-partner.ts';
import { ownPaymentOnWire, requireOwnPayment } from '../../src/payments/partner/own-payment.ts';
import type { DueWork } from '../../src/support/due-work.ts';
import { guidOf, select } from '../orders/menu.ts';
import { callOperation, principal as principalOf } from '../request.ts';
import {
  AnswerChecker,
  type GetFacts,
  type OrderFacts,
  type PutFacts,
  type SweepFacts,
} from './answer-checker.ts';
import type { Action, Command, Go, RunPlan } from './commands.ts';
import { type Reach, scheduledDatabase, scheduledProcessor } from './faults.ts';
import type { Merchant, ModelFixture } from './fixture.ts';
import { findQuantity, listSeen, listSeenOrders } from './history-store.ts';
import { type Order, TIP_MINOR } from './model.ts';
import { ModelProcessor } from './model-processor.ts';
import { type DecisionFacts, OrderChecker, type OrderingFacts } from './order-checker.ts';
import { type Process, type ProcessClock, Scheduler, type Task } from './scheduler.ts';
import { StateChecker } from './state-checker.ts';

/** Who asks for the moves of the orders side. */
const ORDERS_CLIENT = 'orders-client';

/** What a run came to: the violations, and everything that happened. */
export interface RunResult {
  readonly violations: readonly string[];
  readonly trace: readonly string[];
}

interface LiveProcess extends Process {
  readonly deps: AuthorizeDeps;
  readonly sweep: DueWork;
  readonly orders: ReturnType<Life['orderHandlers']>;
  /** What the clock does about orders. */
  readonly orderWork: DueWork;
  /** The clock as its sweep has it. */
  readonly clock: ProcessClock;
}

const NAMES = 'a1d6a2a8-6f0c-4b7e-9d55-3f0a64f7f3c1';
const CHECKS = [derivedGuid(NAMES, 'check 0'), derivedGuid(NAMES, 'check 1')];
const REASONS = ['guest left', 'wrong table'];
/** What staff take at the counter: less than a soup, one and both. */
const CASH = [5.5, 8, 16];
const orderSettings: OrderSettings = {
  ...{ stock: 'enforce', repeat: 'conflict', percentTaxBasis: 'selection' },
  ...{ autoFulfil: 'closeOut', kitchen: 'staff' },
};
const QUIET_ROUNDS_MAX = 120;
/** Longer than any lease and any pause between two tries within a sweep. */
const REAL_STEP_MS = 61_000;
/** No request may be under way for longer than this, or late approvals are looked for in vain. */
const LONG_JUMP_MS = 3_600_000;

/** Plays a run and gives what is wrong with it. */
export async function playRun(fixture: ModelFixture, plan: RunPlan): Promise<RunResult> {
  const life = new Life(fixture, plan);
  try {
    await life.play();
  } catch (error) {
    life.checker.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return { violations: life.checker.violations, trace: life.scheduler.trace };
}

class Life {
  readonly scheduler: Scheduler;
  readonly checker: StateChecker;
  readonly #fixture: ModelFixture;
  readonly #plan: RunPlan;
  readonly #merchant: Merchant;
  readonly #modelProcessor: ModelProcessor;
  readonly #answers: AnswerChecker;
  readonly #orderChecker: OrderChecker;
  readonly #uuids: readonly string[];
  readonly #processes: LiveProcess[];
  readonly #orders = new Map<string, { order: Order; content: string }[]>();
  readonly #firstPuts = new Map<string, number>();
  readonly #facts = new Map<
    Task,
    PutFacts | OrderFacts | GetFacts | SweepFacts | OrderingFacts | DecisionFacts
  >();
  readonly #hasOrders: boolean;
  readonly #staff = principalOf({ type: 'BACK_OFFICE' });
  /** Whoever moves the clock: only one does at a time. */
  readonly #movers = new Set<Task>();
  #reach: Reach = 'up';
  #seenAt = -1;
  #looking = Promise.resolve();
  #processCount = 0;

  constructor(fixture: ModelFixture, plan: RunPlan) {
    this.#fixture = fixture;
    this.#plan = plan;
    this.scheduler = new Scheduler(plan.startMs, plan.isFrozen);
    this.#merchant = at(fixture.merchants, plan.merchant);
    this.#uuids = plan.payments.map(() => newRandomId());
    this.#modelProcessor = new ModelProcessor((paymentId) => {
      const payment = this.checker.paymentOfId(paymentId);
      return payment ? this.#planOf(payment.paymentUuid) : at(plan.payments, 0);
    });
    this.checker = new StateChecker({
      scheduler: this.scheduler,
      modelProcessor: this.#modelProcessor,
      day: this.#merchant.day,
      planOf: (paymentUuid) => this.#planOf(paymentUuid),
      ordersOf: (paymentUuid) => this.#orders.get(paymentUuid) ?? [],
      orderTells: (paymentUuid, ...causes) => this.#orderChecker.tells(paymentUuid, causes),
      isOutside: (checkGuid) => CHECKS.includes(checkGuid),
      firstPutRealMs: (paymentUuid) => this.#firstPuts.get(paymentUuid) ?? null,
    });
    this.#answers = new AnswerChecker(this.checker, this.scheduler);
    const { day, isManual } = this.#merchant;
    const place = { day, isManual, outside: ORDERS_CLIENT };
    this.#orderChecker = new OrderChecker(this.checker, this.scheduler, place);
    this.#hasOrders = plan.commands.some(({ action }) => action.kind === 'place');
    this.scheduler.onTime = () => this.#modelProcessor.tick(this.scheduler.time.travelledMs);
    this.scheduler.onTime();
    this.scheduler.onEnd = (task) => this.#onEnd(task);
    this.#processes = [this.#startProcess(), this.#startProcess()];
  }

  async play(): Promise<void> {
    const plenty = this.#hasOrders ? await this.#soup() : 0;
    for (const command of this.#plan.commands) {
      await this.#carryOut(command);
      if (this.checker.violations.length > 0) return;
    }
    await this.#letThingsGetQuiet();
    if (this.checker.violations.length > 0) return;
    await this.#look();
    this.checker.onQuiet();
    if (this.#hasOrders) this.#orderChecker.onQuiet(plenty - (await this.#soup()));
  }

  /** How much is left. */
  #soup(): Promise<number> {
    const { database } = this.#fixture;
    return findQuantity(database.sql, this.#merchant.restaurant.guid, guidOf('Soup'));
  }

  /** What partners are shown of each order, and staff find, is what is stored of it. */
  async #checkShown(): Promise<void> {
    const { database, clients } = this.#fixture;
    const { restaurant } = this.#merchant;
    const { deps } = at(this.#processes, 0);
    const handlers = this.orderHandlers({ ...deps, database }, deps.clock);
    for (const { guid, externalId } of this.#seenOrders()) {
      const { principal } = at(clients, Number(externalId.split(':')[1]));
      const parts = { principal, restaurant, params: { guid } };
      this.#orderChecker.checkShown((await callOperation(handlers, 'orders.get', parts)).body);
    }
  }

  #seenOrders() {
    const uuid = at(this.#uuids, 0);
    return [0, 1].flatMap((client) =>
      [0, 1].flatMap((number) => this.#orderChecker.seen(`${uuid}:${client}:${number}`) ?? []),
    );
  }

  #planOf(paymentUuid: string) {
    return at(this.#plan.payments, this.#uuids.indexOf(paymentUuid));
  }

  #startProcess(): LiveProcess {
    const { scheduler } = this;
    const line = {
      reach: () => this.#reach,
      nowMs: () => scheduler.time.viewOf(process),
      onCall: async (...call: Parameters<StateChecker['onCall']>) => {
        await this.#look();
        this.checker.onCall(...call);
      },
      onDelivery: (delivery: Parameters<StateChecker['onDelivery']>[0]) =>
        this.checker.onDelivery(delivery),
    };
    const note = (facts: { readonly err?: Error }, text: string) =>
      scheduler.note(`  log: ${text} ${facts.err?.message ?? ''}`);
    const log = { debug: ignore, info: ignore, warn: ignore, error: note } as never;
    this.#processCount += 1;
    const process: Process = {
      ...{ name: `process ${this.#processCount}`, isDead: false },
      ...{ unseenMs: 0, unseenSinceRealMs: null },
    };
    const clock = scheduler.clockOf(process);
    const database = scheduledDatabase(scheduler, this.#fixture.database);
    const deps: AuthorizeDeps = {
      database,
      ordersHere: ordersHere({ database, orderSettings }),
      processor: scheduledProcessor(scheduler, this.#modelProcessor, line),
      ...{ clock, realClock: scheduler.realClock, timer: scheduler.timer, log },
      ...{ vault: this.#fixture.vault, keyring: this.#fixture.keyring },
      underWay: createUnderWay(),
      kind: 'sandbox',
      repeat: 'replay',
    };
    return Object.assign(process, {
      ...{ deps, clock, sweep: createPaymentSweep({ ...deps, clock }) },
      orders: this.orderHandlers(deps, clock),
      orderWork: orderWorkOf(deps, clock),
    });
  }

  orderHandlers({ database, realClock, vault }: AuthorizeDeps, clock: Clock) {
    const { menus } = this.#merchant;
    const deps = {
      ...{ database, clock, realClock, vault, orderSettings },
      restaurantOf: (guid: string) => findOrderingRestaurant(database.sql, guid),
      findConfiguration: this.#fixture.findConfiguration,
      menusOf: async () => menus,
    };
    return { ...orderHandlers(deps), ...officeOrderHandlers(deps) };
  }

  #process(number: number): LiveProcess {
    let process = at(this.#processes, number);
    if (process.isDead) {
      process = this.#startProcess();
      this.#processes[number] = process;
    }
    return process;
  }

  /** Reads what is committed and has it judged, unless nothing can have changed. */
  #look(): Promise<void> {
    // One after the other, so that an older answer never comes after a newer one.
    this.#looking = this.#looking.then(() => this.#lookOnce());
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const { writes } = this.scheduler;
    if (writes === this.#seenAt) return;
    const { guid } = this.#merchant.restaurant;
    const { sql } = this.#fixture.database;
    const payments = await listSeen(sql, guid, this.#uuids);
    // Later than the payments: their moves may be of an order.
    if (this.#hasOrders) {
      this.#orderChecker.onSeen(await listSeenOrders(sql, guid, at(this.#uuids, 0)));
    }
    this.#seenAt = writes;
    this.checker.onSeen(payments);
  }

  async #onEnd(task: Task): Promise<void> {
    await this.#look();
    const facts = this.#facts.get(task);
    this.#facts.delete(task);
    if (facts?.kind === 'ordering') this.#orderChecker.onAnswer(task, facts);
    else if (facts?.kind === 'decision') this.#orderChecker.onDecided(task, facts);
    else if (facts && task.end) this.#answers.checker(task, facts);
  }

  async #carryOut({ action, faults, order }: Command): Promise<void> {
    this.scheduler.plan(faults);
    let digits = order;
    const pick = (count: number) => {
      const picked = digits % count;
      digits = Math.floor(digits / count);
      return picked;
    };
    await this.#act(action, pick);
    await this.#look();
    if (this.#hasOrders) await this.#checkShown();
  }

  async #act(action: Action, pick: (count: number) => number): Promise<void> {
    switch (action.kind) {
      case 'jump':
        return await this.#jump(action.durationMs, action.isSeen, pick);
      case 'jumpToDue': {
        const untilMs = ((await this.#nextDueMs()) ?? 0) + action.offsetMs;
        return await this.#jump(untilMs - this.scheduler.envMs, true, pick);
      }
      case 'back':
        return await this.#go(await this.#back(action), action.go, pick);
      case 'pass':
        return await this.scheduler.passReal(action.durationMs);
      case 'kill':
        return this.scheduler.kill(this.#process(action.process));
      case 'reach':
        this.#reach = action.reach;
        return this.scheduler.note(`the processor is ${action.reach}`);
      case 'captureByHand':
        return this.#captureByHand(action.payment);
      case 'bringBack':
        return await this.#go(this.#bringBack(this.#process(action.process)), action.go, pick);
      case 'sweepBoth':
        await this.#sweep(this.#process(1), false);
        return await this.#go(await this.#sweep(this.#process(0), false), action.go, pick);
      case 'sweep':
        return await this.#go(
          await this.#sweep(this.#process(action.process), action.isSequential),
          action.go,
          pick,
        );
      case 'putPair':
        await this.#put({ ...action, kind: 'put', process: 1 });
        return await this.#go(
          await this.#put({ ...action, kind: 'put', client: 0, content: 0, process: 0 }),
          action.go,
          pick,
        );
      case 'put':
        return await this.#go(await this.#put(action), action.go, pick);
      case 'get':
        return await this.#go(await this.#get(action), action.go, pick);
      case 'place':
      case 'addPayment':
      case 'orderTip':
      case 'voidOrder':
        return await this.#go(await this.#ordering(action), action.go, pick);
      case 'staff':
        return await this.#go(await this.#decision(action), action.go, pick);
      case 'orderWork':
        return await this.#go(this.#orderWork(this.#process(action.process)), action.go, pick);
      default:
        return await this.#go(await this.#order(action), action.go, pick);
    }
  }

  async #go(task: Task | null, go: Go, pick: (count: number) => number): Promise<void> {
    const { width } = this.#plan;
    if (!task) return;
    if (go === 'toEnd') return await this.scheduler.finish(task, width, pick);
    for (let step = 0; step < go && !task.end; step += 1) {
      if (!(await this.scheduler.step(width, pick))) return;
    }
  }

  async #jump(durationMs: number, isSeen: boolean, pick: (count: number) => number): Promise<void> {
    if (durationMs <= 0 || this.#isBeingMoved()) return;
    const untilMs = this.scheduler.envMs + durationMs;
    if (durationMs > LONG_JUMP_MS) await this.scheduler.finishAll(this.#plan.width, pick);
    // Time may have passed while requests came to their ends.
    await this.scheduler.jump(Math.max(untilMs - this.scheduler.envMs, 0), isSeen);
  }

  #isBeingMoved(): boolean {
    return this.scheduler.time.isHeld || [...this.#movers].some(({ end }) => end === null);
  }

  /** A process sets a sandbox's clock back: what waits for the processor comes along. */
  async #back({ process: number, durationMs }: Action & { kind: 'back' }): Promise<Task | null> {
    if (this.#isBeingMoved()) return null;
    await this.#look();
    const { scheduler } = this;
    const process = this.#process(number);
    const task = scheduler.spawn('the clock back', process, false, async () => {
      const isFree = await scheduler.atClock('is held', () => {
        const wasFree = scheduler.time.look(process);
        if (wasFree) scheduler.time.hold(process);
        return wasFree;
      });
      if (!isFree) return;
      const targetMs = scheduler.envMs - durationMs;
      let movedMs = 0;
      try {
        await process.sweep.clockWentBack?.(targetMs);
        movedMs = targetMs - scheduler.envMs;
      } finally {
        await scheduler.atClock('is let go of', () => {
          scheduler.time.release();
          scheduler.move(movedMs, (one) => one === process);
        });
      }
    });
    this.#movers.add(task);
    return task;
  }

  /** Asks the program directly, because nobody waits for it. */
  async #nextDueMs(): Promise<number | null> {
    const deps = { ...at(this.#processes, 0).deps, database: this.#fixture.database };
    const due = [createPaymentSweep(deps), orderWorkOf(deps, deps.clock)];
    const all = await Promise.all(due.map((work) => work.nextDueMs()));
    const known = all.filter((dueMs) => dueMs !== null);
    return known.length > 0 ? Math.min(...known) : null;
  }

  #orderWork(process: LiveProcess): Task {
    const { clock, orderWork } = process;
    return this.scheduler.spawn('order work', process, false, async () => {
      if (await clock.refresh()) await orderWork.runDue(clock.nowMs(), { isSequential: false });
    });
  }

  /** Null if there is no such order yet. */
  async #decision(action: DecisionFacts['action']): Promise<Task | null> {
    await this.#look();
    const { restaurant } = this.#merchant;
    const { move, client, externalId, payment, selection, process: number } = action;
    const order = this.#orderChecker.seen(`${at(this.#uuids, 0)}:${client}:${externalId}`);
    if (!order) return null;
    const process = this.#process(number);
    const nowMs = this.scheduler.time.viewOf(process);
    const cash = (which: number) => derivedGuid(order.guid, `cash ${which}`);
    const one = at(order.selections, selection).guid;
    const card = selection === 2 ? cash(1) : at(this.#uuids, payment);
    const about = {
      selectionGuids: selection === 2 && move !== 'selections.void' ? null : [one],
      paymentUuid: move === 'payments.add' ? cash(selection) : card,
    };
    const paid = { guid: cash(selection), type: 'CASH', amount: at(CASH, selection) };
    const bodies: Readonly<Record<string, unknown>> = {
      'payments.add': paid,
      'selections.void': {},
      approve: undefined,
      fulfil: undefined,
      ...(about.selectionGuids === null
        ? { fire: {}, hold: {}, ready: {} }
        : Object.fromEntries(
            ['fire', 'hold', 'ready'].map((name) => [
              name,
              { selectionGuids: about.selectionGuids },
            ]),
          )),
    };
    const body = move in bodies ? bodies[move] : { reason: at(REASONS, selection) };
    const params = {
      ...{ restaurantGuid: restaurant.guid, orderGuid: order.guid, checkGuid: order.checkGuid },
      ...{ paymentGuid: about.paymentUuid, selectionGuid: one },
    };
    const isLagging = nowMs !== this.scheduler.envMs;
    const expected = isLagging ? null : this.#orderChecker.expectDecision(action, order, about);
    const facts = { kind: 'decision' as const, action, orderGuid: order.guid, about, expected };
    this.#orderChecker.onDecision(facts);
    const task = this.scheduler.spawn(`${move} of ${externalId}`, process, false, () =>
      callOperation(process.orders, `backOffice.orders.${move}`, {
        ...{ principal: this.#staff, restaurant, nowMs, params },
        ...(body === undefined ? {} : { body }),
      }),
    );
    this.#facts.set(task, facts);
    return task;
  }

  #captureByHand(payment: number): void {
    const seen = this.checker.payment(at(this.#uuids, payment));
    if (seen && this.#modelProcessor.captureByHand(seen.paymentId)) {
      this.scheduler.note(`payment ${payment} is captured by hand`);
    }
  }

  async #put(action: Omit<Action & { kind: 'put' }, 'go'>): Promise<Task> {
    await this.#look();
    const { payment, client: clientNumber, content } = action;
    const paymentUuid = at(this.#uuids, payment);
    const plan = at(this.#plan.payments, payment);
    const client = at(this.#fixture.clients, clientNumber);
    const amountMinor = amountOf(payment, content);
    const requestMetadata = {
      ...(client.body.requestMetadata as object),
      ...(plan.isRiskRefused && { guestIdentifier: '0' }),
    };
    const sent = {
      ...client.body,
      requestMetadata,
      amount: amountMinor / 100,
      tipAmount: TIP_MINOR / 100,
    };
    const { restaurant } = this.#merchant;
    const { principal } = client;
    const process = this.#process(action.process);
    if (!this.#firstPuts.has(paymentUuid)) this.#firstPuts.set(paymentUuid, this.scheduler.realMs);
    const name = `put ${payment} (client ${clientNumber}, content ${content})`;
    const { clientId } = principal;
    const before = this.checker.payment(paymentUuid);
    const isUp = this.#reach === 'up' || this.#reach === 'deafToInquiries';
    const input = {
      ...{ principal, restaurant, paymentUuid },
      body: structuredClone(sent) as unknown as AuthorizeInput['body'],
      faults: new Faults(operationById('creditCards.authorize')),
      ...{ besides: {}, keep: () => {}, note: () => {}, waitedMs: 0 },
    };
    const task = this.scheduler.spawn(name, process, true, async () =>
      paymentStatus(await authorize(process.deps, input), 'number'),
    );
    const facts = { kind: 'put', paymentUuid, clientId, amountMinor, plan, before, isUp } as const;
    this.#facts.set(task, facts);
    return task;
  }

  async #order(
    action: Action & { readonly payment: number; readonly process: number },
  ): Promise<Task> {
    await this.#look();
    const order = action.kind as Order;
    const paymentUuid = at(this.#uuids, action.payment);
    const key = { merchantGuid: this.#merchant.restaurant.guid, paymentUuid };
    const process = this.#process(action.process);
    const { deps } = process;
    let content = '';
    let clientId: string | null = null;
    let work: () => Promise<PaymentRow> = () => fulfil(deps, key, ORDERS_CLIENT);
    if (action.kind === 'apply') {
      content = at(CHECKS, action.check);
      work = () => applyToCheck(deps, key, content, ORDERS_CLIENT);
    } else if (action.kind === 'void') {
      content = at(REASONS, action.reason);
      work = () => voidPayment(deps, key, content, ORDERS_CLIENT);
    } else if (action.kind === 'partnerVoid') {
      const asked = this.#ownRequest(action);
      clientId = asked.principal.clientId;
      work = async () =>
        voidByPartner(deps, await requireOwnPayment(deps, asked), asked.principal.clientId);
    } else if (action.kind === 'tip') {
      content = String(action.tipMinor);
      work = () => changeTip(deps, key, action.tipMinor, ORDERS_CLIENT);
    } else if (action.kind === 'capture') work = () => captureNow(deps, key, ORDERS_CLIENT);
    const before = this.checker.payment(paymentUuid);
    const earlier = this.#orders.get(paymentUuid) ?? [];
    this.#orders.set(paymentUuid, [...earlier, { order, content }]);
    const nowMs = Math.max(this.scheduler.envMs, this.scheduler.time.viewOf(process));
    const task = this.scheduler.spawn(`${order} ${action.payment}`, process, false, work);
    this.#facts.set(task, {
      ...{ kind: 'order', order, content, clientId, paymentUuid, before, nowMs },
    } as const);
    return task;
  }

  /** A request of the orders interface; null if there is no order that it could name. */
  async #ordering(action: OrderingFacts['action']): Promise<Task | null> {
    await this.#look();
    const { restaurant } = this.#merchant;
    const payment = action.kind === 'voidOrder' ? null : action.payment;
    const paymentUuid = payment === null ? null : at(this.#uuids, payment);
    const before = paymentUuid === null ? null : this.checker.payment(paymentUuid);
    const isPaying = action.kind === 'place' || action.kind === 'addPayment';
    const amountMinor = amountOf(payment ?? 0, isPaying ? action.content : 0);
    const number = action.kind === 'orderTip' ? 0 : action.client;
    const { principal } = at(this.#fixture.clients, number);
    const externalId = (client: number) =>
      action.kind === 'orderTip' ? null : `${at(this.#uuids, 0)}:${client}:${action.externalId}`;
    let target = action.kind === 'place' ? null : this.#orderChecker.known(externalId(0) ?? '');
    if (action.kind === 'orderTip') target = this.#orderChecker.ofPayment(before);
    if (action.kind !== 'place' && !target) return null;
    const process = this.#process(action.process);
    const nowMs = this.scheduler.time.viewOf(process);
    const facts = {
      ...{ kind: 'ordering' as const, action, clientId: principal.clientId, target },
      ...{ externalId: externalId(number), paymentUuid, amountMinor, before },
      nowMs: Math.max(this.scheduler.envMs, nowMs),
    };
    // Nobody can tell what a process does whose clock lags.
    const isLagging = nowMs !== this.scheduler.envMs;
    const expected = isLagging ? null : this.#orderChecker.predict(facts);
    this.#orderChecker.onSent(facts);
    if (paymentUuid !== null) {
      const earlier = this.#orders.get(paymentUuid) ?? [];
      const asked =
        action.kind === 'orderTip'
          ? ({ order: 'tip', content: String(action.tipMinor) } as const)
          : ({ order: 'apply', content: 'an order here' } as const);
      this.#orders.set(paymentUuid, [...earlier, asked]);
    }
    const amount = amountMinor / 100;
    const tipAmount = TIP_MINOR / 100;
    const payments =
      paymentUuid === null ? [] : [{ type: 'CREDIT', guid: paymentUuid, amount, tipAmount }];
    const send = (
      id: Parameters<typeof callOperation>[1],
      params: Record<string, string>,
      body: unknown,
    ) => callOperation(process.orders, id, { principal, restaurant, nowMs, params, body });
    const { guid: orderGuid = '', checkGuid = '' } = target ?? {};
    const work = () => {
      switch (action.kind) {
        case 'place':
          return send(
            'orders.place',
            {},
            {
              externalId: facts.externalId,
              diningOption: { guid: guidOf('dine-in') },
              checks: [{ selections: [select('Soup'), select('Soup')], payments }],
            },
          );
        case 'addPayment':
          return send('orders.payments.add', { orderGuid, checkGuid }, payments);
        case 'orderTip':
          return send(
            'orders.payments.update',
            { orderGuid, checkGuid, paymentGuid: paymentUuid ?? '' },
            { tipAmount: action.tipMinor / 100 },
          );
        case 'voidOrder':
          return send('orders.void', { orderGuid }, everythingVoid);
      }
    };
    const name = `${action.kind} ${payment ?? facts.externalId}`;
    const task = this.scheduler.spawn(name, process, false, work);
    this.#facts.set(task, { ...facts, expected });
    return task;
  }

  #ownRequest({ payment, client }: { readonly payment: number; readonly client: number }) {
    const { restaurant } = this.#merchant;
    const { principal } = at(this.#fixture.clients, client);
    const params = { merchantUuid: restaurant.guid, paymentUuid: at(this.#uuids, payment) };
    return { principal, restaurant, params };
  }

  async #get(action: Action & { kind: 'get' }): Promise<Task> {
    await this.#look();
    const asked = this.#ownRequest(action);
    const { paymentUuid } = asked.params;
    const { clientId } = asked.principal;
    const process = this.#process(action.process);
    const deps = { ...process.deps, amountShape: 'number' } as const;
    const before = this.checker.payment(paymentUuid);
    const task = this.scheduler.spawn(`get ${action.payment}`, process, false, async () =>
      ownPaymentOnWire(deps, await requireOwnPayment(deps, asked)),
    );
    this.#facts.set(task, { kind: 'get', paymentUuid, clientId, before });
    return task;
  }

  /** In order is how a mover of the clock does it; otherwise it is what each process does. */
  async #sweep(process: LiveProcess, isSequential: boolean): Promise<Task> {
    await this.#look();
    const { nowMs, isHeld } = this.scheduler.time;
    const before = this.#uuids.flatMap((paymentUuid) => this.checker.payment(paymentUuid) ?? []);
    const { clock, sweep } = process;
    const isMover = isSequential && !this.#isBeingMoved();
    if (isMover) this.scheduler.time.look(process);
    const task = this.scheduler.spawn(
      `sweep${isMover ? ' in order' : ''}`,
      process,
      false,
      async () => {
        if (!isMover && !(await clock.refresh())) return [];
        return await sweep.runDue(clock.nowMs(), { isSequential: isMover });
      },
    );
    if (isMover) this.#movers.add(task);
    const day = this.#merchant.day;
    this.#facts.set(task, { kind: 'sweep', nowMs, isHeld, before, day, uuids: this.#uuids });
    return task;
  }

  /** What each process of a sandbox does now and then. */
  #bringBack(process: LiveProcess): Task {
    const { clock, sweep } = process;
    return this.scheduler.spawn('bring back', process, false, async () => {
      if (await clock.refresh()) await sweep.bringBack?.(clock.nowMs());
    });
  }

  /** Faults end, everybody comes to an end, and the clock goes from one due instant to the next. */
  async #letThingsGetQuiet(): Promise<void> {
    const first = () => 0;
    this.#reach = 'up';
    this.scheduler.plan([]);
    await this.scheduler.finishAll(1, first);
    await this.#look();
    this.scheduler.note('--- from here on nothing disturbs');
    const keeper = this.#startProcess();
    this.scheduler.realMs += REAL_STEP_MS;
    this.scheduler.time.release();
    await this.scheduler.finish(this.#bringBack(keeper), 1, first);
    await this.#look();
    this.checker.quietSinceMs = this.scheduler.envMs;
    this.checker.onCalm();
    for (let round = 0; round < QUIET_ROUNDS_MAX; round += 1) {
      const dueMs = await this.#nextDueMs();
      // Nothing fails and nobody else works: whatever was due when the last sweep ran is done.
      if (round > 0 && dueMs !== null && dueMs <= this.scheduler.envMs) {
        this.checker.fail(`PAY-I3: a sweep left work that was due at ${dueMs}`);
        return;
      }
      const { nowMs, travelledMs } = this.scheduler.time;
      const lateMs = this.#modelProcessor.lastEffectMs() - travelledMs + nowMs;
      if (dueMs === null && lateMs === Number.NEGATIVE_INFINITY) return;
      const untilMs = dueMs ?? lateMs;
      await this.scheduler.jump(Math.max(untilMs - this.scheduler.envMs, 0), false);
      await this.scheduler.finish(this.#orderWork(keeper), 1, first);
      await this.scheduler.finish(await this.#sweep(keeper, round % 4 === 3), 1, first);
      await this.#look();
      if (this.#hasOrders) await this.#checkShown();
      if (this.checker.violations.length > 0) return;
    }
    this.checker.fail('it never gets quiet');
  }
}

function orderWorkOf({ database, realClock, vault, log }: AuthorizeDeps, clock: Clock): DueWork {
  return createOrderWork({ database, clock, realClock, vault, log, orderSettings });
}

/** What a PUT authorizes, and an order is paid with. */
function amountOf(payment: number, content: number): number {
  return 1_050 + payment * 100 + content * 50;
}

const everythingVoid = { selections: { voidAll: true }, payments: { voidAll: true } };

function at<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('an empty list has no element');
  return found;
}

function ignore(): void {}
