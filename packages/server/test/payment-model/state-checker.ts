import { isDeepStrictEqual } from 'node:util';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import type { PaymentPlan } from './commands.ts';
import { count } from './counts.ts';
import type { Delivery } from './faults.ts';
import type { SeenEvent, SeenPayment } from './history-store.ts';
import {
  APPLY_MS,
  type BusinessDay,
  CALL_MS,
  CAPTURE_MS,
  captureTimes,
  GIVE_UP_MS,
  IN_TIME_MS,
  LAST_GAP_MS,
  legalMoves,
  NOT_FOUND_MS,
  type Order,
  PROMPT_MS,
  RETRY_MS,
  restingStates,
  UNKNOWN_MS,
  waitingStates,
} from './model.ts';
import type { Hold, ModelProcessor } from './model-processor.ts';
import type { Port, Scheduler } from './scheduler.ts';

/** What the checker knows beside what it sees in the database. */
export interface Evidence {
  readonly scheduler: Scheduler;
  readonly modelProcessor: ModelProcessor;
  readonly day: BusinessDay;
  planOf(paymentUuid: string): PaymentPlan;
  /** Which orders were given to a payment so far. */
  ordersOf(paymentUuid: string): readonly { readonly order: Order; readonly content: string }[];
  /** Whether the history of the order that a payment is on has one of these causes. */
  orderTells(paymentUuid: string, ...causes: string[]): boolean;
  /** Whether a check is one of another orders system. */
  isOutside(checkGuid: string): boolean;
  /** When the first PUT of the payment was sent, in real time. */
  firstPutRealMs(paymentUuid: string): number | null;
}

/** Holds every change that the database shows, and every call, to the model. */
export class StateChecker {
  readonly violations: string[] = [];
  readonly #seen = new Map<string, SeenPayment>();
  readonly #deliveries = new Map<string, Delivery[]>();
  /** When each call was sent the last time, by its key, on the environment's clock. */
  readonly #sent = new Map<string, { readonly envMs: number; readonly travelledMs: number }>();
  readonly #evidence: Evidence;
  /** From this instant on nothing disturbs; null before. */
  quietSinceMs: number | null = null;

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
  }

  fail(text: string): void {
    this.violations.push(text);
    this.#evidence.scheduler.note(`VIOLATION ${text}`);
  }

  payment(paymentUuid: string): SeenPayment | null {
    return this.#seen.get(paymentUuid) ?? null;
  }

  paymentOfId(paymentId: string): SeenPayment | null {
    return [...this.#seen.values()].find((seen) => seen.paymentId === paymentId) ?? null;
  }

  /** What reached us of the calls with a key. */
  answers(port: Port, key: string): ProcessorAnswer[] {
    const deliveries = this.#deliveries.get(`${port} ${key}`) ?? [];
    return deliveries.flatMap(({ answer }) => answer ?? []);
  }

  onDelivery(delivery: Delivery): void {
    const name = `${delivery.port} ${delivery.key}`;
    this.#deliveries.set(name, [...(this.#deliveries.get(name) ?? []), delivery]);
  }

  get #time() {
    return this.#evidence.scheduler.time;
  }

  /** Compares what the database shows now with what it showed, and with the model. */
  onSeen(payments: readonly SeenPayment[]): void {
    for (const before of this.#seen.values()) {
      if (!payments.some(({ paymentUuid }) => paymentUuid === before.paymentUuid)) {
        this.fail(`PAY-I5: ${before.paymentUuid} has vanished`);
      }
    }
    for (const payment of payments) {
      const before = this.#seen.get(payment.paymentUuid);
      this.#seen.set(payment.paymentUuid, payment);
      this.#checkOnOrder(payment);
      if (before?.version === payment.version && before.state === payment.state) continue;
      this.#checkHistory(payment, before?.events ?? []);
      for (const event of payment.events.slice(before?.events.length ?? 0)) {
        count('causes', `${event.from} ${event.cause} ${event.to}`);
        const { scheduler } = this.#evidence;
        scheduler.note(`  event ${event.from} –${event.cause}→ ${event.to} at ${event.atMs}`);
        const fault = this.#unjustified(payment, event) ?? untold(payment, event);
        if (fault) {
          this.fail(`${event.from} –${event.cause}→ ${event.to} (v${event.version}): ${fault}`);
        }
      }
      this.#checkRow(payment);
    }
  }

  #checkHistory(payment: SeenPayment, known: readonly SeenEvent[]): void {
    const { events } = payment;
    if (!isDeepStrictEqual(events.slice(0, known.length), known))
      this.fail('PAY-I5: an event changed');
    let last: SeenEvent | null = null;
    for (const [index, event] of events.entries()) {
      const { from, cause, to, version, attempt, atMs } = event;
      if (version !== index + 1) this.fail(`PAY-I5: version ${version} stands at ${index + 1}`);
      if (from !== (last?.to ?? 'NEW')) this.fail(`PAY-I5: ${cause} begins in ${from}`);
      if (!legalMoves.has(`${from} ${cause} ${to}`)) this.fail(`PAY-I5: ${from} ${cause} ${to}`);
      const expected = cause === 'riskRefused' ? 0 : (last?.attempt ?? 1);
      const next = cause === 'submittedAgain' ? expected + 1 : expected;
      if (attempt !== next) this.fail(`PAY-I5: ${cause} has attempt ${attempt}, not ${next}`);
      if (last && atMs < last.atMs && !this.#time.mayStamp(last.atMs, atMs)) {
        this.fail(`PAY-I5: ${cause} at ${atMs} comes before ${last.cause}`);
      }
      last = event;
    }
    const earlyMs = (last?.atMs ?? 0) - this.#time.stampPeakMs;
    if (last && earlyMs > 0 && !isKnown(last, known)) {
      this.fail(`${last.cause} is stamped ${earlyMs} ms early`);
    }
    if (last?.to !== payment.state || events.length !== payment.version) {
      this.fail(
        `PAY-I5: the row is ${payment.state} v${payment.version}, its history says otherwise`,
      );
    }
  }

  /** PAY-I9, PAY-I10: what the order says of the payment, and the payment of its check. */
  #checkOnOrder({ paymentUuid, checkGuid, amountMinor, state, onOrder }: SeenPayment): void {
    const { isOutside } = this.#evidence;
    if (!onOrder) {
      const isThere = checkGuid !== null && !isOutside(checkGuid);
      if (isThere) this.fail(`PAY-I10: no order has ${paymentUuid}, which is on ${checkGuid}`);
      return;
    }
    if (onOrder.checkGuid !== checkGuid) {
      this.fail(`PAY-I10: an order has ${paymentUuid}, which is on ${checkGuid}`);
    }
    if (onOrder.amountMinor !== amountMinor) {
      this.fail(`PAY-I9: an order takes ${onOrder.amountMinor} of ${amountMinor}`);
    }
    if (onOrder.isOrderVoided && !['VOID_PENDING', 'VOIDED', 'REVIEW'].includes(state)) {
      this.fail(`PAY-I11: the order of ${paymentUuid} is voided, and it is ${state}`);
    }
  }

  /** The deadlines in the row, by the model's own arithmetic. */
  #checkRow(payment: SeenPayment): void {
    const authorized = payment.events.find(({ to }) => to === 'AUTHORIZED');
    if (!authorized) return;
    if (payment.applyDeadlineMs !== authorized.atMs + APPLY_MS) this.fail('the apply deadline');
    if (payment.captureDeadlineMs !== authorized.atMs + CAPTURE_MS)
      this.fail('the capture deadline');
    const hold = this.#evidence.modelProcessor.holds.get(authKey(payment, authorized.attempt));
    if (hold?.authorizationCode !== payment.authorizationCode) this.fail('the authorization code');
    this.#checkCaptureTime(payment);
    const last = payment.events.at(-1);
    const tipMinor = last ? tipAt(payment, last) : payment.tipMinor;
    if ((payment.changedTipMinor ?? payment.tipMinor) !== tipMinor) this.fail('the tip of the row');
    if (payment.state !== 'CAPTURED') return;
    if (payment.capturedMinor !== toCaptureOf(payment))
      this.fail(`PAY-I4: captured ${payment.capturedMinor}`);
  }

  #checkCaptureTime({ events, captureDeadlineMs, captureAtMs }: SeenPayment): void {
    const fulfilled = events.find(({ cause }) => cause === 'orderFulfilled');
    if (!fulfilled) return;
    const { fromMs, toMs } = this.#captureTimes(fulfilled, captureDeadlineMs ?? 0);
    if (captureAtMs === null || captureAtMs < fromMs || captureAtMs > toMs) {
      this.fail(`the capture is planned for ${captureAtMs}, not ${fromMs} to ${toMs}`);
    }
  }

  /** ORD-49: what a close-out finds applied is captured at once. */
  #captureTimes({ atMs, by }: SeenEvent, captureDeadlineMs: number) {
    if (by === 'system:clock') return { fromMs: atMs, toMs: atMs };
    return captureTimes(atMs, captureDeadlineMs, this.#evidence.day);
  }

  /** Why the event must not be there; null when it may. */
  #unjustified(payment: SeenPayment, event: SeenEvent): string | null {
    const { attempt, cause } = event;
    const key = authKey(payment, attempt);
    const orders = this.#evidence.ordersOf(payment.paymentUuid);
    const ordered = (order: Order) =>
      orders.some((one) => one.order === order) ? null : `nobody asked to ${order}`;
    const authorized = this.answers('authorize', key);
    const inquired = this.answers('inquire', key);
    const isSound = (answer: ProcessorAnswer) =>
      answer.outcome === 'approved' &&
      answer.amountMinor === sumOf(payment) &&
      answer.currencyCode === payment.currencyCode;
    const needs = (holds: boolean, what: string) => (holds ? null : what);
    switch (cause) {
      case 'submitted':
      case 'submittedAgain':
        return null;
      case 'riskRefused':
        return needs(
          this.#evidence.planOf(payment.paymentUuid).isRiskRefused,
          'there was no reason',
        );
      case 'approved':
        return needs(authorized.some(isSound), 'nobody approved it');
      case 'declined':
        return needs(
          authorized.some(({ outcome }) => outcome === 'declined'),
          'nobody declined it',
        );
      case 'notProcessed':
        // The processor said so, or it was never asked, and is not from now on (see onCall).
        return needs(
          authorized.some(({ outcome }) => outcome === 'notProcessed') ||
            !this.#deliveries.has(`authorize ${key}`),
          'it may have been processed',
        );
      case 'outcomeLost':
        return this.#outcomeLost(payment, event);
      case 'inquiryApproved':
      case 'inquiryApprovedLate':
      case 'inquiryDeclined':
      case 'inquiryNotFound':
      case 'inquiryGivenUp':
        return this.#inquired(payment, event, inquired, inquired.some(isSound));
      case 'lateApproval':
        return needs(
          inquired.some(({ outcome }) => outcome === 'approved'),
          'no inquiry told of it',
        );
      case 'appliedToCheck':
        return ordered('apply');
      case 'orderFulfilled':
        return this.#tells(payment, 'fulfilled', 'closedOut') ? null : ordered('fulfil');
      case 'voidedOnPointOfSale':
        return this.#tells(payment, 'paymentVoided', 'voided', 'rejected', 'expired')
          ? null
          : ordered('void');
      case 'voidedByPartner':
        return ordered('partnerVoid');
      case 'captureRequested':
        return ordered('capture');
      case 'tipChanged':
        return this.#tipChanged(payment, event);
      case 'applyDeadlinePassed':
      case 'captureDeadlinePassed':
      case 'captureTimeReached':
        return this.#deadline(payment, event);
      default:
        return this.#finished(payment, event);
    }
  }

  #tells({ paymentUuid }: SeenPayment, ...causes: string[]): boolean {
    return this.#evidence.orderTells(paymentUuid, ...causes);
  }

  #tipChanged(payment: SeenPayment, event: SeenEvent): string | null {
    const tipMinor = event.newTipMinor ?? -1;
    if (tipMinor < 0 || tipMinor > payment.tipMinor) return `PAY-I4: the tip is ${tipMinor}`;
    const before = payment.events.find(({ version }) => version === event.version - 1);
    if (before && tipAt(payment, before) === tipMinor) return 'PAY-17: the tip was that before';
    const isOrdered = this.#evidence
      .ordersOf(payment.paymentUuid)
      .some(({ order, content }) => order === 'tip' && Number(content) === tipMinor);
    return isOrdered ? null : `nobody asked for a tip of ${tipMinor}`;
  }

  #outcomeLost(payment: SeenPayment, { attempt }: SeenEvent): string | null {
    const key = authKey(payment, attempt);
    const deliveries = this.#deliveries.get(`authorize ${key}`) ?? [];
    const isUnsure = deliveries.some(({ answer }) => {
      if (!answer || answer.outcome === 'unknown') return true;
      const { outcome } = answer;
      return outcome === 'approved' && answer.amountMinor !== sumOf(payment)
        ? true
        : outcome === 'approved' && answer.currencyCode !== payment.currencyCode;
    });
    if (isUnsure) return null;
    const putMs = this.#evidence.firstPutRealMs(payment.paymentUuid) ?? 0;
    const waitedMs = this.#evidence.scheduler.realMs - putMs;
    return waitedMs >= CALL_MS ? null : `it was given up after ${waitedMs} ms`;
  }

  #inquired(
    payment: SeenPayment,
    event: SeenEvent,
    inquired: readonly ProcessorAnswer[],
    isSound: boolean,
  ): string | null {
    const began = begunAtMs(payment, event);
    const sinceMs = event.atMs - began;
    const told = (outcome: ProcessorAnswer['outcome']) =>
      inquired.some((answer) => answer.outcome === outcome);
    if (event.cause === 'inquiryApproved') {
      if (!isSound) return 'no inquiry told of a sound approval';
      return sinceMs <= IN_TIME_MS ? null : `it was learnt ${sinceMs} ms after the beginning`;
    }
    if (event.cause === 'inquiryApprovedLate') {
      if (!isSound) return 'no inquiry told of a sound approval';
      // Once the clock went back, it does not tell how long ago the attempt began.
      if (sinceMs < IN_TIME_MS && this.#time.wentBackPast(began)) return null;
      if (sinceMs < IN_TIME_MS) return `it was learnt in time, after ${sinceMs} ms`;
      return this.#tooSoon(began + IN_TIME_MS);
    }
    if (event.cause === 'inquiryDeclined') return told('declined') ? null : 'nobody declined it';
    if (event.cause === 'inquiryNotFound') {
      return told('notFound') ? this.#disbelieved(payment, event) : 'no inquiry said so';
    }
    if (told('approved') && !isSound) return null;
    const unknownAtMs = lastTo(payment, event, 'UNKNOWN')?.atMs ?? 0;
    // Nobody can tell anymore how long it is unknown.
    if (event.atMs < unknownAtMs && this.#time.wentBackPast(unknownAtMs)) return null;
    const unknownMs = event.atMs - unknownAtMs;
    if (unknownMs < GIVE_UP_MS) return `it was given up after ${unknownMs} ms`;
    return this.#tooSoon(unknownAtMs + GIVE_UP_MS);
  }

  /** Whether it was too soon to believe that an attempt was not found. */
  #disbelieved(payment: SeenPayment, event: SeenEvent): string | null {
    const beganMs = begunAtMs(payment, event);
    const unknownMs = lastTo(payment, event, 'UNKNOWN')?.atMs ?? 0;
    const fromMs = Math.max(beganMs + NOT_FOUND_MS, unknownMs + UNKNOWN_MS);
    if (event.atMs >= fromMs) return this.#tooSoon(fromMs);
    const sinceMs = event.atMs - beganMs;
    const text = `it was believed after ${sinceMs} ms, unknown for ${event.atMs - unknownMs} ms`;
    if (!this.#time.wentBackPast(unknownMs) && !this.#time.wentBackPast(beganMs)) return text;
    // The clock does not tell anymore how long ago it was; it was sent a while ago all the same.
    const sent = this.#sent.get(authKey(payment, event.attempt));
    const isOld = !sent || this.#time.travelledMs - sent.travelledMs >= UNKNOWN_MS;
    return isOld ? null : `${text}, since the clock went back`;
  }

  /** The environment's clock had not come to an instant, whatever a process took it for. */
  #tooSoon(fromMs: number): string | null {
    const earlyMs = fromMs - this.#time.peakMs;
    return earlyMs > 0 ? `PAY-I3: it acted ${earlyMs} ms early by the environment's clock` : null;
  }

  #deadline(payment: SeenPayment, event: SeenEvent): string | null {
    const authorizedMs = lastTo(payment, event, 'AUTHORIZED')?.atMs ?? Number.POSITIVE_INFINITY;
    let [fromMs, toMs] = [authorizedMs + CAPTURE_MS, authorizedMs + CAPTURE_MS];
    if (event.cause === 'applyDeadlinePassed') {
      [fromMs, toMs] = [authorizedMs + APPLY_MS, authorizedMs + APPLY_MS];
    }
    if (event.cause === 'captureTimeReached') {
      const fulfilled = lastTo(payment, event, 'CAPTURE_SCHEDULED');
      if (!fulfilled) return 'the order was not fulfilled';
      ({ fromMs, toMs } = this.#captureTimes(fulfilled, fromMs));
    }
    if (event.atMs < fromMs) return `PAY-I3: it acted ${fromMs - event.atMs} ms early`;
    const tooSoon = this.#tooSoon(fromMs);
    if (tooSoon) return tooSoon;
    if (event.from === 'CAPTURE_PENDING') return this.#uncaptured(payment, event);
    const isUndisturbed = this.quietSinceMs !== null && fromMs >= this.quietSinceMs;
    const lateMs = event.atMs - toMs;
    return isUndisturbed && lateMs > PROMPT_MS ? `PAY-I3: it acted ${lateMs} ms late` : null;
  }

  #uncaptured(payment: SeenPayment, event: SeenEvent): string | null {
    const key = `capture:${payment.paymentId}`;
    const answers = this.answers('inquire', key);
    if (!answers.some(({ outcome }) => outcome === 'notFound')) return 'no inquiry said not found';
    const sent = this.#sent.get(key);
    if (!sent) return null;
    const sinceMs = Math.max(event.atMs - sent.envMs, this.#time.travelledMs - sent.travelledMs);
    return sinceMs >= NOT_FOUND_MS ? null : `it was believed ${sinceMs} ms after it was sent`;
  }

  /** Whether the processor said what a capture, a void or a reversal ended with. */
  #finished(payment: SeenPayment, { cause, attempt }: SeenEvent): string | null {
    const captureKey = `capture:${payment.paymentId}`;
    const captured = [
      ...this.answers('capture', captureKey),
      ...this.answers('inquire', captureKey),
    ];
    const voided = this.answers('void', `void:${payment.paymentId}`);
    const reversed = this.answers('void', `reversal:${payment.paymentId}:${attempt}`);
    const says = (answers: readonly ProcessorAnswer[], ...outcomes: string[]) =>
      answers.some(({ outcome }) => outcomes.includes(outcome))
        ? null
        : 'the processor did not say';
    const isCaptured = voided.some(
      (answer) => answer.outcome === 'declined' && answer.responseCode === '21',
    );
    const isCaptureSent = payment.events.some(({ to }) => to === 'CAPTURE_PENDING');
    switch (cause) {
      case 'captureAcknowledged':
        return says(captured, 'approved');
      case 'captureDeclined':
        return says(captured, 'declined', 'notFound');
      case 'voidAcknowledged':
        return says(voided, 'approved', ...(isCaptureSent ? [] : ['notFound']));
      case 'voidDeclined':
        return isCaptured ? 'it was captured' : says(voided, 'declined');
      case 'holdNotFound':
        return isCaptureSent ? says(voided, 'notFound') : 'no capture was begun';
      case 'foundCaptured':
        return isCaptured ? null : 'the processor did not say so';
      case 'reversalAcknowledged':
        return this.#isDeclined(payment, attempt) ? null : says(reversed, 'approved', 'notFound');
      case 'reversalDeclined':
        return says(reversed, 'declined');
      default:
        return 'the model does not know this cause';
    }
  }

  /** The issuer declined the attempt: there is nothing to give up. */
  #isDeclined(payment: SeenPayment, attempt: number): boolean {
    return this.answers('inquire', authKey(payment, attempt)).some(
      ({ outcome }) => outcome === 'declined',
    );
  }

  /** What must be durable before the processor is called, which was decided at `envMs`. */
  onCall(port: Port, key: string, order: unknown, envMs: number): void {
    const [kind = '', paymentId = '', number = ''] = key.split(':');
    const payment = this.paymentOfId(paymentId);
    if (!payment) {
      this.fail(`${port} ${key}: no such payment is durable`);
      return;
    }
    const was = (state: string, attempt?: number) =>
      payment.events.some(
        (event) => event.to === state && (attempt === undefined || event.attempt === attempt),
      );
    const { amountMinor, authorizationKey } = order as Record<string, unknown>;
    if (port === 'inquire') return;
    const { travelledMs } = this.#time;
    this.#sent.set(key, { envMs, travelledMs });
    const attempt = Number(number);
    if (port === 'authorize') {
      if (kind !== 'auth' || !was('PENDING', attempt)) this.fail(`${key}: no intent is durable`);
      if (amountMinor !== sumOf(payment)) this.fail(`${key}: asks for ${amountMinor}`);
      const isOver = payment.events.some(
        (event) => event.attempt === attempt && event.cause === 'notProcessed',
      );
      if (isOver) this.fail(`${key}: asked after it was said that it was not processed`);
      return;
    }
    const held = payment.events.find(({ to, cause }) => to === 'AUTHORIZED' || /Late$/.test(cause));
    if (kind === 'reversal') {
      this.#onReversal(payment, attempt, held, authorizationKey);
      return;
    }
    if (!held || authorizationKey !== authKey(payment, held.attempt)) {
      this.fail(`${port} ${key}: ${authorizationKey} is not the hold of the payment`);
    }
    if (port === 'capture') {
      if (kind !== 'capture' || !was('CAPTURE_PENDING')) this.fail(`${key}: not durable`);
      if (amountMinor !== toCaptureOf(payment)) this.fail(`${key}: captures ${amountMinor}`);
      if (was('VOID_PENDING')) this.fail(`PAY-I4: ${key} after the payment was given up`);
    } else if (kind !== 'void' || !was('VOID_PENDING')) this.fail(`${key}: not durable`);
  }

  #onReversal(
    payment: SeenPayment,
    attempt: number,
    held: SeenEvent | undefined,
    authorizationKey: unknown,
  ): void {
    const key = `reversal of attempt ${attempt}`;
    if (authorizationKey !== authKey(payment, attempt)) this.fail(`${key}: ${authorizationKey}`);
    // Once a void of it was not found, what turns up is given up like any other.
    const isMissed = this.answers('void', `void:${payment.paymentId}`).some(
      ({ outcome }) => outcome === 'notFound',
    );
    const isGivenUp = isMissed && restingStates.includes(payment.state);
    if (held?.attempt === attempt && !isGivenUp) this.fail(`${key}: the payment lives by it`);
    const isPending = payment.events.some(
      (event) => event.to === 'REVERSAL_PENDING' && event.attempt === attempt,
    );
    const isStray = this.answers('inquire', authKey(payment, attempt)).some(
      ({ outcome }) => outcome === 'approved',
    );
    if (!isPending && !isStray) this.fail(`${key}: nothing durable asks for it`);
  }

  /** Nothing disturbs from now on: what waits for the processor does not wait for long. */
  onCalm(): void {
    for (const { state, paymentUuid, dueAtMs } of this.#seen.values()) {
      const waitsMs = (dueAtMs ?? Number.POSITIVE_INFINITY) - this.#time.nowMs;
      if (waitsMs > RETRY_MS && waitingStates.includes(state)) {
        this.fail(`PAY-I3: ${paymentUuid} stays ${state} for another ${waitsMs} ms`);
      }
    }
  }

  /** PAY-I1 to PAY-I8, once nothing is left to do. */
  onQuiet(): void {
    const { modelProcessor } = this.#evidence;
    for (const text of modelProcessor.breaches) this.fail(text);
    for (const payment of this.#seen.values()) {
      const { state, paymentId, paymentUuid } = payment;
      if (!restingStates.includes(state)) this.fail(`PAY-I3: ${paymentUuid} rests in ${state}`);
      const alarmed = payment.alarms.filter(({ kind }) => tellsOfHold(kind));
      const isAlarmed = (attempt: number) => alarmed.some((alarm) => alarm.attempt === attempt);
      if (state === 'REVIEW' && !isAlarmed(payment.attempt)) this.fail('REVIEW without an alarm');
      const holds = modelProcessor.holdsOf(paymentId);
      this.#checkCaptures(payment, holds, alarmed.length > 0);
      const held = holds.filter((hold) => hold.state === 'HELD');
      const staying = held.filter((hold) => this.#mayStay(payment, hold));
      if (held.length > 1 && staying.length === 0) this.fail(`PAY-I1: ${held.length} live holds`);
      for (const hold of held) {
        if (!staying.includes(hold) || !isAlarmed(Number(hold.key.split(':')[2]))) {
          this.fail(`PAY-I8: ${hold.key} is held there, ${state} here`);
        }
      }
    }
    for (const { paymentId, key } of modelProcessor.holds.values()) {
      if (!this.paymentOfId(paymentId)) this.fail(`PAY-I8: ${key} belongs to no payment`);
    }
  }

  /**
   * A hold may stay when the processor refuses to end it, or hides it for longer than it is asked
   * about; and then a person knows.
   */
  #mayStay(payment: SeenPayment, hold: Hold): boolean {
    const { modelProcessor, planOf } = this.#evidence;
    if (
      planOf(payment.paymentUuid).declinesVoid ||
      modelProcessor.missedForMs(hold) >= LAST_GAP_MS
    ) {
      return true;
    }
    return (
      payment.events.at(-1)?.to === 'REVIEW' &&
      payment.events.at(-1)?.cause !== 'holdNotFound' &&
      hold.key === authKey(payment, payment.attempt)
    );
  }

  /** What is found captured while it is still asked about is told as such. */
  #isToldOf({ paymentUuid, alarms }: SeenPayment, capture: Hold): boolean {
    const { modelProcessor, planOf } = this.#evidence;
    const afterMs = modelProcessor.capturedAfterMs(capture);
    const isAsked = Number.isFinite(afterMs) && afterMs < LAST_GAP_MS;
    if (!isAsked || (planOf(paymentUuid).hidesHoldMs ?? 0) > LAST_GAP_MS) return true;
    return alarms.some(({ kind }) => tellsOfHold(kind) && kind !== 'HOLD_MISSING');
  }

  #checkCaptures(payment: SeenPayment, holds: readonly Hold[], isAlarmed: boolean): void {
    const { state, capturedMinor } = payment;
    const captured = holds.filter((hold) => hold.state === 'CAPTURED');
    // What a person takes at the processor, past us, is told by alarms, and counts by itself.
    const ours = captured.filter(({ capturedBy }) => capturedBy !== 'by hand');
    if (ours.length > 1) this.fail(`PAY-I1: ${ours.length} captures`);
    const capture = ours[0] ?? captured[0];
    if (state === 'CAPTURED') {
      if (!capture || capture.capturedMinor !== capturedMinor)
        this.fail('PAY-I8: the captured amount');
      if (capture && capture.capturedMinor > capture.amountMinor) this.fail('PAY-I4: too much');
    } else if (capture && capture.capturedBy !== 'by hand') {
      if (state !== 'REVIEW') this.fail(`PAY-I8: captured there, ${state} here`);
    } else if (capture && (!isAlarmed || !this.#isToldOf(payment, capture))) {
      this.fail(`PAY-I8: captured by hand there, ${state} here, and no alarm`);
    }
  }
}

/** That work takes long, or that money was lost, is an alarm too, but tells nobody of a hold. */
function tellsOfHold(kind: string): boolean {
  return kind !== 'UNSETTLED' && kind !== 'CAPTURE_MISSED';
}

/** Which alarm ought to have come with the event, and did not; null when none is missing. */
function untold({ events, alarms, version, state }: SeenPayment, event: SeenEvent): string | null {
  const { to, from, cause, attempt } = event;
  if (to === 'REVIEW') {
    const isTold = alarms.some((alarm) => alarm.attempt === attempt && tellsOfHold(alarm.kind));
    return isTold ? null : 'no alarm came with it';
  }
  const isMissed = alarms.some(({ kind }) => kind === 'CAPTURE_MISSED');
  if (cause === 'captureDeadlinePassed' && from !== 'APPLIED') {
    return isMissed ? null : 'no alarm CAPTURE_MISSED came with it';
  }
  const mayBeMissed = events.some(
    (one) => one.cause === 'captureDeadlinePassed' && one.from !== 'APPLIED',
  );
  return isMissed && !mayBeMissed ? `CAPTURE_MISSED of ${state} v${version}` : null;
}

/** Whether an event was seen before. */
function isKnown({ version }: SeenEvent, known: readonly SeenEvent[]): boolean {
  return version <= known.length;
}

/** The key of an attempt, as the design words it. */
function authKey({ paymentId }: SeenPayment, attempt: number): string {
  return `auth:${paymentId}:${attempt}`;
}

function sumOf({ amountMinor, tipMinor }: SeenPayment): number {
  return amountMinor + tipMinor;
}

/** With the last tip. */
function toCaptureOf(payment: SeenPayment): number {
  const last = payment.events.at(-1);
  return payment.amountMinor + (last ? tipAt(payment, last) : payment.tipMinor);
}

/** The tip that a payment had after an event. */
export function tipAt({ events, tipMinor }: SeenPayment, { version }: SeenEvent): number {
  const changed = events.findLast((one) => one.version <= version && one.newTipMinor !== null);
  return changed?.newTipMinor ?? tipMinor;
}

/** The last event before `event` that led into a state. */
function lastTo({ events }: SeenPayment, event: SeenEvent, state: string): SeenEvent | undefined {
  return events.findLast(
    ({ version, from, to }) => version < event.version && to === state && from !== state,
  );
}

function begunAtMs(payment: SeenPayment, event: SeenEvent): number {
  return lastTo(payment, event, 'PENDING')?.atMs ?? 0;
}
