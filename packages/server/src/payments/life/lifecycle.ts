/** `NEW` is where a payment starts; no row has it. */
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

export type WireState = 'AUTHORIZED' | 'ACKNOWLEDGED' | 'DENIED';

export interface Move {
  readonly from: PaymentState | 'NEW';
  readonly cause: string;
  readonly to: PaymentState;
}

/** The database enforces the same rows in `payment_transition`. */
export const moves = [
  { from: 'NEW', cause: 'submitted', to: 'PENDING' },
  { from: 'NEW', cause: 'riskRefused', to: 'DENIED' },
  { from: 'PENDING', cause: 'approved', to: 'AUTHORIZED' },
  { from: 'PENDING', cause: 'declined', to: 'DENIED' },
  { from: 'PENDING', cause: 'notProcessed', to: 'ABORTED' },
  // A timeout, a broken answer, or a process that died during the call.
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
  // The orders side wants the money before the close-out.
  { from: 'CAPTURE_SCHEDULED', cause: 'captureRequested', to: 'CAPTURE_PENDING' },
  { from: 'CAPTURE_PENDING', cause: 'captureAcknowledged', to: 'CAPTURED' },
  // The same key would get the same answer again, so a person decides.
  { from: 'CAPTURE_PENDING', cause: 'captureDeclined', to: 'REVIEW' },
  // Another amount was taken than requested.
  { from: 'CAPTURE_PENDING', cause: 'captureMismatch', to: 'REVIEW' },
  // Only when the processor never got the capture: the hold must not outlive its deadline.
  { from: 'CAPTURE_PENDING', cause: 'captureDeadlinePassed', to: 'VOID_PENDING' },
  { from: 'VOID_PENDING', cause: 'voidAcknowledged', to: 'VOIDED' },
  // Captured and voided exclude each other (PAY-I4), so a person decides.
  { from: 'VOID_PENDING', cause: 'foundCaptured', to: 'REVIEW' },
  { from: 'VOID_PENDING', cause: 'voidDeclined', to: 'REVIEW' },
  // The processor knew neither the hold nor its capture, which may still arrive.
  { from: 'VOID_PENDING', cause: 'holdNotFound', to: 'REVIEW' },
] as const satisfies readonly Move[];

export type Cause = (typeof moves)[number]['cause'];

/** PAY-I3. */
export const APPLY_WINDOW_MS = 5 * 60_000;

/** PAY-I3. */
export const CAPTURE_WINDOW_MS = 7 * 24 * 3_600_000;

/** Throws for a move that isn't in the table: that is a defect of the caller. */
export function nextState(from: PaymentState | 'NEW', cause: Cause): PaymentState {
  const move = moves.find((candidate) => candidate.from === from && candidate.cause === cause);
  if (!move) throw new Error(`no legal move leads out of ${from} because of ${cause}`);
  return move.to;
}

export type OrdersMove = 'apply' | 'fulfil' | 'void' | 'capture';

const ordersCauses: Readonly<Record<OrdersMove, Cause>> = {
  apply: 'appliedToCheck',
  fulfil: 'orderFulfilled',
  void: 'voidedOnPointOfSale',
  capture: 'captureRequested',
};

export function causeOf(move: OrdersMove): Cause {
  return ordersCauses[move];
}

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
 * Null for a state that no answer to the PUT shows: a repeat is 409 (PAY-7), or a new attempt after
 * ABORTED. A denied payment stays denied while its late approval is reversed (PAY-I6).
 */
export function wireState(payment: {
  readonly state: PaymentState;
  readonly denialReason: string | null;
}): WireState | null {
  const { state, denialReason } = payment;
  return state === 'REVERSAL_PENDING' && denialReason !== null ? 'DENIED' : wireStates[state];
}

const FOLLOW_UPS_MS = [60_000, 9 * 60_000, 50 * 60_000, 23 * 3_600_000];

/** Null when the attempt was asked about often enough. */
export function followUpDue(followUps: number, nowMs: number): Date | null {
  const delayMs = FOLLOW_UPS_MS[followUps];
  return delayMs === undefined ? null : new Date(nowMs + delayMs);
}
