import type { PartnerPayment, PaymentStatus } from '@servery/contract';
import { ApiError } from '../../src/http/errors.ts';
import type { PaymentRow } from '../../src/payments/life/store.ts';
import type { DoneWork } from '../../src/support/due-work.ts';
import type { PaymentPlan } from './commands.ts';
import { count } from './counts.ts';
import type { SeenEvent, SeenPayment } from './history-store.ts';
import {
  answerShown,
  type BusinessDay,
  captureTimes,
  checkOrder,
  LEASE_MS,
  legalOrders,
  type Order,
  PROMPT_MS,
  predictPut,
  statesAfter,
  wireOf,
} from './model.ts';
import type { Scheduler, Task, TaskEnd } from './scheduler.ts';
import { type StateChecker, tipAt } from './state-checker.ts';

/** A PUT, as it was sent. */
export interface PutFacts {
  readonly kind: 'put';
  readonly paymentUuid: string;
  readonly clientId: string;
  readonly amountMinor: number;
  readonly plan: PaymentPlan;
  readonly before: SeenPayment | null;
  /** The processor could be reached. */
  readonly isUp: boolean;
}

/** An order, as it was given. */
export interface OrderFacts {
  readonly kind: 'order';
  readonly order: Order;
  /** The check or the reason. */
  readonly content: string;
  /** The partner that asks; null for the orders side. */
  readonly clientId: string | null;
  readonly paymentUuid: string;
  readonly before: SeenPayment | null;
  readonly nowMs: number;
}

/** A partner's look at a payment, as it was begun. */
export interface GetFacts {
  readonly kind: 'get';
  readonly paymentUuid: string;
  readonly clientId: string;
  readonly before: SeenPayment | null;
}

/** A sweep, as it was begun. */
export interface SweepFacts {
  readonly kind: 'sweep';
  readonly nowMs: number;
  /** Somebody moves the clock, or died while he did: nobody else works then. */
  readonly isHeld: boolean;
  readonly before: readonly SeenPayment[];
  readonly day: BusinessDay;
  readonly uuids: readonly string[];
}

/** Holds the answers to what the model allows in the states that the payment was in meanwhile. */
export class AnswerChecker {
  readonly #checker: StateChecker;
  readonly #scheduler: Scheduler;
  /** By payment: the texts that were answered last, for PAY-I6. */
  readonly #texts = new Map<string, { acknowledged?: string; final?: string; version: number }>();

  constructor(checker: StateChecker, scheduler: Scheduler) {
    this.#checker = checker;
    this.#scheduler = scheduler;
  }

  checker(task: Task, facts: PutFacts | OrderFacts | GetFacts | SweepFacts): void {
    const { end } = task;
    if (!end) return;
    const said = wordsOf(end);
    const kind = facts.kind === 'order' ? facts.order : facts.kind;
    count('answers', `${kind} ${said}`);
    this.#scheduler.note(`${task.process.name} ends ${task.name}: ${said}`);
    if (end.end === 'crashed') return;
    if (end.end === 'error' && !(end.error instanceof ApiError)) {
      const error = end.error as Error;
      if (!task.hadFault) this.#fail(task, `without any fault: ${error.stack ?? error}`);
      return;
    }
    if (facts.kind === 'put') this.#checkPut(task, facts, end);
    else if (facts.kind === 'order') this.#checkOrder(task, facts, end);
    else if (facts.kind === 'get') this.#checkGet(task, facts, end);
    else if (end.end === 'value') this.#checkSweep(task, facts, end.value as DoneWork[]);
  }

  #fail(task: Task, text: string): void {
    this.#checker.fail(`${task.name}: ${text}`);
  }

  #checkPut(task: Task, facts: PutFacts, end: TaskEnd & { end: 'value' | 'error' }): void {
    const { paymentUuid, before } = facts;
    const payment = this.#checker.payment(paymentUuid);
    if (!payment) {
      if (end.end === 'value') this.#fail(task, 'PAY-I2: it was answered, and nothing is durable');
      else if (!task.hadFault && !task.hadTimeout) this.#fail(task, `refused: ${end.error}`);
      return;
    }
    const isTheirs =
      payment.clientId === facts.clientId && payment.amountMinor === facts.amountMinor;
    const met = metBetween(before, payment);
    if (end.end === 'error') {
      this.#checkPutRefusal(task, facts, { payment, isTheirs, met }, end.error as ApiError);
      return;
    }
    const status = end.value as PaymentStatus;
    if (!isTheirs) this.#fail(task, `PAY-7: ${status.paymentState} for another client or content`);
    if (!met.some(({ wire }) => wire === status.paymentState)) {
      this.#fail(task, `PAY-I2: ${status.paymentState} was answered in ${namesOf(met)}`);
    }
    this.#checkBody(task, facts, payment, status);
    if (!isPredictable(task) || !facts.isUp) return;
    const told = this.#predict(facts);
    if (payment.state !== told.state) this.#fail(task, `${payment.state}, not ${told.state}`);
    if (status.paymentState !== told.wire) {
      this.#fail(task, `answered ${status.paymentState}, not ${told.wire}`);
    }
  }

  #predict({ before, plan }: PutFacts): { readonly state: string; readonly wire: string | null } {
    if (before && before.state !== 'ABORTED') {
      return { state: before.state, wire: metBetween(before, before)[0]?.wire ?? null };
    }
    const attempt = before ? before.attempt + 1 : 1;
    return predictPut(
      plan.isRiskRefused && !before ? 'riskRefused' : (plan.decisions[attempt - 1] ?? 'approve'),
    );
  }

  #checkPutRefusal(
    task: Task,
    facts: PutFacts,
    now: { payment: SeenPayment; isTheirs: boolean; met: readonly Met[] },
    error: ApiError,
  ): void {
    const { errorClass, message } = error;
    if (!now.isTheirs) {
      if (errorClass === 'conflict') return;
      if (!task.hadFault && !task.hadTimeout) this.#fail(task, `PAY-7: ${errorClass}`);
      return;
    }
    const isChanged = now.met.some(({ state, wire }) => wire === null && state !== 'ABORTED');
    if (errorClass === 'conflict' && isChanged) return;
    const isAborted = metBetween(facts.before, now.payment, 1).some(
      ({ state }) => state === 'ABORTED',
    );
    const isDisturbed = task.hadFault || task.hadTimeout;
    const saysNothingHeld = message.includes('no funds are held');
    if (errorClass === 'internal' && saysNothingHeld && isAborted) return;
    // Faults of the database and time-outs leave it open what became of the payment.
    if (errorClass === 'unavailable' && !saysNothingHeld && isDisturbed) return;
    this.#fail(task, `refused with ${errorClass} (${message}) in ${namesOf(now.met)}`);
  }

  /** PAY-I6: the same body again and again, but for the one step from ACKNOWLEDGED. */
  #checkBody(task: Task, { before }: PutFacts, payment: SeenPayment, status: PaymentStatus): void {
    const text = JSON.stringify(status);
    const { paymentUuid, amountMinor, tipMinor, version } = payment;
    const metadata = status.authorizationMetadata;
    if (status.amount !== amountMinor / 100 || status.tipAmount !== tipMinor / 100) {
      this.#fail(task, `the amounts of ${text}`);
    }
    if ((metadata !== null) !== (status.paymentState === 'AUTHORIZED')) {
      this.#fail(task, `the metadata of ${text}`);
    }
    if (metadata && metadata.authorizationCode !== payment.authorizationCode) {
      this.#fail(task, `the authorization code of ${text}`);
    }
    const known = this.#texts.get(paymentUuid) ?? { version };
    if (status.paymentState === 'ACKNOWLEDGED') {
      if (known.acknowledged !== undefined && known.acknowledged !== text) {
        this.#fail(task, `PAY-I6: ${text} after ${known.acknowledged}`);
      }
      // Of two requests at once the one that was answered later may have looked earlier.
      const isLater = (before?.version ?? 0) >= known.version;
      if (known.final !== undefined && isLater)
        this.#fail(task, `PAY-I6: ${text} after ${known.final}`);
      this.#texts.set(paymentUuid, { ...known, acknowledged: text });
      return;
    }
    if (known.final !== undefined && known.final !== text) {
      this.#fail(task, `PAY-I6: ${text} after ${known.final}`);
    }
    this.#texts.set(paymentUuid, { ...known, final: text, version });
  }

  #checkOrder(task: Task, facts: OrderFacts, end: TaskEnd & { end: 'value' | 'error' }): void {
    const { order, before, paymentUuid } = facts;
    const payment = this.#checker.payment(paymentUuid);
    if (!payment) {
      if (end.end === 'value') this.#fail(task, 'done to a payment that is not there');
      else if (!isOneOf(end.error, task, 'notFound')) this.#fail(task, `refused: ${end.error}`);
      return;
    }
    if (facts.clientId !== null && facts.clientId !== payment.clientId) {
      if (end.end === 'value') this.#fail(task, 'done to a payment of another partner');
      else if (!isOneOf(end.error, task, 'notFound')) this.#fail(task, `refused: ${end.error}`);
      return;
    }
    if (order === 'fulfil' && payment.onOrder && !(before && !before.onOrder)) {
      const isRefused = end.end === 'error' && isOneOf(end.error, task, 'conflict');
      if (!isRefused) this.#fail(task, 'ORD-50: done to a payment of an order here');
      return;
    }
    if (order === 'fulfil' && payment.onOrder && end.end === 'error') return;
    const events = eventsBetween(before, payment);
    const met = events.map((event) => ({ event, verdict: this.#verdict(facts, payment, event) }));
    if (end.end === 'error') {
      const error = end.error as ApiError;
      if (error.errorClass === 'notFound' && !before) return;
      const mayBe = met.some(({ verdict }) => verdict.mayBeRefused);
      if (error.errorClass === 'conflict' && mayBe) {
        if (task.wasAlone) this.#checkWords(task, facts, payment, error.message);
        return;
      }
      if (!isOneOf(error, task)) this.#fail(task, `refused with ${error.message}`);
      return;
    }
    const row = end.value as PaymentRow;
    const shown = payment.events[row.version - 1];
    if (!shown || shown.to !== row.state || row.version < (before?.version ?? 1)) {
      this.#fail(task, `answered ${row.state} v${row.version}, which it never was meanwhile`);
    }
    if (!statesAfter(order).includes(row.state)) this.#fail(task, `done, and it is ${row.state}`);
    if (order === 'tip' && shown && tipAt(payment, shown) !== Number(facts.content)) {
      this.#fail(task, `done, and the tip is ${tipAt(payment, shown)}`);
    }
    if (!met.some(({ verdict }) => verdict.mayBeDone)) {
      this.#fail(task, `done in ${events.map(({ to }) => to).join(', ')}`);
    }
    if (!isPredictable(task)) return;
    const { leadsTo } = met[0]?.verdict ?? { leadsTo: null };
    const expected = leadsTo ?? [before?.state ?? ''];
    if (!expected.includes(payment.state)) {
      this.#fail(task, `led to ${payment.state}, not ${expected.join(' or ')}`);
    }
  }

  #verdict({ order, content, nowMs }: OrderFacts, payment: SeenPayment, event: SeenEvent) {
    const causes: Readonly<Record<Order, readonly string[]>> = {
      apply: ['appliedToCheck'],
      fulfil: ['orderFulfilled'],
      void: ['voidedOnPointOfSale'],
      partnerVoid: ['voidedByPartner'],
      capture: ['captureRequested', 'captureTimeReached'],
      // The tip of a payment that was applied may be the wanted one already.
      tip: ['appliedToCheck'],
    };
    const done = payment.events.some(
      ({ version, cause }) => version <= event.version && causes[order].includes(cause),
    );
    const isSame =
      (order !== 'apply' || payment.checkGuid === content) &&
      (order !== 'void' || payment.voidReason === content) &&
      (order !== 'tip' || tipAt(payment, event) === Number(content));
    const deadlineMs =
      event.to === 'AUTHORIZED' ? payment.applyDeadlineMs : payment.captureDeadlineMs;
    const latestMs = Math.max(nowMs, this.#scheduler.time.stampPeakMs);
    const isExpired = deadlineMs !== null && latestMs >= deadlineMs;
    return checkOrder(order, { state: event.to, isRepeat: done && isSame, isExpired });
  }

  /** It shows one of the states that the payment was in, with the answer of the PUT until then. */
  #checkGet(task: Task, facts: GetFacts, end: TaskEnd & { end: 'value' | 'error' }): void {
    const { paymentUuid, clientId, before } = facts;
    const payment = this.#checker.payment(paymentUuid);
    const isTheirs = payment?.clientId === clientId;
    if (end.end === 'error') {
      const classes = before && isTheirs ? [] : ['notFound'];
      if (!isOneOf(end.error, task, ...classes)) this.#fail(task, `refused: ${end.error}`);
      return;
    }
    if (!payment || !isTheirs) {
      this.#fail(task, 'it shows a payment of another partner');
      return;
    }
    const { state, changes, answer, tipAmount } = end.value as PartnerPayment;
    const shownStates = changes.map((change) => change.state);
    const told = JSON.stringify([state, shownStates, answer.status, Math.round(tipAmount * 100)]);
    const isTrue = eventsBetween(before, payment).some((event) => {
      const { version } = event;
      const states = payment.events.slice(0, version).map(({ to }) => to);
      const { status, wire } = answerShown(states);
      const afterPending = states.filter((each) => each !== 'PENDING');
      return (
        told === JSON.stringify([states.at(-1), afterPending, status, tipAt(payment, event)]) &&
        (answer.body?.paymentState ?? null) === wire
      );
    });
    if (!isTrue) this.#fail(task, `it shows ${told} with ${answer.body?.paymentState}`);
    const text = JSON.stringify(answer.body);
    const final = this.#texts.get(paymentUuid)?.final;
    const isFinal = answer.body !== null && answer.body.paymentState !== 'ACKNOWLEDGED';
    if (isFinal && final !== undefined && final !== text) {
      this.#fail(task, `PAY-I6: it shows ${text} after ${final}`);
    }
  }

  /** A refusal says which moves are legal now. */
  #checkWords(task: Task, facts: OrderFacts, payment: SeenPayment, message: string): void {
    const deadlineMs =
      payment.state === 'AUTHORIZED' ? payment.applyDeadlineMs : payment.captureDeadlineMs;
    const latestMs = Math.max(facts.nowMs, this.#scheduler.time.stampPeakMs);
    const isExpired = deadlineMs !== null && latestMs >= deadlineMs;
    if (isExpired || payment.version !== facts.before?.version) return;
    if (facts.order === 'partnerVoid') {
      if (!message.includes(payment.state)) this.#fail(task, `${payment.state}, but: ${message}`);
      return;
    }
    for (const legal of legalOrders(payment.state)) {
      if (!message.includes(legal)) this.#fail(task, `${legal} is legal, but: ${message}`);
    }
  }

  #checkSweep(task: Task, facts: SweepFacts, done: readonly DoneWork[]): void {
    const { uuids, before, nowMs, isHeld, day } = facts;
    const payments = uuids.flatMap((paymentUuid) => this.#checker.payment(paymentUuid) ?? []);
    const own = done.filter(({ paymentUuid }) => paymentUuid && uuids.includes(paymentUuid));
    if (own.length < done.length) this.#fail(task, 'it did work of other runs');
    if (done.some((one, index) => isTooLate(one, done[index - 1], before))) {
      this.#fail(task, `not in the order of due times: ${JSON.stringify(done)}`);
    }
    const said = own.flatMap(({ paymentUuid, fromState, cause, toState }) =>
      cause === null ? [] : `${paymentUuid} ${fromState} ${cause} ${toState}`,
    );
    const happened = payments.flatMap((payment) => {
      const old = before.find(({ paymentUuid }) => paymentUuid === payment.paymentUuid);
      return eventsAfter(old, payment).map(
        ({ from, cause, to }) => `${payment.paymentUuid} ${from} ${cause} ${to}`,
      );
    });
    const untold = minus(happened, said);
    const unreal = minus(said, happened);
    if (unreal.length > 0) this.#fail(task, `it tells of what never happened: ${unreal}`);
    if (!task.wasAlone || task.hadFault || task.hadTimeout || isHeld) return;
    if (untold.length > 0) this.#fail(task, `it does not tell of ${untold}`);
    if (this.#scheduler.realMs - this.#scheduler.lastTroubleRealMs <= 2 * LEASE_MS) return;
    for (const payment of payments) {
      const text = overdue(payment, nowMs, day);
      if (text) this.#fail(task, `PAY-I3: it left a payment whose ${text}`);
    }
  }
}

/** Whether something was done after what was due later, though it waited when the sweep began. */
function isTooLate(
  { dueMs, kind, paymentUuid }: DoneWork,
  earlier: DoneWork | undefined,
  before: readonly SeenPayment[],
): boolean {
  if (earlier === undefined || dueMs >= earlier.dueMs) return false;
  const old = before.find((payment) => payment.paymentUuid === paymentUuid);
  // A request that was held up for long stamps with the time at which it came.
  return old !== undefined && (kind !== 'payment' || old.dueAtMs === dueMs);
}

/** What was due at `nowMs` and is still not begun; null when nothing is. */
function overdue(payment: SeenPayment, nowMs: number, day: BusinessDay): string | null {
  const { state, applyDeadlineMs, captureDeadlineMs, dueAtMs, events } = payment;
  // Work that failed is put off by so much.
  const isPutOff = dueAtMs !== null && dueAtMs > nowMs && dueAtMs <= nowMs + PROMPT_MS;
  const isPast = (ms: number | null) => ms !== null && ms <= nowMs && !isPutOff;
  // What was begun at a time that lies ahead since the clock went back is not due yet.
  if (state === 'PENDING') return isPast(events.at(-1)?.atMs ?? 0) ? 'caller is long gone' : null;
  if (state === 'AUTHORIZED' && isPast(applyDeadlineMs)) return 'apply deadline has passed';
  if (!['APPLIED', 'CAPTURE_SCHEDULED'].includes(state)) return null;
  if (isPast(captureDeadlineMs)) return 'capture deadline has passed';
  if (state === 'APPLIED') return null;
  const fulfilledMs = events.findLast(({ cause }) => cause === 'orderFulfilled')?.atMs ?? 0;
  const { toMs } = captureTimes(fulfilledMs, captureDeadlineMs ?? 0, day);
  return isPast(toMs) ? 'capture time has come' : null;
}

/** Nothing but the task itself can have had a part in what came of it. */
function isPredictable(task: Task): boolean {
  return task.wasAlone && !task.hadFault && !task.hadTimeout;
}

function isOneOf(error: unknown, task: Task, ...classes: string[]): boolean {
  return (
    (error instanceof ApiError && classes.includes(error.errorClass)) ||
    task.hadFault ||
    task.hadTimeout
  );
}

/** The events whose states the payment was in while the task ran: the one before it included. */
function eventsBetween(before: SeenPayment | null, now: SeenPayment): readonly SeenEvent[] {
  return now.events.slice(Math.max((before?.version ?? 1) - 1, 0));
}

/** A state that a payment was in while a task ran, and what the partner sees of it. */
interface Met {
  readonly state: string;
  readonly wire: string | null;
}

function metBetween(before: SeenPayment | null, now: SeenPayment, skipped = 0): Met[] {
  const first = before ? before.version - 1 + skipped : 0;
  return now.events.slice(first).map(({ to, version }) => {
    const earlier = now.events.slice(0, version - 1);
    return {
      state: to,
      wire: wireOf(
        to,
        earlier.some((event) => event.to === 'REVERSED'),
      ),
    };
  });
}

function namesOf(met: readonly Met[]): string {
  return met.map(({ state }) => state).join(', ');
}

function eventsAfter(before: SeenPayment | undefined, now: SeenPayment): readonly SeenEvent[] {
  return now.events.slice(before?.version ?? 0);
}

function minus(all: readonly string[], some: readonly string[]): string[] {
  const left = [...all];
  for (const one of some) {
    const index = left.indexOf(one);
    if (index >= 0) left.splice(index, 1);
  }
  // What `some` holds twice and `all` once is caught by the caller's other question.
  return left;
}

function wordsOf(end: TaskEnd): string {
  if (end.end === 'crashed') return 'crashed';
  if (end.end === 'error') {
    return end.error instanceof ApiError ? end.error.errorClass : 'failed';
  }
  const value = end.value as Partial<PaymentStatus & PaymentRow>;
  return value.paymentState ?? value.state ?? 'done';
}
