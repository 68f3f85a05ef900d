import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import { SLOW_AFTER } from './circuit.ts';
import type { AttemptRow } from './delivery-store.ts';
import type { ClaimedDelivery, ClaimPlan, LaneState } from './due-delivery-store.ts';
import { FIRST_WINDOW, Pace } from './pace.ts';

const OF_ENDPOINT = 32;
const CLAIMED = 2048;
/** Reserved for endpoints without any claim, one delivery each. */
const KEPT_FREE = CLAIMED / 4;
/** No partner can take all places. */
const OF_PARTNER = CLAIMED / 2;
const REMEMBERED_MS = 60_000;

interface Lane {
  readonly pace: Pace;
  claimed: number;
  underWay: number;
  failures: number;
  /** True when it failed too often; it gets nothing until the next `wake`. */
  isResting: boolean;
  isFull: boolean;
  given: number;
  readonly partnerGuid: string;
  usedMs: number;
  readonly waiting: {
    readonly claimed: ClaimedDelivery;
    readonly begin: (number: number | null) => void;
  }[];
}

/**
 * Each endpoint has its own lane, whose width follows what it can take: endpoints that hang hold
 * few places, and some places always stay free for the others.
 */
export class DeliveryLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #nowMs: () => number;
  readonly #released = new Set<ClaimedDelivery>();
  #claimed = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The attempt's number in its lane; null when the lane was cleared meanwhile. */
  async enter(claimed: ClaimedDelivery): Promise<number | null> {
    const lane = this.#laneOf(claimed);
    const { failures } = claimed.endpoint;
    lane.failures = lane.claimed === 0 ? failures : Math.max(lane.failures, failures);
    lane.claimed += 1;
    this.#claimed += 1;
    if (lane.underWay < OF_ENDPOINT) {
      lane.underWay += 1;
      return lane.pace.begin();
    }
    const { promise, resolve } = Promise.withResolvers<number | null>();
    lane.waiting.push({ claimed, begin: resolve });
    return await promise;
  }

  /** The delivery stays claimed until `finish`. */
  leave(claimed: ClaimedDelivery): void {
    const lane = this.#laneOf(claimed);
    const next = lane.waiting.shift();
    if (next) next.begin(lane.pace.begin());
    else lane.underWay -= 1;
  }

  learn(
    claimed: ClaimedDelivery,
    number: number,
    attempt: Pick<AttemptRow, 'status' | 'durationMs' | 'outcome'>,
  ): { readonly isInTrouble: boolean; readonly hasMended: boolean } {
    const lane = this.#laneOf(claimed);
    lane.pace.end(number, attempt);
    const isTaken = attempt.outcome === 'DELIVERED';
    const hasMended = isTaken && lane.failures > 0;
    lane.failures = isTaken ? 0 : lane.failures + 1;
    lane.isResting = lane.failures >= SLOW_AFTER;
    return { isInTrouble: lane.isResting, hasMended };
  }

  /** Only the write is left: others need not wait. The endpoint keeps the claim until `finish`. */
  release(claimed: ClaimedDelivery): void {
    this.#released.add(claimed);
    this.#claimed -= 1;
  }

  rest(endpoint: EndpointKey): void {
    this.#laneOf(endpoint).isResting = true;
  }

  /** True when more of its endpoint may be due. */
  finish(claimed: ClaimedDelivery): boolean {
    const lane = this.#laneOf(claimed);
    lane.claimed -= 1;
    if (!this.#released.delete(claimed)) this.#claimed -= 1;
    return hasRoomForMore(lane);
  }

  clear(endpointGuid: string): readonly ClaimedDelivery[] {
    const cleared = this.#lanes.get(endpointGuid)?.waiting.splice(0) ?? [];
    for (const { claimed, begin } of cleared) {
      this.finish(claimed);
      begin(null);
    }
    return cleared.map(({ claimed }) => claimed);
  }

  clearAll(): readonly ClaimedDelivery[] {
    return [...this.#lanes.keys()].flatMap((endpointGuid) => this.clear(endpointGuid));
  }

  plan(): ClaimPlan {
    const limit = CLAIMED - this.#claimed;
    return {
      limit,
      open: Math.max(limit - KEPT_FREE, 0),
      ofEndpoint: this.#share(limit),
      ofPartner: OF_PARTNER,
      known: this.#known(),
    };
  }

  /** True when an endpoint that has room by now may have more. */
  filled(plan: ClaimPlan, claimed: readonly ClaimedDelivery[]): boolean {
    const isCut = claimed.length >= plan.open;
    const given = Map.groupBy(claimed, ({ endpointGuid }) => endpointGuid);
    const states = new Map(plan.known.map((state) => [state.endpointGuid, state]));
    // Counts as the claim saw them: attempts that ended since made room the claim did not know
    // about.
    const seen = [...this.#lanes].map(([endpointGuid, lane]) => {
      const before = states.get(endpointGuid) ?? { claimed: 0, window: FIRST_WINDOW };
      return { lane, before, count: given.get(endpointGuid)?.length ?? 0 };
    });
    const ofPartner = new Map<string, number>();
    for (const { lane, before, count } of seen) {
      const others = ofPartner.get(lane.partnerGuid) ?? 0;
      ofPartner.set(lane.partnerGuid, others + before.claimed + count);
    }
    for (const { lane, before, count } of seen) {
      const room = Math.min(before.window - before.claimed, plan.ofEndpoint);
      const isPartnerFull = (ofPartner.get(lane.partnerGuid) ?? 0) >= plan.ofPartner;
      lane.isFull = isCut || isPartnerFull || count >= room;
      lane.given = before.claimed + count;
    }
    // Earlier claims may have ended during this one.
    return seen.some(({ lane }) => hasRoomForMore(lane));
  }

  /** Endpoints that rest get one more delivery. */
  wake(): void {
    for (const lane of this.#lanes.values()) lane.isResting = false;
  }

  #known(): readonly LaneState[] {
    this.#forget();
    return [...this.#lanes]
      .map(([endpointGuid, { claimed, pace, isResting }]) => ({
        ...{ endpointGuid, claimed, window: isResting ? 0 : pace.window },
      }))
      .filter(({ claimed, window }) => claimed > 0 || window !== FIRST_WINDOW);
  }

  #share(room: number): number {
    const lanes = [...this.#lanes.values()];
    const busy = lanes.filter(({ claimed, isFull }) => claimed > 0 || isFull).length;
    return Math.max(Math.ceil(room / Math.max(busy, 1)), FIRST_WINDOW);
  }

  #laneOf({ partnerGuid, endpointGuid }: EndpointKey): Lane {
    const lane = this.#lanes.get(endpointGuid) ?? newLane(partnerGuid);
    this.#lanes.set(endpointGuid, lane);
    lane.usedMs = this.#nowMs();
    return lane;
  }

  #forget(): void {
    const beforeMs = this.#nowMs() - REMEMBERED_MS;
    for (const [endpointGuid, lane] of this.#lanes) {
      if (lane.claimed === 0 && lane.usedMs < beforeMs) this.#lanes.delete(endpointGuid);
    }
  }
}

function hasRoomForMore({ isFull, isResting, claimed, given }: Lane): boolean {
  return isFull && !isResting && given > 0 && claimed * 2 <= given;
}

function newLane(partnerGuid: string): Lane {
  return {
    partnerGuid,
    ...{ pace: new Pace(), claimed: 0, underWay: 0, failures: 0, usedMs: 0, waiting: [] },
    ...{ isResting: false, isFull: false, given: 0 },
  };
}
