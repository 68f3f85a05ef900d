/** A state of a payment. `NEW` is where a payment comes from: no row has it. */
export type PaymentState =
  | 'PENDING'
  | 'AUTHORIZED'
  | 'DENIED'
  | 'ABORTED'
  | 'UNKNOWN'
  | 'REVERSAL_PENDING'
  | 'REVERSED'
  | 'APPLIED'
  | 'CAPTURE_SCHEDULED'
  | 'CAPTURE_PENDING'
  | 'CAPTURED'
  | 'VOID_PENDING'
  | 'VOIDED'
  | 'REVIEW';

/** What the partner sees (`paymentState`). */
export type WireState = 'AUTHORIZED' | 'ACKNOWLEDGED' | 'DENIED';

/** A legal change of state, and what causes it. */
export interface Move {
  readonly from: PaymentState | 'NEW';
  readonly cause: string;
  readonly to: PaymentState;
}

/**
 * Every legal move; whatever is not here is refused, here and by the database, which holds the
 * same rows in `payment_transition`. A state and a cause lead to one state.
 */
export const moves = [
  { from: 'NEW', cause: 'submitted', to: 'PENDING' },
  { from: 'NEW', cause: 'riskRefused', to: 'DENIED' },
  { from: 'PENDING', cause: 'approved', to: 'AUTHORIZED' },
  { from: 'PENDING', cause: 'declined', to: 'DENIED' },
  { from: 'PENDING', cause: 'notProcessed', to: 'ABORTED' },
  // A time-out, a broken answer, or a process that died with the call under way.
  { from: 'PENDING', cause: 'outcomeLost', to: 'UNKNOWN' },
  { from: 'ABORTED', cause: 'submittedAgain', to: 'PENDING' },
  { from: 'UNKNOWN', cause: 'inquiryApproved', to: 'AUTHORIZED' },
  { from: 'UNKNOWN', cause: 'inquiryApprovedLate', to: 'VOID_PENDING' },
  { from: 'UNKNOWN', cause: 'inquiryDeclined', to: 'DENIED' },
  { from: 'UNKNOWN', cause: 'inquiryNotFound', to: 'ABORTED' },
  { from: 'UNKNOWN', cause: 'inquiryGivenUp', to: 'REVERSAL_PENDING' },
  { from: 'REVERSAL_PENDING', cause: 'reversalAcknowledged', to: 'REVERSED' },
  { from: 'REVERSAL_PENDING', cause: 'reversalDeclined', to: 'REVIEW' },
  { from: 'REVERSED', cause: 'lateApproval', to: 'REVERSAL_PENDING' },
  { from: 'ABORTED', cause: 'lateApproval', to: 'REVERSAL_PENDING' },
  { from: 'AUTHORIZED', cause: 'appliedToCheck', to: 'APPLIED' },
  { from: 'AUTHORIZED', cause: 'applyDeadlinePassed', to: 'VOID_PENDING' },
  { from: 'AUTHORIZED', cause: 'voidedOnPointOfSale', to: 'VOID_PENDING' },
  { from: 'APPLIED', cause: 'voidedOnPointOfSale', to: 'VOID_PENDING' },
  { from: 'APPLIED', cause: 'orderFulfilled', to: 'CAPTURE_SCHEDULED' },
  { from: 'APPLIED', cause: 'captureDeadlinePassed', to: 'VOID_PENDING' },
  { from: 'CAPTURE_SCHEDULED', cause: 'captureDeadlinePassed', to: 'VOID_PENDING' },
  { from: 'CAPTURE_SCHEDULED', cause: 'captureTimeReached', to: 'CAPTURE_PENDING' },
  // The orders side wants the money now, before the close-out.
  { from: 'CAPTURE_SCHEDULED', cause: 'captureRequested', to: 'CAPTURE_PENDING' },
  { from: 'CAPTURE_PENDING', cause: 'captureAcknowledged', to: 'CAPTURED' },
  // Refused under a key that would give the same answer again: a person decides.
  { from: 'CAPTURE_PENDING', cause: 'captureDeclined', to: 'REVIEW' },
  // Money was taken, but another amount than was asked for.
  { from: 'CAPTURE_PENDING', cause: 'captureMismatch', to: 'REVIEW' },
  // Only when the processor never heard of the capture: the hold must not outlive its deadline.
  { from: 'CAPTURE_PENDING', cause: 'captureDeadlinePassed', to: 'VOID_PENDING' },
  { from: 'VOID_PENDING', cause: 'voidAcknowledged', to: 'VOIDED' },
  // The void met a capture: captured and voided exclude each other (PAY-I4), so a person decides.
  { from: 'VOID_PENDING', cause: 'foundCaptured', to: 'REVIEW' },
  { from: 'VOID_PENDING', cause: 'voidDeclined', to: 'REVIEW' },
  // The processor does not know the hold, and had not known its capture: that may still arrive.
  { from: 'VOID_PENDING', cause: 'holdNotFound', to: 'REVIEW' },
] as const satisfies readonly Move[];

/** Why a payment's state changes. */
export type Cause = (typeof moves)[number]['cause'];

/** Five minutes for the orders side to apply an authorization to a check (PAY-I3). */
export const APPLY_WINDOW_MS = 5 * 60_000;

/** Seven days to capture an authorization (PAY-I3). */
export const CAPTURE_WINDOW_MS = 7 * 24 * 3_600_000;

/**
 * The state that `cause` leads to. A move that is not in the table is a defect of the caller:
 * it throws, and nothing is written.
 */
export function nextState(from: PaymentState | 'NEW', cause: Cause): PaymentState {
  const move = moves.find((candidate) => candidate.from === from && candidate.cause === cause);
  if (!move) throw new Error(`no legal move leads out of ${from} because of ${cause}`);
  return move.to;
}

/** What the orders side may ask for. */
export type OrdersMove = 'apply' | 'fulfil' | 'void' | 'capture';

const ordersCauses: Readonly<Record<OrdersMove, Cause>> = {
  apply: 'appliedToCheck',
  fulfil: 'orderFulfilled',
  void: 'voidedOnPointOfSale',
  capture: 'captureRequested',
};

/** The cause that a move of the orders side has in the table. */
export function causeOf(move: OrdersMove): Cause {
  return ordersCauses[move];
}

/** What the orders side may do with a payment in that state. */
export function legalOrdersMoves(state: PaymentState): OrdersMove[] {
  const causes = moves.filter(({ from }) => from === state).map(({ cause }) => cause);
  const asked = Object.keys(ordersCauses) as OrdersMove[];
  return asked.filter((move) => causes.some((cause) => cause === ordersCauses[move]));
}

const wireStates: Readonly<Record<PaymentState, WireState | null>> = {
  PENDING: 'ACKNOWLEDGED',
  UNKNOWN: 'ACKNOWLEDGED',
  REVERSAL_PENDING: 'ACKNOWLEDGED',
  AUTHORIZED: 'AUTHORIZED',
  APPLIED: 'AUTHORIZED',
  DENIED: 'DENIED',
  REVERSED: 'DENIED',
  ABORTED: null,
  CAPTURE_SCHEDULED: null,
  CAPTURE_PENDING: null,
  CAPTURED: null,
  VOID_PENDING: null,
  VOIDED: null,
  REVIEW: null,
};

/**
 * `paymentState` on the wire, or null for a state that no answer to the PUT shows: there a repeat
 * is 409 (PAY-7), or, after ABORTED, a new attempt. What was denied stays so while a late approval of
 * it is reversed (PAY-I6).
 */
export function wireState(payment: {
  readonly state: PaymentState;
  readonly denialReason: string | null;
}): WireState | null {
  const { state, denialReason } = payment;
  return state === 'REVERSAL_PENDING' && denialReason !== null ? 'DENIED' : wireStates[state];
}

/** An attempt that was not found is asked about so long after the question before. */
const FOLLOW_UPS_MS = [60_000, 9 * 60_000, 50 * 60_000, 23 * 3_600_000];

/** When an attempt is asked about after `followUps` questions; null when it was asked enough. */
export function followUpDue(followUps: number, nowMs: number): Date | null {
  const delayMs = FOLLOW_UPS_MS[followUps];
  return delayMs === undefined ? null : new Date(nowMs + delayMs);
}
