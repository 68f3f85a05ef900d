import type { PaymentState } from '../life/lifecycle.ts';
import type { PaymentRow } from '../life/store.ts';

/** The call that due work waits for; a deadline needs none at first. */
type LaneKind = 'deadline' | 'inquire' | 'capture' | 'void' | 'followUp';

export type Lane = `${LaneKind} ${'first' | 'again'}`;

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

export interface PassedOver {
  readonly first: readonly PaymentState[];
  readonly again: readonly PaymentState[];
}

const dueStates = Object.keys(kinds) as DueState[];
const lanes = [...new Set<LaneKind>([...Object.values(kinds), 'followUp'])].flatMap(
  (kind): Lane[] => [`${kind} first`, `${kind} again`],
);

const PLACES = 120;

/** Other lanes can't take these places. */
const OWN_PLACES = 8;

export function laneOf(kind: LaneKind, tries: number): Lane {
  return `${kind} ${tries === 0 ? 'first' : 'again'}`;
}

export function laneOfPayment({ state, tries }: PaymentRow): Lane {
  return laneOf(kindOf(state), tries);
}

export function needsNoCall(state: PaymentState): boolean {
  return kindOf(state) === 'deadline';
}

function kindOf(state: PaymentState): LaneKind {
  return state in kinds ? kinds[state as DueState] : 'deadline';
}

/**
 * Limits how much due work runs per lane. A silent processor holds each call for seconds; without
 * lanes, such calls would block work that it answers and deadlines that need no answer. Everything
 * claimed is begun, so a lane can exceed its places by one batch.
 */
export class Lanes {
  readonly #underWay = new Map<Lane, number>();

  enter(lane: Lane): void {
    this.#underWay.set(lane, this.#count(lane) + 1);
  }

  leave(lane: Lane): void {
    this.#underWay.set(lane, this.#count(lane) - 1);
  }

  hasRoom(lane: Lane): boolean {
    if (this.#count(lane) < OWN_PLACES) return true;
    const others = lanes.filter((other) => other !== lane);
    const kept = others.map((other) => Math.max(this.#count(other), OWN_PLACES));
    return kept.reduce((sum, places) => sum + places, this.#count(lane)) < PLACES;
  }

  isAnyFull(): boolean {
    return lanes.some((lane) => !this.hasRoom(lane));
  }

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
