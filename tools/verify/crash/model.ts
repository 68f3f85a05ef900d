import type { PaymentState } from '../../../packages/server/src/payments/life/lifecycle.ts';
import type { Operation } from './history.ts';

/** One payment as the sequential model has it. */
export interface ModelPayment {
  readonly state: PaymentState | 'NEW';
  /** Changes of state so far. */
  readonly version: number;
  /** Who pays what: the argument of the PUT that made the payment. */
  readonly content: string;
  /** The check that it was applied to. */
  readonly check: string;
  readonly wasFulfilled: boolean;
  /** The argument of the last move that changed the tip; empty while the authorized one stands. */
  readonly tip: string;
  /** The least that the environment's clock showed when it was authorized. */
  readonly authorizedMs: number;
}

/** A payment of which nobody has heard. */
export const untouched: ModelPayment = {
  state: 'NEW',
  version: 0,
  content: '',
  check: '',
  wasFulfilled: false,
  tip: '',
  authorizedMs: 0,
};

/** A step that the platform takes by itself. */
export interface BackgroundStep {
  readonly to: PaymentState;
  /** How long after the authorization it may happen at the earliest, in milliseconds. */
  readonly afterMs: number;
}

const APPLY_WINDOW_MS = 5 * 60_000;
const CAPTURE_WINDOW_MS = 7 * 24 * 3_600_000;

/**
 * What may happen to a payment in each state without anybody asking. It is written down from the
 * design of payments and not taken from the product's own table, which it is to judge.
 */
const background: Readonly<Record<ModelPayment['state'], readonly BackgroundStep[]>> = {
  NEW: [],
  PENDING: atOnce('AUTHORIZED', 'DENIED', 'ABORTED', 'UNKNOWN'),
  UNKNOWN: atOnce('AUTHORIZED', 'DENIED', 'ABORTED', 'VOID_PENDING', 'REVERSAL_PENDING'),
  REVERSAL_PENDING: atOnce('REVERSED', 'REVIEW'),
  REVERSED: atOnce('REVERSAL_PENDING'),
  ABORTED: atOnce('REVERSAL_PENDING'),
  DENIED: [],
  AUTHORIZED: [{ to: 'VOID_PENDING', afterMs: APPLY_WINDOW_MS }],
  APPLIED: [{ to: 'VOID_PENDING', afterMs: CAPTURE_WINDOW_MS }],
  CAPTURE_SCHEDULED: [
    ...atOnce('CAPTURE_PENDING'),
    { to: 'VOID_PENDING', afterMs: CAPTURE_WINDOW_MS },
  ],
  CAPTURE_PENDING: [
    ...atOnce('CAPTURED', 'REVIEW'),
    { to: 'VOID_PENDING', afterMs: CAPTURE_WINDOW_MS },
  ],
  CAPTURED: [],
  VOID_PENDING: atOnce('VOIDED', 'REVIEW'),
  VOIDED: [],
  REVIEW: [],
};

function atOnce(...states: PaymentState[]): BackgroundStep[] {
  return states.map((to) => ({ to, afterMs: 0 }));
}

/** The close-out captures what is on orders that nobody fulfilled (ORD-49), whenever it comes. */
const atCloseOut = atOnce('CAPTURE_SCHEDULED');

/** The steps that the platform may take from there. */
export function backgroundSteps(payment: ModelPayment): readonly BackgroundStep[] {
  const steps = background[payment.state];
  return payment.state === 'APPLIED' && isOnOrder(payment) ? [...steps, ...atCloseOut] : steps;
}

/** Whether an order here has it: guests name their orders, outside checks have GUIDs. */
function isOnOrder({ check }: ModelPayment): boolean {
  return check.startsWith('place:');
}

/** The payment after a step into a state; `clockMs` is the least that the clock shows then. */
export function stepTo(payment: ModelPayment, state: PaymentState, clockMs: number): ModelPayment {
  const authorizedMs = state === 'AUTHORIZED' ? clockMs : payment.authorizedMs;
  return { ...payment, state, version: payment.version + 1, authorizedMs };
}

/** What a request does to a payment; null when it does nothing to it in its present state. */
export function effectOf(
  { kind, argument }: Pick<Operation, 'kind' | 'argument'>,
  payment: ModelPayment,
): ModelPayment | null {
  const { state } = payment;
  const next = (to: PaymentState) => stepTo(payment, to, 0);
  switch (kind) {
    case 'put':
      if (state === 'NEW') return { ...next('PENDING'), content: argument };
      return state === 'ABORTED' && payment.content === argument ? next('PENDING') : null;
    case 'apply':
    case 'place':
      return state === 'AUTHORIZED' ? { ...next('APPLIED'), check: argument } : null;
    case 'fulfil':
      // ORD-50: that of an order is fulfilled with its order.
      if (state !== 'APPLIED' || isOnOrder(payment)) return null;
      return { ...next('CAPTURE_SCHEDULED'), wasFulfilled: true };
    case 'fulfilPaidOrder':
      return state === 'APPLIED' ? next('CAPTURE_SCHEDULED') : null;
    case 'voidPaidOrder':
      return state === 'APPLIED' ? next('VOID_PENDING') : null;
    case 'void':
      return state === 'AUTHORIZED' || state === 'APPLIED' ? next('VOID_PENDING') : null;
    case 'capture':
      return state === 'CAPTURE_SCHEDULED' ? next('CAPTURE_PENDING') : null;
    case 'tip':
    case 'orderTip':
      if (state !== 'APPLIED' && state !== 'CAPTURE_SCHEDULED') return null;
      return payment.tip === argument ? null : { ...next(state), tip: argument };
    case 'read':
    case 'fireOrder':
    case 'placeUnpaid':
    case 'voidOrder':
      return null;
  }
}

const waiting: readonly string[] = ['PENDING', 'UNKNOWN', 'REVERSAL_PENDING'];
const givenUp: readonly string[] = ['VOID_PENDING', 'VOIDED', 'REVIEW'];
const captured: readonly string[] = ['CAPTURE_PENDING', 'CAPTURED', 'REVIEW'];
const shownAs: Readonly<Record<string, readonly string[]>> = {
  ACKNOWLEDGED: waiting,
  AUTHORIZED: ['AUTHORIZED', 'APPLIED'],
  // What was reversed is reversed again when it is approved late, and stays denied (PAY-I6).
  DENIED: ['DENIED', 'REVERSED', 'REVERSAL_PENDING'],
};
const shown = Object.values(shownAs).flat();

/**
 * Whether an answer is right for a payment that is so when it is answered. `mostMs` is the most
 * that the environment's clock can show then.
 */
export function explains(payment: ModelPayment, answer: Operation, mostMs: number): boolean {
  if (answer.status === 404) return payment.state === 'NEW';
  if (payment.state === 'NEW') return false;
  if (answer.status === 409) return refuses(payment, answer, mostMs);
  if (answer.kind === 'put') {
    const states = shownAs[answer.state ?? ''] ?? [];
    return payment.content === answer.argument && states.includes(payment.state);
  }
  // Orders do not tell the version of their payments.
  if (answer.kind === 'place') return payment.check === answer.argument;
  if (answer.kind === 'orderTip') return payment.tip === answer.argument;
  if (answer.kind === 'voidPaidOrder') return givenUp.includes(payment.state);
  // Its payment may have been given up before: then nothing is captured.
  if (answer.kind === 'fulfilPaidOrder') return payment.state !== 'APPLIED';
  if (answer.kind === 'fireOrder') return true;
  if (answer.state !== payment.state || answer.version !== payment.version) return false;
  switch (answer.kind) {
    case 'apply':
      return payment.check === answer.argument;
    case 'fulfil':
      return payment.wasFulfilled;
    case 'void':
      return givenUp.includes(payment.state);
    case 'capture':
      return captured.includes(payment.state);
    case 'tip':
      return payment.tip === answer.argument;
    case 'read':
    case 'placeUnpaid':
    case 'voidOrder':
      return true;
  }
}

/** Whether a 409 is right: what was asked for has no effect in that state, or comes too late. */
function refuses(payment: ModelPayment, answer: Operation, mostMs: number): boolean {
  if (answer.kind === 'read') return false;
  if (answer.kind === 'put') {
    if (payment.content !== answer.argument) return true;
    return payment.state !== 'ABORTED' && !shown.includes(payment.state);
  }
  const windowMs = payment.state === 'AUTHORIZED' ? APPLY_WINDOW_MS : CAPTURE_WINDOW_MS;
  const mayBeLate = mostMs >= payment.authorizedMs + windowMs;
  return effectOf(answer, payment) === null || mayBeLate;
}
