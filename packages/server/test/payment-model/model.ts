/**
 * The life of a payment as design/payments.md and decisions §3 (PAY-7, PAY-8) tell it, with the moves of
 * docs/decisions/0015 to 0017. It takes nothing from the program, because it checks the program.
 */
import type { Decision } from './model-processor.ts';

/** Every legal move: from, cause, to. */
const MOVES = `
NEW submitted PENDING
NEW riskRefused DENIED
PENDING approved AUTHORIZED
PENDING declined DENIED
PENDING notProcessed ABORTED
PENDING outcomeLost UNKNOWN
ABORTED submittedAgain PENDING
UNKNOWN inquiryApproved AUTHORIZED
UNKNOWN inquiryApprovedLate VOID_PENDING
UNKNOWN inquiryDeclined DENIED
UNKNOWN inquiryNotFound ABORTED
UNKNOWN inquiryGivenUp REVERSAL_PENDING
REVERSAL_PENDING reversalAcknowledged REVERSED
REVERSAL_PENDING reversalDeclined REVIEW
REVERSED lateApproval REVERSAL_PENDING
ABORTED lateApproval REVERSAL_PENDING
AUTHORIZED appliedToCheck APPLIED
AUTHORIZED applyDeadlinePassed VOID_PENDING
AUTHORIZED voidedOnPointOfSale VOID_PENDING
AUTHORIZED voidedByPartner VOID_PENDING
APPLIED voidedOnPointOfSale VOID_PENDING
APPLIED orderFulfilled CAPTURE_SCHEDULED
APPLIED tipChanged APPLIED
APPLIED captureDeadlinePassed VOID_PENDING
CAPTURE_SCHEDULED tipChanged CAPTURE_SCHEDULED
CAPTURE_SCHEDULED captureDeadlinePassed VOID_PENDING
CAPTURE_SCHEDULED captureTimeReached CAPTURE_PENDING
CAPTURE_SCHEDULED captureRequested CAPTURE_PENDING
CAPTURE_PENDING captureAcknowledged CAPTURED
CAPTURE_PENDING captureDeclined REVIEW
CAPTURE_PENDING captureDeadlinePassed VOID_PENDING
VOID_PENDING voidAcknowledged VOIDED
VOID_PENDING voidDeclined REVIEW
VOID_PENDING foundCaptured REVIEW
VOID_PENDING holdNotFound REVIEW
`;

/** The legal moves, each as `FROM cause TO`. */
export const legalMoves: ReadonlySet<string> = new Set(MOVES.trim().split('\n'));

/**
 * What the partner sees of a payment in a state; null is a 409, and for ABORTED another attempt.
 * A payment that was shown as denied once stays so, whatever is cleared up behind it (PAY-I6).
 */
export function wireOf(state: string, wasReversed: boolean): string | null {
  if (['PENDING', 'UNKNOWN'].includes(state)) return 'ACKNOWLEDGED';
  if (state === 'REVERSAL_PENDING') return wasReversed ? 'DENIED' : 'ACKNOWLEDGED';
  if (['AUTHORIZED', 'APPLIED'].includes(state)) return 'AUTHORIZED';
  return ['DENIED', 'REVERSED'].includes(state) ? 'DENIED' : null;
}

/** States in which a payment may be when nothing is left to do. */
export const restingStates: readonly string[] = [
  ...['DENIED', 'ABORTED', 'REVERSED', 'CAPTURED', 'VOIDED', 'REVIEW'],
];

/** States in which a payment waits for the processor, and for no deadline of its own. */
export const waitingStates: readonly string[] = [
  ...['PENDING', 'UNKNOWN', 'REVERSAL_PENDING', 'VOID_PENDING', 'CAPTURE_PENDING'],
];

/** Five minutes to apply. */
export const APPLY_MS = 5 * 60_000;
/** Seven days to capture. */
export const CAPTURE_MS = 7 * 24 * 3_600_000;
/** Nobody believes that a call is not known before so long after it began. */
export const NOT_FOUND_MS = 20_000;
/** Nor so soon after it became unknown. */
export const UNKNOWN_MS = 5_000;
/** Between the last two questions after what was not found lies so much time. */
export const LAST_GAP_MS = 23 * 3_600_000;
/** What waits for the processor is tried again after this at the latest. */
export const RETRY_MS = 5 * 60_000;
/** So long it is tried to learn an outcome. */
export const GIVE_UP_MS = 60_000;
/** An approval that is learnt later than this after the attempt began is too late. */
export const IN_TIME_MS = 5 * 60_000;
/** The processor has so long to answer, in real time. */
export const CALL_MS = 15_000;
/** Whoever holds a lease is taken for dead after this much real time. */
export const LEASE_MS = 30_000;
/** A running process acts so soon after something is due. */
export const PROMPT_MS = 1_000;

/** What the orders side can ask, and what a partner can: `partnerVoid`. */
export type Order = 'apply' | 'fulfil' | 'void' | 'capture' | 'tip' | 'partnerVoid';

/** What a legal order leads to; what the processor says at once may lead further. */
const ORDERS: Readonly<Record<Order, { from: readonly string[]; to: readonly string[] }>> = {
  apply: { from: ['AUTHORIZED'], to: ['APPLIED'] },
  fulfil: { from: ['APPLIED'], to: ['CAPTURE_SCHEDULED'] },
  void: { from: ['AUTHORIZED', 'APPLIED'], to: ['VOID_PENDING', 'VOIDED', 'REVIEW'] },
  partnerVoid: { from: ['AUTHORIZED'], to: ['VOID_PENDING', 'VOIDED', 'REVIEW'] },
  capture: { from: ['CAPTURE_SCHEDULED'], to: ['CAPTURE_PENDING', 'CAPTURED', 'REVIEW'] },
  tip: { from: ['APPLIED', 'CAPTURE_SCHEDULED'], to: [] },
};

const AFTER_APPLY = ['APPLIED', 'CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'CAPTURED'];
const AFTER_VOID = ['VOID_PENDING', 'VOIDED', 'REVIEW'];

/** A payment as an order meets it. */
export interface Met {
  readonly state: string;
  /** An earlier order of the same kind and content was carried out on this payment. */
  readonly isRepeat: boolean;
  /** The deadline of its state has passed, but nobody has acted yet. */
  readonly isExpired: boolean;
}

/** What an order may be answered: done (by it or before), or refused; and whether it may move. */
export interface OrderVerdict {
  readonly mayBeDone: boolean;
  readonly mayBeRefused: boolean;
  /** States that the payment may be in right after it; null when it must stay as it is. */
  readonly leadsTo: readonly string[] | null;
}

/** Judges an order on a payment in one state. */
export function checkOrder(order: Order, { state, isRepeat, isExpired }: Met): OrderVerdict {
  const { from, to } = ORDERS[order];
  if (from.includes(state)) {
    // A tip leaves a payment in its state.
    const leadsTo = order === 'tip' ? [state] : to;
    return { mayBeDone: true, mayBeRefused: isExpired, leadsTo };
  }
  if (!isRepeat) return { mayBeDone: false, mayBeRefused: true, leadsTo: null };
  // A repeat is harmless: straight after the first it is answered like it, and in later states it
  // changes nothing, whatever it is answered.
  const isStraightAfter = {
    apply: state === 'APPLIED',
    fulfil: ['CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'CAPTURED'].includes(state),
    void: ['VOID_PENDING', 'VOIDED'].includes(state),
    partnerVoid: ['VOID_PENDING', 'VOIDED'].includes(state),
    capture: ['CAPTURE_PENDING', 'CAPTURED'].includes(state),
    tip: ['CAPTURE_PENDING', 'CAPTURED'].includes(state),
  }[order];
  return { mayBeDone: true, mayBeRefused: !isStraightAfter, leadsTo: null };
}

/** States in which an order that was done, now or before, can leave a payment. */
export function statesAfter(order: Order): readonly string[] {
  if (order === 'tip') return AFTER_APPLY;
  if (order === 'apply') return [...AFTER_APPLY, ...AFTER_VOID];
  if (order === 'void' || order === 'partnerVoid') return AFTER_VOID;
  return [...AFTER_APPLY.slice(1), ...AFTER_VOID];
}

/** What PUTs of a run authorize beside the amount. */
export const TIP_MINOR = 200;

/** What the orders of a run are for. */
export const SOUP_MINOR = 800;

/** ORD-48: how an order here shows a payment. */
export function shownOnOrder(state: string): string | undefined {
  const shown: Readonly<Record<string, string>> = {
    APPLIED: 'AUTHORIZED',
    CAPTURE_SCHEDULED: 'AUTHORIZED',
    CAPTURE_PENDING: 'CAPTURE_IN_PROGRESS',
    CAPTURED: 'CAPTURED',
    VOID_PENDING: 'PROCESSING_VOID',
    VOIDED: 'VOIDED',
    REVIEW: 'ERROR',
  };
  return shown[state];
}

/** The orders of the orders side that are legal in a state. */
export function legalOrders(state: string): Order[] {
  return (Object.keys(ORDERS) as Order[]).filter(
    (order) => order !== 'partnerVoid' && ORDERS[order].from.includes(state),
  );
}

/** What the partner is shown as the answer of its PUT, of a payment that went through these states. */
export function answerShown(states: readonly string[]): { status: number; wire: string | null } {
  for (let index = states.length - 1; index >= 0; index -= 1) {
    const state = states[index] ?? '';
    if (state === 'ABORTED') return { status: 500, wire: null };
    const wire = wireOf(state, states.slice(0, index).includes('REVERSED'));
    if (wire !== null) return { status: 200, wire };
  }
  throw new Error(`${states} has no answer`);
}

/** What a first PUT, alone and undisturbed, makes of a payment, and what it is answered. */
export function predictPut(decision: Decision | 'riskRefused'): { state: string; wire: string } {
  if (decision === 'riskRefused' || decision === 'decline') {
    return { state: 'DENIED', wire: 'DENIED' };
  }
  if (decision === 'approve') return { state: 'AUTHORIZED', wire: 'AUTHORIZED' };
  // An approval of something else is not ours: it is cleared up in the background.
  return { state: 'UNKNOWN', wire: 'ACKNOWLEDGED' };
}

/** When a restaurant's business day ends. */
export interface BusinessDay {
  readonly timeZone: string;
  readonly closeoutHour: number;
}

/** The business days that runs are played with, one for each restaurant. */
export const DAYS: readonly [BusinessDay, ...BusinessDay[]] = [
  { timeZone: 'America/Chicago', closeoutHour: 4 },
  { timeZone: 'Europe/Berlin', closeoutHour: 0 },
  { timeZone: 'America/New_York', closeoutHour: 2 },
  { timeZone: 'Australia/Lord_Howe', closeoutHour: 1 },
  { timeZone: 'Asia/Kathmandu', closeoutHour: 12 },
];

/** A capture keeps so far from the deadline, if it can. */
const CAPTURE_LEAD_MS = 3_600_000;

/**
 * The earliest and the last instant for which the capture of an order that was fulfilled at
 * `fulfilledMs` may be planned, by walking the local clock minute by minute: the close-out that
 * ends its business day; but one hour before the capture deadline, or now, when that is earlier.
 */
export function captureTimes(
  fulfilledMs: number,
  captureDeadlineMs: number,
  day: BusinessDay,
): { readonly fromMs: number; readonly toMs: number } {
  const { fromMs, toMs } = closeOutsAfter(fulfilledMs, day);
  const latestMs = Math.max(fulfilledMs, captureDeadlineMs - CAPTURE_LEAD_MS);
  return { fromMs: Math.min(fromMs, latestMs), toMs: Math.min(toMs, latestMs) };
}

const MINUTE_MS = 60_000;
const closeOutMemory = new Map<string, { readonly fromMs: number; readonly toMs: number }>();

/** The first and the last instant at which the local clock shows the close-out: it may be twice. */
export function closeOutsAfter(
  instantMs: number,
  day: BusinessDay,
): { readonly fromMs: number; readonly toMs: number } {
  const minute = Math.floor(instantMs / MINUTE_MS);
  const name = `${minute} ${day.timeZone} ${day.closeoutHour}`;
  const known = closeOutMemory.get(name);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: day.timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const localMinute = (at: number) => {
    const [hour = 0, minutes = 0] = format
      .format(at * MINUTE_MS)
      .split(':')
      .map(Number);
    return hour * 60 + minutes;
  };
  const goal = day.closeoutHour * 60;
  let at = minute + 1;
  for (;;) {
    const [before, now] = [localMinute(at - 1), localMinute(at)];
    const wrapped = now < before && before - now > 12 * 60;
    // The goal is shown, or the clock jumped over it.
    if (now === goal || (before < goal && now > goal) || (wrapped && goal === 0)) break;
    // Far from the goal it is enough to look every half hour: no zone shifts by less.
    const ahead = (goal - now + 24 * 60) % (24 * 60);
    at += ahead > 180 ? 30 : 1;
  }
  let last = at;
  for (let next = at + 1; next <= at + 121; next += 1) if (localMinute(next) === goal) last = next;
  const found = { fromMs: at * MINUTE_MS, toMs: last * MINUTE_MS };
  closeOutMemory.set(name, found);
  return found;
}
