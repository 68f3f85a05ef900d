import type { PaymentState } from '../life/lifecycle.ts';
import type { PaymentRow } from '../life/store.ts';

/** What due work waits for: a call of a kind, or, as a deadline does at first, none at all. */
type LaneKind = 'deadline' | 'inquire' | 'capture' | 'void' | 'followUp';

/** Work of a kind that is tried for the first time, or again after a try without a result. */
export type Lane = `${LaneKind} ${'first' | 'again'}`;

/** Of which kind the work on a payment is that is due. */
const kinds = {
  PENDING: 'deadline',
  AUTHORIZED: 'deadline',
  APPLIED: 'deadline',
  CAPTURE_SCHEDULED: 'deadline',
  UNKNOWN: 'inquire',
  CAPTURE_PENDING: 'capture',
  VOID_PENDING: 'void',
  REVERSAL_PENDING: 'void',
} as const satisfies Partial<Record<PaymentState, LaneKind>>;

type DueState = keyof typeof kinds;

/** Payments in these states are passed over, after no try or after some. */
export interface PassedOver {
  readonly first: readonly PaymentState[];
  readonly again: readonly PaymentState[];
}

const dueStates = Object.keys(kinds) as DueState[];
const lanes = [...new Set<LaneKind>([...Object.values(kinds), 'followUp'])].flatMap(
  (kind): Lane[] => [`${kind} first`, `${kind} again`],
);

/** So much is worked on at once, most of it waiting for the processor. */
const PLACES = 120;

/** So many of them are kept for each lane: no other lane takes them. */
const OWN_PLACES = 8;

/** The lane of work of a kind that was tried so often without a result. */
export function laneOf(kind: LaneKind, tries: number): Lane {
  return `${kind} ${tries === 0 ? 'first' : 'again'}`;
}

/** The lane of what is due on a payment. */
export function laneOfPayment({ state, tries }: PaymentRow): Lane {
  return laneOf(kindOf(state), tries);
}

/** Whether what is due in a state is written down without a word of the processor. */
export function needsNoCall(state: PaymentState): boolean {
  return kindOf(state) === 'deadline';
}

function kindOf(state: PaymentState): LaneKind {
  return state in kinds ? kinds[state as DueState] : 'deadline';
}

/**
 * Who of a process's due work may begin. A processor that is silent holds each call for seconds:
 * without lanes, what it does not answer would keep off all that it could answer, and the deadlines
 * that need no answer. What a claim brings is begun, so that a lane may have a batch too many.
 */
export class Lanes {
  readonly #underWay = new Map<Lane, number>();

  enter(lane: Lane): void {
    this.#underWay.set(lane, this.#count(lane) + 1);
  }

  leave(lane: Lane): void {
    this.#underWay.set(lane, this.#count(lane) - 1);
  }

  /** Whether more of that lane may begin: there is a place that is not kept for another. */
  hasRoom(lane: Lane): boolean {
    if (this.#count(lane) < OWN_PLACES) return true;
    const others = lanes.filter((other) => other !== lane);
    const kept = others.map((other) => Math.max(this.#count(other), OWN_PLACES));
    return kept.reduce((sum, places) => sum + places, this.#count(lane)) < PLACES;
  }

  isAnyFull(): boolean {
    return lanes.some((lane) => !this.hasRoom(lane));
  }

  /** The payments whose lanes are full. */
  passedOver(): PassedOver {
    const isFull = (state: DueState, tries: number) => !this.hasRoom(laneOf(kinds[state], tries));
    return {
      first: dueStates.filter((state) => isFull(state, 0)),
      again: dueStates.filter((state) => isFull(state, 1)),
    };
  }

  #count(lane: Lane): number {
    return this.#underWay.get(lane) ?? 0;
  }
}
