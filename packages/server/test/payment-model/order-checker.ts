import type { Order } from '@servery/contract';
import type { TestAnswer } from '../request.ts';
import type { Action } from './commands.ts';
import { count } from './counts.ts';
import type { SeenOrder, SeenPayment } from './history-store.ts';
import { shownOnOrder } from './model.ts';
import {
  type About,
  checkStatus,
  decide,
  followedMoves,
  guestStatus,
  isGivenUp,
  type ModelOrder,
  type OrderWorld,
  replay,
  soldOf,
  totalOf,
} from './order-model.ts';
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

/** A decision of staff, as it was sent. */
export interface DecisionFacts {
  readonly kind: 'decision';
  readonly action: Action & { readonly kind: 'staff' };
  readonly orderGuid: string;
  readonly about: About;
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
  /** What was asked about an order, by its GUID. */
  readonly #asked = new Map<string, Set<string>>();
  readonly #world: OrderWorld;
  #seen: readonly SeenOrder[] = [];
  #models = new Map<string, ModelOrder>();

  constructor(checker: StateChecker, scheduler: Scheduler, place: Omit<OrderWorld, 'wasAsked'>) {
    this.#checker = checker;
    this.#scheduler = scheduler;
    this.#world = { ...place, wasAsked: (guid, kind) => this.#wasAsked(guid, kind) };
  }

  #wasAsked(guid: string, kind: string): boolean {
    const { externalId } = this.#seen.find((order) => order.guid === guid) ?? {};
    if (kind === 'place') return this.#sent.has(externalId ?? '');
    return this.#asked.get(guid)?.has(kind) ?? false;
  }

  #ask(guid: string, kind: string): void {
    this.#asked.set(guid, new Set([...(this.#asked.get(guid) ?? []), kind]));
  }

  seen(externalId: string): SeenOrder | null {
    return this.#seen.find((order) => order.externalId === externalId) ?? null;
  }

  tells(paymentUuid: string, causes: readonly string[]): boolean {
    const order = this.#seen.find(({ payments }) =>
      payments.some((payment) => payment.paymentUuid === paymentUuid),
    );
    return order?.events.some(({ cause }) => causes.includes(cause)) ?? false;
  }

  /** PAY-I10: what is stored of each order, and so found, follows its history and its payments. */
  onSeen(orders: readonly SeenOrder[]): void {
    for (const { guid, version } of this.#seen) {
      const now = orders.find((order) => order.guid === guid);
      if (!now || now.version < version) this.#checker.fail(`order ${guid} went back`);
    }
    this.#seen = orders;
    this.#models = new Map(orders.map((order) => [order.guid, this.#judge(order)]));
  }

  #judge(order: SeenOrder): ModelOrder {
    const fail = (text: string) => this.#checker.fail(`order ${order.guid}: ${text}`);
    const model = replay(order, this.#world, fail);
    const same = (what: string, is: unknown, wanted: unknown) => {
      if (is !== wanted) fail(`${what} is ${is}, not ${wanted}`);
    };
    const status = checkStatus(order, model);
    const hasPaid = status !== 'OPEN' && order.payments.some((payment) => !isGivenUp(payment));
    same('the version', order.version, order.events.length);
    same('ORD-61: modifiedDate', order.modifiedAtMs, order.events.at(-1)?.atMs);
    same('ORD-56: the approval', order.approval, model.approval);
    same('ORD-59: voided', order.isVoided, model.isVoided);
    same('ORD-49: fulfilled', order.fulfilledAtMs !== null, model.isFulfilled);
    same('ORD-57 PAY-I10: the check', order.paymentStatus, status);
    same('ORD-57: paid', order.paidAtMs !== null, hasPaid);
    same('ORD-57: closed', order.closedAtMs !== null, status === 'CLOSED');
    same('ORD-58: the guest', order.guestStatus, guestStatus(model, status));
    same('ORD-41: the total', order.totalMinor, totalOf(model));
    for (const { guid, fulfillmentStatus, voidedAtMs } of order.selections) {
      same(`ORD-60: ${guid}`, fulfillmentStatus, model.selections.get(guid)?.status);
      same(`ORD-60: ${guid} voided`, voidedAtMs !== null, model.selections.get(guid)?.isVoided);
    }
    for (const payment of order.payments) {
      same(`ORD-62: ${payment.paymentUuid} voided`, payment.isVoided, isGivenUp(payment));
    }
    const [told, made] = followedMoves(order, this.#world.outside);
    same('PAY-I10: what it tells of its payments', told.join(', '), made.join(', '));
    return model;
  }

  /** What staff must be answered by the order as it was seen last. */
  expectDecision(action: DecisionFacts['action'], order: SeenOrder, about: About): number | null {
    const model = this.#models.get(order.guid);
    return model ? decide(action.move, order, model, about) : null;
  }

  onDecision({ action: { move }, orderGuid }: DecisionFacts): void {
    this.#ask(orderGuid, move);
    if (move === 'void' || move === 'reject') this.#mayBeVoided.add(orderGuid);
  }

  onDecided(task: Task, facts: DecisionFacts): void {
    const { move } = facts.action;
    const status = this.#statusOf(task, `staff ${move}`);
    if (status === null) return;
    const order = this.#seen.find(({ guid }) => guid === facts.orderGuid);
    const model = this.#models.get(facts.orderGuid);
    if (status === 200 && order && model && !hasEffect(facts, order, model)) {
      this.#fail(task, 'done, and nothing came of it');
    }
    const isDisturbed = task.hadFault || task.hadTimeout || task.lostCommits > 0;
    const wanted = task.wasAlone && !isDisturbed ? facts.expected : null;
    if (wanted !== null && wanted !== status) this.#fail(task, `answered ${status}, not ${wanted}`);
    if (status === 400 || status === 422) this.#fail(task, `refused with ${status}`);
  }

  /** Null if nothing can be made of it; unexplained failures are told. */
  #statusOf(task: Task, kind: string): number | null {
    const { end } = task;
    if (!end) return null;
    const status = end.end === 'value' ? (end.value as TestAnswer).status : end.end;
    count('answers', `${kind} ${status}`);
    this.#scheduler.note(`${task.process.name} ends ${task.name}: ${status}`);
    if (end.end === 'crashed') return null;
    const isDisturbed = task.hadFault || task.hadTimeout || task.lostCommits > 0;
    if (end.end === 'error') {
      const error = end.error as Error;
      if (!isDisturbed) this.#fail(task, `without any fault: ${error.stack ?? error}`);
      return null;
    }
    const answer = end.value as TestAnswer;
    if (answer.status < 500) return answer.status;
    if (!isDisturbed) this.#fail(task, `without any fault: ${answer.body.message}`);
    return null;
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
    if (target) this.#ask(target.guid, action.kind);
  }

  onAnswer(task: Task, facts: OrderingFacts): void {
    if (this.#statusOf(task, facts.action.kind) === null) return;
    const answer = (task.end as { readonly value: unknown }).value as TestAnswer;
    const isDisturbed = task.hadFault || task.hadTimeout || task.lostCommits > 0;
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
    const mayBeVoided = target !== null && this.#isPerhapsVoided(target.guid);
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

  #isPerhapsVoided(orderGuid: string): boolean {
    const isSeen = this.#seen.some(({ guid, isVoided }) => guid === orderGuid && isVoided);
    return isSeen || this.#mayBeVoided.has(orderGuid);
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
    if (target && this.#isPerhapsVoided(target.guid)) return null;
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

  /** Once nothing is left to do: what is stored, and what was sold. */
  onQuiet(sold: number): void {
    const fail = (text: string) => this.#checker.fail(text);
    const stored = Map.groupBy(this.#seen, ({ externalId }) => externalId);
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
    for (const { guid, isVoided } of this.#seen) {
      if (this.#voided.has(guid) && !isVoided) fail(`ORD-59: the void of ${guid} was lost`);
    }
    const kept = this.#models.values().reduce((sum, model) => sum + soldOf(model), 0);
    if (sold !== kept) fail(`ORD-51: ${sold} are gone, and ${kept} were sold`);
  }

  /** PAY-I10: what partners see of an order is what it is found by. */
  checkShown({ guid, guestOrderStatus, checks: [check] }: Order): void {
    const fail = (text: string) => this.#checker.fail(`PAY-I10: order ${guid} shows ${text}`);
    const order = this.#seen.find((one) => one.guid === guid);
    if (guestOrderStatus !== order?.guestStatus) fail(`${guestOrderStatus}`);
    if (check?.paymentStatus !== order?.paymentStatus) fail(`its check as ${check?.paymentStatus}`);
    if ((check?.closedDate === null) !== (order?.closedAtMs === null)) fail('when it was closed');
    if (check?.payments.length !== order?.payments.length) fail('other payments than it has');
    for (const { guid: uuid, type, paymentStatus, tipAmount, voidInfo } of check?.payments ?? []) {
      if (type !== 'CREDIT') continue;
      const payment = this.#checker.payment(uuid ?? '');
      const last = payment?.events.at(-1);
      if (!payment || !last) {
        fail(`the payment ${uuid}, which is not there`);
        continue;
      }
      const wanted = shownOnOrder(payment.state);
      if (paymentStatus !== wanted) fail(`${payment.state} as ${paymentStatus}`);
      const isVoided = paymentStatus === 'VOIDED' || paymentStatus === 'PROCESSING_VOID';
      if ((voidInfo !== null) !== isVoided) fail(`${paymentStatus} with its void`);
      const tipMinor = Math.round((tipAmount ?? 0) * 100);
      if (tipMinor !== tipAt(payment, last)) fail(`the tip ${tipMinor} of ${uuid}`);
    }
  }
}

/** Whether what staff were told was done is there. */
function hasEffect({ action, about }: DecisionFacts, order: SeenOrder, model: ModelOrder): boolean {
  const payment = order.payments.find(({ paymentUuid }) => paymentUuid === about.paymentUuid);
  const named = about.selectionGuids ?? [...model.selections.keys()];
  const isNow = (...statuses: string[]) =>
    order.selections.some(
      ({ guid, fulfillmentStatus }) => named.includes(guid) && statuses.includes(fulfillmentStatus),
    );
  switch (action.move) {
    case 'approve':
      return model.approval !== 'NEEDS_APPROVAL';
    case 'reject':
      return model.approval === 'NOT_APPROVED';
    case 'fire':
      return isNow('SENT', 'READY');
    case 'hold':
      return isNow('HOLD', 'SENT', 'READY');
    case 'ready':
      return isNow('READY');
    case 'fulfil':
      return model.isFulfilled;
    case 'void':
      return model.isVoided;
    case 'payments.add':
      return payment !== undefined;
    case 'payments.void':
      return payment !== undefined && (isGivenUp(payment) || payment.state === 'REVIEW');
    case 'selections.void':
      return named.every((guid) => model.selections.get(guid)?.isVoided);
  }
}
