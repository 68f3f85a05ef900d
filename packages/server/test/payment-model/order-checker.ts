import type { Order } from '@servery/contract';
import type { TestAnswer } from '../request.ts';
import type { Action } from './commands.ts';
import { count } from './counts.ts';
import type { SeenOrder, SeenPayment } from './history-store.ts';
import { shownCheck, shownOnOrder } from './model.ts';
import type { Scheduler, Task } from './scheduler.ts';
import { type StateChecker, tipAt } from './state-checker.ts';

type Ordering = Action & { readonly kind: 'place' | 'addPayment' | 'orderTip' | 'voidOrder' };

/** A request of the orders interface, as it was sent. */
export interface OrderingFacts {
  readonly kind: 'ordering';
  readonly action: Ordering;
  readonly clientId: string;
  readonly externalId: string | null;
  /** The order that it changes. */
  readonly target: KnownOrder | null;
  readonly paymentUuid: string | null;
  readonly amountMinor: number;
  readonly before: SeenPayment | null;
  readonly nowMs: number;
  /** The status that it must be answered if nothing disturbs; null if nobody can tell. */
  readonly expected: number | null;
}

/** An order whose placing was answered. */
export interface KnownOrder {
  readonly guid: string;
  readonly checkGuid: string;
  readonly clientId: string;
}

/** Holds the answers of the orders interface, and the orders at the end, to the model. */
export class OrderChecker {
  readonly #checker: StateChecker;
  readonly #scheduler: Scheduler;
  /** By identifier. */
  readonly #known = new Map<string, KnownOrder>();
  /** Identifiers that somebody sent an order with, whatever was answered. */
  readonly #sent = new Set<string>();
  /** The orders that were named as the first with an identifier. */
  readonly #named: { readonly externalId: string; readonly message: string }[] = [];
  readonly #voided = new Set<string>();
  readonly #mayBeVoided = new Set<string>();

  constructor(checker: StateChecker, scheduler: Scheduler) {
    this.#checker = checker;
    this.#scheduler = scheduler;
  }

  known(externalId: string): KnownOrder | null {
    return this.#known.get(externalId) ?? null;
  }

  /** The order that a payment is on. */
  ofPayment(payment: SeenPayment | null): KnownOrder | null {
    const orderGuid = payment?.onOrder?.orderGuid;
    return this.#known.values().find(({ guid }) => guid === orderGuid) ?? null;
  }

  /** A process is about to be asked. */
  onSent({ action, externalId, target }: Omit<OrderingFacts, 'expected'>): void {
    if (action.kind === 'place' && externalId !== null) this.#sent.add(externalId);
    if (action.kind === 'voidOrder' && target) this.#mayBeVoided.add(target.guid);
  }

  onAnswer(task: Task, facts: OrderingFacts): void {
    const { end } = task;
    if (!end) return;
    const { kind } = facts.action;
    const status = end.end === 'value' ? (end.value as TestAnswer).status : end.end;
    count('answers', `${kind} ${status}`);
    this.#scheduler.note(`${task.process.name} ends ${task.name}: ${status}`);
    if (end.end === 'crashed') return;
    const isDisturbed = task.hadFault || task.hadTimeout || task.lostCommits > 0;
    if (end.end === 'error') {
      const error = end.error as Error;
      if (!isDisturbed) this.#fail(task, `without any fault: ${error.stack ?? error}`);
      return;
    }
    const answer = end.value as TestAnswer;
    if (answer.status >= 500) {
      if (!isDisturbed) this.#fail(task, `without any fault: ${answer.body.message}`);
      return;
    }
    if (answer.status === 200) this.#checkDone(task, facts, answer.body);
    else if (!this.#mayBeRefused(facts, answer)) {
      this.#fail(task, `refused with ${answer.status}: ${answer.body.message}`);
    }
    const wanted = task.wasAlone && !isDisturbed ? facts.expected : null;
    if (wanted !== null && wanted !== answer.status) {
      this.#fail(task, `answered ${answer.status}, not ${wanted}: ${answer.body.message}`);
    }
  }

  #fail(task: Task, text: string): void {
    this.#checker.fail(`${task.name}: ${text}`);
  }

  #paymentOf({ paymentUuid }: OrderingFacts): SeenPayment | null {
    return paymentUuid === null ? null : this.#checker.payment(paymentUuid);
  }

  #checkDone(task: Task, facts: OrderingFacts, order: Order): void {
    const { action, externalId, clientId, target } = facts;
    const checkGuid = order.checks[0]?.guid ?? '';
    if (target && order.guid !== target.guid) this.#fail(task, 'it shows another order');
    if (action.kind === 'voidOrder') {
      if (!order.voided) this.#fail(task, 'ORD-59: it shows an order that is not voided');
      this.#voided.add(order.guid ?? '');
      return;
    }
    if (target && this.#voided.has(target.guid)) this.#fail(task, 'ORD-59: the order was voided');
    if (action.kind === 'place') {
      const first = this.#known.get(externalId ?? '');
      if (first) this.#fail(task, `ORD-52: ${externalId} names ${first.guid} already`);
      if (externalId !== null) {
        this.#known.set(externalId, { guid: order.guid ?? '', checkGuid, clientId });
      }
    }
    if (action.payment === null) return;
    this.#checkPaid(task, facts, { order, checkGuid });
  }

  /** PAY-I9, PAY-I10: it was free, in time and all of it was taken. */
  #checkPaid(
    task: Task,
    facts: OrderingFacts,
    { order, checkGuid }: { readonly order: Order; readonly checkGuid: string },
  ): void {
    const { action, before, amountMinor, clientId } = facts;
    const payment = this.#paymentOf(facts);
    if (!payment?.onOrder || payment.onOrder.orderGuid !== order.guid) {
      this.#fail(task, 'PAY-I10: done, and the payment is not on the order');
      return;
    }
    if (payment.checkGuid !== checkGuid) this.#fail(task, 'PAY-I10: it is on another check');
    const since = payment.events.slice(before?.version ?? 0);
    if (action.kind === 'orderTip') {
      const last = payment.events.slice((before?.version ?? 1) - 1);
      const isTold = last.some((event) => tipAt(payment, event) === action.tipMinor);
      if (!isTold) this.#fail(task, `done, and the tip never was ${action.tipMinor}`);
      return;
    }
    if (payment.clientId !== clientId) this.#fail(task, 'ORD-44: paid by another partner');
    if (payment.amountMinor !== amountMinor) this.#fail(task, `PAY-I9: paid ${amountMinor}`);
    const applied = since.find(({ cause }) => cause === 'appliedToCheck');
    if (!applied) this.#fail(task, 'PAY-I9: the payment was applied before');
    else if (applied.from !== 'AUTHORIZED') this.#fail(task, `PAY-I9: it was ${applied.from}`);
  }

  /** Whether some state that it may have met lets it be refused so. */
  #mayBeRefused(facts: OrderingFacts, { status, body }: TestAnswer): boolean {
    const { action, externalId, before, target } = facts;
    const { kind } = action;
    const payment = this.#paymentOf(facts);
    if (kind === 'place' && status === 409 && /externalId/.test(body.message)) {
      this.#named.push({ externalId: externalId ?? '', message: body.message });
      return true;
    }
    const mayBeVoided = target !== null && this.#mayBeVoided.has(target.guid);
    if (status === 409 && mayBeVoided) return true;
    if (kind === 'voidOrder') {
      // Somebody else's order, or one that is paid by card.
      return status === 400 || (status === 404 && target?.clientId !== facts.clientId);
    }
    if (status === 404) {
      return !before || before.clientId !== facts.clientId || target?.clientId !== facts.clientId;
    }
    if (!payment) return false;
    if (status === 400) return payment.amountMinor !== facts.amountMinor;
    const met = payment.events.slice(Math.max((before?.version ?? 1) - 1, 0));
    const free = kind === 'orderTip' ? ['APPLIED', 'CAPTURE_SCHEDULED'] : ['AUTHORIZED'];
    return met.some(({ to }) => !free.includes(to)) || this.#isExpired(facts, payment);
  }

  #isExpired({ nowMs }: Pick<OrderingFacts, 'nowMs'>, payment: SeenPayment): boolean {
    const { applyDeadlineMs, captureDeadlineMs, onOrder } = payment;
    const deadlineMs = onOrder ? captureDeadlineMs : applyDeadlineMs;
    const latestMs = Math.max(nowMs, this.#scheduler.time.stampPeakMs);
    return deadlineMs !== null && latestMs >= deadlineMs;
  }

  /** The status of a request that nothing disturbs; null if the model cannot tell. */
  predict(facts: Omit<OrderingFacts, 'expected'>): number | null {
    const { action, externalId, target, clientId, before } = facts;
    if (target && target.clientId !== clientId) return 404;
    if (target && this.#mayBeVoided.has(target.guid)) return null;
    if (action.kind === 'voidOrder') return null;
    if (action.kind === 'place') {
      if (this.#known.has(externalId ?? '')) return 409;
      if (this.#sent.has(externalId ?? '')) return null;
      if (action.payment === null) return 200;
    }
    if (!before || before.clientId !== clientId) return 404;
    const { applyDeadlineMs, captureDeadlineMs, onOrder } = before;
    const deadlineMs = (onOrder ? captureDeadlineMs : applyDeadlineMs) ?? Number.POSITIVE_INFINITY;
    const isFree = (...states: string[]) =>
      states.includes(before.state) && facts.nowMs < deadlineMs;
    if (action.kind === 'orderTip') return isFree('APPLIED', 'CAPTURE_SCHEDULED') ? 200 : null;
    if (before.amountMinor !== facts.amountMinor) return 400;
    return isFree('AUTHORIZED') ? 200 : 409;
  }

  /** Once nothing is left to do: what is stored, what partners are shown, and what was sold. */
  onQuiet(orders: readonly SeenOrder[], shown: readonly Order[], sold: number): void {
    const fail = (text: string) => this.#checker.fail(text);
    const stored = Map.groupBy(orders, ({ externalId }) => externalId);
    for (const [externalId, same] of stored) {
      if (same.length > 1) fail(`ORD-52: ${same.length} orders are ${externalId}`);
      if (!this.#sent.has(externalId)) fail(`nobody placed ${externalId}`);
    }
    for (const [externalId, { guid }] of this.#known) {
      if (stored.get(externalId)?.[0]?.guid !== guid) fail(`ORD-45: ${externalId} was lost`);
    }
    for (const { externalId, message } of this.#named) {
      const guid = stored.get(externalId)?.[0]?.guid ?? 'no order';
      if (!message.includes(guid)) fail(`ORD-52: ${externalId} is ${guid}, but: ${message}`);
    }
    for (const { guid, isVoided, version, events } of orders) {
      if (this.#voided.has(guid) && !isVoided) fail(`ORD-59: the void of ${guid} was lost`);
      if (isVoided && !this.#mayBeVoided.has(guid)) fail(`nobody voided ${guid}`);
      if (events !== version) fail(`order ${guid} is v${version} and has ${events} events`);
    }
    const kept = orders.filter(({ isVoided }) => !isVoided).length;
    if (sold !== kept) fail(`ORD-51: ${sold} are gone for ${kept} orders`);
    for (const order of shown) this.#checkShown(order);
  }

  /** PAY-I10: what partners see of an order follows its payments. */
  #checkShown({ guid, voided, checks }: Order): void {
    const fail = (text: string) => this.#checker.fail(`PAY-I10: order ${guid} ${text}`);
    const states: string[] = [];
    for (const { guid: uuid, paymentStatus, tipAmount } of checks.flatMap((one) => one.payments)) {
      const payment = this.#checker.payment(uuid ?? '');
      const last = payment?.events.at(-1);
      if (!payment || !last) {
        fail(`shows the payment ${uuid}, which is not there`);
        continue;
      }
      states.push(payment.state);
      const wanted = shownOnOrder(payment.state);
      if (paymentStatus !== wanted) fail(`shows ${payment.state} as ${paymentStatus}`);
      const tipMinor = Math.round((tipAmount ?? 0) * 100);
      if (tipMinor !== tipAt(payment, last)) fail(`shows the tip ${tipMinor} of ${uuid}`);
    }
    const wanted = voided ? 'OPEN' : shownCheck(states);
    const shown = checks[0]?.paymentStatus;
    if (shown !== wanted)
      fail(`shows its check as ${shown} with ${states.join(', ') || 'nothing'}`);
  }
}
