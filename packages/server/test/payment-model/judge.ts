import { isDeepStrictEqual } from 'node:util';
import type { ProcessorAnswer } from '../../src/payments/processor.ts';
import type { PaymentPlan } from './commands.ts';
import { count } from './counts.ts';
import type { FarEnd, Hold } from './far-end.ts';
import type { Delivery } from './faults.ts';
import type { SeenAlarm, SeenEvent, SeenPayment } from './history-store.ts';
import {
  APPLY_MS,
  type BusinessDay,
  CALL_MS,
  CAPTURE_MS,
  captureTimes,
  GIVE_UP_MS,
  IN_TIME_MS,
  legalMoves,
  NOT_FOUND_MS,
  type Order,
  PROMPT_MS,
  restingStates,
} from './model.ts';
import type { Port, Stage } from './stage.ts';

/** What the judge knows beside what it sees in the database. */
export interface Evidence {
  readonly stage: Stage;
  readonly farEnd: FarEnd;
  readonly day: BusinessDay;
  planOf(paymentUuid: string): PaymentPlan;
  /** Which orders were given to a payment so far. */
  ordersOf(paymentUuid: string): readonly { readonly order: Order; readonly content: string }[];
  /** When the first PUT of the payment was sent, in real time. */
  firstPutRealMs(paymentUuid: string): number | null;
}

/** Holds every change that the database shows, and every call, to the model. */
export class Judge {
  readonly violations: string[] = [];
  readonly #seen = new Map<string, SeenPayment>();
  readonly #deliveries = new Map<string, Delivery[]>();
  /** When each capture was sent the last time, by its key, on the environment's clock. */
  readonly #capturesSentMs = new Map<string, number>();
  readonly #evidence: Evidence;
  /** From this instant on nothing disturbs; null before. */
  quietSinceMs: number | null = null;

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
  }

  fail(text: string): void {
    this.violations.push(text);
    this.#evidence.stage.note(`VIOLATION ${text}`);
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

  /** Compares what the database shows now with what it showed, and with the model. */
  onSeen(payments: readonly SeenPayment[]): void {
    for (const before of this.#seen.values()) {
      if (!payments.some(({ paymentUuid }) => paymentUuid === before.paymentUuid)) {
        this.fail(`I5: ${before.paymentUuid} has vanished`);
      }
    }
    for (const payment of payments) {
      const before = this.#seen.get(payment.paymentUuid);
      if (before?.version === payment.version && before.state === payment.state) continue;
      this.#seen.set(payment.paymentUuid, payment);
      this.#checkHistory(payment, before?.events ?? []);
      for (const event of payment.events.slice(before?.events.length ?? 0)) {
        count('causes', `${event.from} ${event.cause} ${event.to}`);
        const { stage } = this.#evidence;
        stage.note(`  event ${event.from} –${event.cause}→ ${event.to} at ${event.atMs}`);
        const fault = this.#unjustified(payment, event);
        if (fault) {
          this.fail(`${event.from} –${event.cause}→ ${event.to} (v${event.version}): ${fault}`);
        }
      }
      this.#checkRow(payment);
    }
  }

  #checkHistory(payment: SeenPayment, known: readonly SeenEvent[]): void {
    const { events } = payment;
    if (!isDeepStrictEqual(events.slice(0, known.length), known)) this.fail('I5: an event changed');
    let last: SeenEvent | null = null;
    for (const [index, event] of events.entries()) {
      const { from, cause, to, version, attempt, atMs } = event;
      if (version !== index + 1) this.fail(`I5: version ${version} stands at ${index + 1}`);
      if (from !== (last?.to ?? 'NEW')) this.fail(`I5: ${cause} begins in ${from}`);
      if (!legalMoves.has(`${from} ${cause} ${to}`)) this.fail(`I5: ${from} ${cause} ${to}`);
      const expected = cause === 'riskRefused' ? 0 : (last?.attempt ?? 1);
      const next = cause === 'submittedAgain' ? expected + 1 : expected;
      if (attempt !== next) this.fail(`I5: ${cause} has attempt ${attempt}, not ${next}`);
      if (last && atMs < last.atMs) this.fail(`I5: ${cause} at ${atMs} comes before ${last.cause}`);
      last = event;
    }
    const { envMs } = this.#evidence.stage;
    if (last && last.atMs > envMs)
      this.fail(`${last.cause} is stamped ${last.atMs - envMs} ms early`);
    if (last?.to !== payment.state || events.length !== payment.version) {
      this.fail(`I5: the row is ${payment.state} v${payment.version}, its history says otherwise`);
    }
  }

  /** The deadlines in the row, by the model's own arithmetic. */
  #checkRow(payment: SeenPayment): void {
    const authorized = payment.events.find(({ to }) => to === 'AUTHORIZED');
    if (!authorized) return;
    if (payment.applyDeadlineMs !== authorized.atMs + APPLY_MS) this.fail('the apply deadline');
    if (payment.captureDeadlineMs !== authorized.atMs + CAPTURE_MS)
      this.fail('the capture deadline');
    const hold = this.#evidence.farEnd.holds.get(authKey(payment, authorized.attempt));
    if (hold?.authorizationCode !== payment.authorizationCode) this.fail('the authorization code');
    if (payment.state !== 'CAPTURED') return;
    if (payment.capturedMinor !== sumOf(payment))
      this.fail(`I4: captured ${payment.capturedMinor}`);
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
        return ordered('fulfil');
      case 'voidedOnPointOfSale':
        return ordered('void');
      case 'captureRequested':
        return ordered('capture');
      case 'applyDeadlinePassed':
      case 'captureDeadlinePassed':
      case 'captureTimeReached':
        return this.#deadline(payment, event);
      default:
        return this.#finished(payment, event);
    }
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
    const waitedMs = this.#evidence.stage.realMs - putMs;
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
      return sinceMs >= IN_TIME_MS ? null : `it was learnt in time, after ${sinceMs} ms`;
    }
    if (event.cause === 'inquiryDeclined') return told('declined') ? null : 'nobody declined it';
    if (event.cause === 'inquiryNotFound') {
      if (!told('notFound')) return 'no inquiry said so';
      return sinceMs >= NOT_FOUND_MS ? null : `it was believed after ${sinceMs} ms`;
    }
    if (told('approved') && !isSound) return null;
    const unknownMs = event.atMs - (lastTo(payment, event, 'UNKNOWN')?.atMs ?? 0);
    return unknownMs >= GIVE_UP_MS ? null : `it was given up after ${unknownMs} ms`;
  }

  #deadline(payment: SeenPayment, event: SeenEvent): string | null {
    const authorizedMs = lastTo(payment, event, 'AUTHORIZED')?.atMs ?? Number.POSITIVE_INFINITY;
    let [fromMs, toMs] = [authorizedMs + CAPTURE_MS, authorizedMs + CAPTURE_MS];
    if (event.cause === 'applyDeadlinePassed') {
      [fromMs, toMs] = [authorizedMs + APPLY_MS, authorizedMs + APPLY_MS];
    }
    if (event.cause === 'captureTimeReached') {
      const fulfilledMs = lastTo(payment, event, 'CAPTURE_SCHEDULED')?.atMs ?? 0;
      ({ fromMs, toMs } = captureTimes(fulfilledMs, fromMs, this.#evidence.day));
    }
    if (event.atMs < fromMs) return `I3: it acted ${fromMs - event.atMs} ms early`;
    if (event.from === 'CAPTURE_PENDING') return this.#uncaptured(payment, event);
    const isUndisturbed = this.quietSinceMs !== null && fromMs >= this.quietSinceMs;
    const lateMs = event.atMs - toMs;
    return isUndisturbed && lateMs > PROMPT_MS ? `I3: it acted ${lateMs} ms late` : null;
  }

  #uncaptured(payment: SeenPayment, event: SeenEvent): string | null {
    const key = `capture:${payment.paymentId}`;
    const answers = this.answers('inquire', key);
    if (!answers.some(({ outcome }) => outcome === 'notFound')) return 'no inquiry said not found';
    const sinceMs = event.atMs - (this.#capturesSentMs.get(key) ?? 0);
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

  /** What must be durable before the processor is called. */
  onCall(port: Port, key: string, order: unknown): void {
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
      this.#capturesSentMs.set(key, this.#evidence.stage.envMs);
      if (kind !== 'capture' || !was('CAPTURE_PENDING')) this.fail(`${key}: not durable`);
      if (amountMinor !== sumOf(payment)) this.fail(`${key}: captures ${amountMinor}`);
      if (was('VOID_PENDING')) this.fail(`I4: ${key} after the payment was given up`);
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
    if (held?.attempt === attempt) this.fail(`${key}: the payment lives by it`);
    const isPending = payment.events.some(
      (event) => event.to === 'REVERSAL_PENDING' && event.attempt === attempt,
    );
    const isStray = this.answers('inquire', authKey(payment, attempt)).some(
      ({ outcome }) => outcome === 'approved',
    );
    if (!isPending && !isStray) this.fail(`${key}: nothing durable asks for it`);
  }

  /** I1 to I8, once nothing is left to do. */
  onQuiet(alarms: readonly SeenAlarm[]): void {
    const { farEnd } = this.#evidence;
    for (const text of farEnd.breaches) this.fail(text);
    for (const payment of this.#seen.values()) {
      const { state, paymentId, paymentUuid } = payment;
      if (!restingStates.includes(state)) this.fail(`I3: ${paymentUuid} rests in ${state}`);
      // That work takes long is an alarm too, but tells nobody of a hold.
      const alarmed = alarms.filter(
        (alarm) => alarm.paymentUuid === paymentUuid && alarm.kind !== 'UNSETTLED',
      );
      const isAlarmed = (attempt: number) => alarmed.some((alarm) => alarm.attempt === attempt);
      if (state === 'REVIEW' && !isAlarmed(payment.attempt)) this.fail('REVIEW without an alarm');
      const holds = farEnd.holdsOf(paymentId);
      this.#checkCaptures(payment, holds, alarmed.length > 0);
      // A hold may stay only when the processor refuses to end it, and then a person knows.
      const { declinesVoid, hidesHold } = this.#evidence.planOf(paymentUuid);
      const mayStay = state === 'REVIEW' || declinesVoid || hidesHold;
      const held = holds.filter((hold) => hold.state === 'HELD');
      if (held.length > 1 && !mayStay) this.fail(`I1: ${held.length} live holds`);
      for (const { key } of held) {
        if (!mayStay || !isAlarmed(Number(key.split(':')[2]))) {
          this.fail(`I8: ${key} is held there, ${state} here`);
        }
      }
    }
    for (const { paymentId, key } of farEnd.holds.values()) {
      if (!this.paymentOfId(paymentId)) this.fail(`I8: ${key} belongs to no payment`);
    }
  }

  #checkCaptures(payment: SeenPayment, holds: readonly Hold[], isAlarmed: boolean): void {
    const { state, capturedMinor } = payment;
    const captured = holds.filter((hold) => hold.state === 'CAPTURED');
    if (captured.length > 1) this.fail(`I1: ${captured.length} captures`);
    const [capture] = captured;
    if (state === 'CAPTURED') {
      if (!capture || capture.capturedMinor !== capturedMinor) this.fail('I8: the captured amount');
      if (capture && capture.capturedMinor > capture.amountMinor) this.fail('I4: too much');
    } else if (capture && capture.capturedBy !== 'by hand') {
      if (state !== 'REVIEW') this.fail(`I8: captured there, ${state} here`);
    } else if (capture && !isAlarmed) {
      this.fail(`I8: captured by hand there, ${state} here, and no alarm`);
    }
  }
}

/** The key of an attempt, as the design words it. */
function authKey({ paymentId }: SeenPayment, attempt: number): string {
  return `auth:${paymentId}:${attempt}`;
}

function sumOf({ amountMinor, tipMinor }: SeenPayment): number {
  return amountMinor + tipMinor;
}

/** The last event before `event` that led to a state. */
function lastTo({ events }: SeenPayment, event: SeenEvent, state: string): SeenEvent | undefined {
  return events.filter(({ version, to }) => version < event.version && to === state).at(-1);
}

function begunAtMs(payment: SeenPayment, event: SeenEvent): number {
  return lastTo(payment, event, 'PENDING')?.atMs ?? 0;
}
