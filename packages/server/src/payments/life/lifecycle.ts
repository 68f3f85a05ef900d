export type WireState = 'AUTHORIZED' | 'ACKNOWLEDGED' | 'DENIED';

/**
 * The database enforces the same rows in `payment_transition`. `NEW` is where a payment starts; no
 * row has it.
 */
export const moves = [
  { from: 'NEW', cause: 'submitted', to: 'PENDING' },
  { from: 'NEW', cause: 'riskRefused', to: 'DENIED' },
  { from: 'PENDING', cause: 'approved', to: 'AUTHORIZED' },
  { from: 'PENDING', cause: 'declined', to: 'DENIED' },
  { from: 'PENDING', cause: 'notProcessed', to: 'ABORTED' },
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
  { from: 'AUTHORIZED', cause: 'voidedByPartner', to: 'VOID_PENDING' },
  { from: 'APPLIED', cause: 'voidedOnPointOfSale', to: 'VOID_PENDING' },
  { from: 'APPLIED', cause: 'orderFulfilled', to: 'CAPTURE_SCHEDULED' },
  { from: 'APPLIED', cause: 'tipChanged', to: 'APPLIED' },
  { from: 'APPLIED', cause: 'captureDeadlinePassed', to: 'VOID_PENDING' },
  { from: 'CAPTURE_SCHEDULED', cause: 'tipChanged', to: 'CAPTURE_SCHEDULED' },
  { from: 'CAPTURE_SCHEDULED', cause: 'captureDeadlinePassed', to: 'VOID_PENDING' },
  { from: 'CAPTURE_SCHEDULED', cause: 'captureTimeReached', to: 'CAPTURE_PENDING' },
  { from: 'CAPTURE_SCHEDULED', cause: 'captureRequested', to: 'CAPTURE_PENDING' },
  { from: 'CAPTURE_PENDING', cause: 'captureAcknowledged', to: 'CAPTURED' },
  { from: 'CAPTURE_PENDING', cause: 'captureDeclined', to: 'REVIEW' },
  { from: 'CAPTURE_PENDING', cause: 'captureMismatch', to: 'REVIEW' },
  { from: 'CAPTURE_PENDING', cause: 'captureDeadlinePassed', to: 'VOID_PENDING' },
  { from: 'VOID_PENDING', cause: 'voidAcknowledged', to: 'VOIDED' },
  { from: 'VOID_PENDING', cause: 'foundCaptured', to: 'REVIEW' },
  { from: 'VOID_PENDING', cause: 'voidDeclined', to: 'REVIEW' },
  { from: 'VOID_PENDING', cause: 'holdNotFound', to: 'REVIEW' },
] as const;

type Move = (typeof moves)[number];

export type PaymentState = Move['to'];

export type Cause = Move['cause'];

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

export const ordersCauses = {
  apply: 'appliedToCheck',
  fulfil: 'orderFulfilled',
  void: 'voidedOnPointOfSale',
  capture: 'captureRequested',
  tip: 'tipChanged',
} as const satisfies Record<string, Cause>;

export type OrdersMove = keyof typeof ordersCauses;

export function legalOrdersMoves(state: PaymentState): OrdersMove[] {
  const asked = Object.keys(ordersCauses) as OrdersMove[];
  return asked.filter((asks) =>
    moves.some(({ from, cause }) => from === state && cause === ordersCauses[asks]),
  );
}

/** Only the processor ends these states: work on them is due at once. */
export const unsettledStates = [
  'PENDING',
  'UNKNOWN',
  'REVERSAL_PENDING',
  'CAPTURE_PENDING',
  'VOID_PENDING',
] as const satisfies readonly PaymentState[];

export function isUnsettled(state: PaymentState): boolean {
  return unsettledStates.some((unsettled) => unsettled === state);
}

interface Deadlines {
  readonly state: PaymentState;
  readonly applyDeadline: Date | null;
  readonly captureDeadline: Date | null;
  readonly captureAt: Date | null;
}

/** When a payment that waits for no processor moves by itself. */
export function deadlineOf(payment: Deadlines): Date | null {
  const { applyDeadline, captureDeadline, captureAt } = payment;
  switch (payment.state) {
    case 'AUTHORIZED':
      return applyDeadline;
    case 'APPLIED':
      return captureDeadline;
    case 'CAPTURE_SCHEDULED':
      return captureAt && captureDeadline && captureAt < captureDeadline
        ? captureAt
        : captureDeadline;
    default:
      return null;
  }
}

const wireStates: { readonly [State in PaymentState]?: WireState } = {
  PENDING: 'ACKNOWLEDGED',
  UNKNOWN: 'ACKNOWLEDGED',
  REVERSAL_PENDING: 'ACKNOWLEDGED',
  AUTHORIZED: 'AUTHORIZED',
  APPLIED: 'AUTHORIZED',
  DENIED: 'DENIED',
  REVERSED: 'DENIED',
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
  const isDenied = state === 'REVERSAL_PENDING' && denialReason !== null;
  return isDenied ? 'DENIED' : (wireStates[state] ?? null);
}

const FOLLOW_UPS_MS = [60_000, 9 * 60_000, 50 * 60_000, 23 * 3_600_000];

/** Null when the attempt was asked about often enough. */
export function followUpDue(followUps: number, nowMs: number): Date | null {
  const delayMs = FOLLOW_UPS_MS[followUps];
  return delayMs === undefined ? null : new Date(nowMs + delayMs);
}
