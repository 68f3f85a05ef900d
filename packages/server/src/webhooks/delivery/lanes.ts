import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import { SLOW_AFTER } from './circuit.ts';
import type { ClaimedDelivery, ClaimPlan, LaneState } from './due-delivery-store.ts';
import { FIRST_WINDOW, Pace, type PacedAttempt } from './pace.ts';

/** So many attempts to one endpoint are under way at once. */
const OF_ENDPOINT = 32;
/** So many deliveries are claimed at once, in all. */
const CLAIMED = 2048;
/** So many of them are kept for endpoints of which none is claimed: one of each. */
const KEPT_FREE = CLAIMED / 4;
/** So many deliveries of one partner are claimed at most: one partner never has all places. */
const OF_PARTNER = CLAIMED / 2;
/** How fast an endpoint takes what it gets is remembered for so long. */
const REMEMBERED_MS = 60_000;

/** A delivery that has its place, for as long as its attempt is under way. */
export interface Place {
  readonly number: number;
}

/** How an endpoint does after an attempt. */
export interface LaneHealth {
  /** It failed so often in a row that it is left alone for a while. */
  readonly isInTrouble: boolean;
  /** It took this one after others had failed. */
  readonly hasMended: boolean;
}

/** The deliveries of one endpoint that were claimed. */
interface Lane {
  readonly pace: Pace;
  claimed: number;
  underWay: number;
  /** Attempts in a row that failed. */
  failures: number;
  /** True when it failed too often: it is left alone until somebody asks for a look. */
  isResting: boolean;
  /** True when more may be due than was claimed, and how many were claimed when it was seen. */
  isFull: boolean;
  given: number;
  readonly partnerGuid: string;
  usedMs: number;
  readonly waiting: {
    readonly claimed: ClaimedDelivery;
    readonly begin: (place: Place | null) => void;
  }[];
}

/**
 * Which deliveries a process has claimed, and which of them are under way. Each endpoint has a lane
 * of its own, as wide as the endpoint has shown to be able to take: many that hang hold few places
 * each, and some places are always left for all others.
 */
export class DeliveryLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #nowMs: () => number;
  /** Those of `release`. */
  readonly #released = new Set<ClaimedDelivery>();
  #claimed = 0;

  /** Takes real time, in epoch milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Waits for a place; null when it was cleared out of its lane meanwhile. */
  async enter(claimed: ClaimedDelivery): Promise<Place | null> {
    const lane = this.#laneOf(claimed);
    const { failures } = claimed.endpoint;
    lane.failures = lane.claimed === 0 ? failures : Math.max(lane.failures, failures);
    lane.claimed += 1;
    this.#claimed += 1;
    if (lane.underWay < OF_ENDPOINT) {
      lane.underWay += 1;
      return { number: lane.pace.begin() };
    }
    const { promise, resolve } = Promise.withResolvers<Place | null>();
    lane.waiting.push({ claimed, begin: resolve });
    return await promise;
  }

  /** Leaves the place to the next one that waits. The delivery stays claimed until `finish`. */
  leave(claimed: ClaimedDelivery): void {
    const lane = this.#laneOf(claimed);
    const next = lane.waiting.shift();
    if (next) next.begin({ number: lane.pace.begin() });
    else lane.underWay -= 1;
  }

  /** Takes note of how an attempt ended, and tells how its endpoint does. */
  learn(
    claimed: ClaimedDelivery,
    { number }: Place,
    attempt: PacedAttempt & { readonly isTaken: boolean },
  ): LaneHealth {
    const lane = this.#laneOf(claimed);
    lane.pace.end(number, attempt);
    const hasMended = attempt.isTaken && lane.failures > 0;
    lane.failures = attempt.isTaken ? 0 : lane.failures + 1;
    lane.isResting = lane.failures >= SLOW_AFTER;
    return { isInTrouble: lane.isResting, hasMended };
  }

  /**
   * The attempt is over and only waits to be written: no other endpoint waits for that. Its own one
   * has it claimed until `finish`.
   */
  release(claimed: ClaimedDelivery): void {
    this.#released.add(claimed);
    this.#claimed -= 1;
  }

  /** Leaves an endpoint alone until somebody asks for a look. */
  rest(endpoint: EndpointKey): void {
    this.#laneOf(endpoint).isResting = true;
  }

  /** The delivery is not this process's any more; true when more of its endpoint may be due. */
  finish(claimed: ClaimedDelivery): boolean {
    const lane = this.#laneOf(claimed);
    lane.claimed -= 1;
    if (!this.#released.delete(claimed)) this.#claimed -= 1;
    return hasRoomForMore(lane);
  }

  /** Clears what waits for a place in the lane of an endpoint, and gives it. */
  clear(endpointGuid: string): readonly ClaimedDelivery[] {
    const cleared = this.#lanes.get(endpointGuid)?.waiting.splice(0) ?? [];
    for (const { claimed, begin } of cleared) {
      this.finish(claimed);
      begin(null);
    }
    return cleared.map(({ claimed }) => claimed);
  }

  /** Clears what waits in all lanes, and gives it. */
  clearAll(): readonly ClaimedDelivery[] {
    return [...this.#lanes.keys()].flatMap((endpointGuid) => this.clear(endpointGuid));
  }

  /** What may be claimed now. */
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

  /**
   * Takes note of what a claim by a plan gave, once it has entered; true when there may be more for
   * an endpoint that has room by now.
   */
  filled(plan: ClaimPlan, claimed: readonly ClaimedDelivery[]): boolean {
    const isCut = claimed.length >= plan.open;
    const given = countBy(claimed, ({ endpointGuid }) => endpointGuid);
    const states = new Map(plan.known.map((state) => [state.endpointGuid, state]));
    const stateOf = (guid: string) => states.get(guid) ?? { claimed: 0, window: FIRST_WINDOW };
    const givenTo = (guid: string) => given.get(guid) ?? 0;
    // As the claim saw it: what has ended since has made room that the claim knew nothing of.
    const ofPartner = this.#sumByPartner((guid) => stateOf(guid).claimed + givenTo(guid));
    let isWanting = false;
    for (const [endpointGuid, lane] of this.#lanes) {
      const before = stateOf(endpointGuid);
      const count = givenTo(endpointGuid);
      const room = Math.min(before.window - before.claimed, plan.ofEndpoint);
      const isPartnerFull = (ofPartner.get(lane.partnerGuid) ?? 0) >= plan.ofPartner;
      lane.isFull = isCut || isPartnerFull || count >= room;
      lane.given = before.claimed + count;
      // What was claimed before may have ended while the claim was made.
      isWanting ||= hasRoomForMore(lane);
    }
    return isWanting;
  }

  /** Somebody asks for a look: endpoints that were left alone get one more delivery. */
  wake(): void {
    for (const lane of this.#lanes.values()) lane.isResting = false;
  }

  /** What is known of endpoints; of all others none is claimed, and the window is the first one. */
  #known(): readonly LaneState[] {
    this.#forget();
    return this.#lanes
      .entries()
      .map(([endpointGuid, { claimed, pace, isResting }]) => ({
        ...{ endpointGuid, claimed, window: isResting ? 0 : pace.window },
      }))
      .filter(({ claimed, window }) => claimed > 0 || window !== FIRST_WINDOW)
      .toArray();
  }

  /** How many are claimed for one endpoint at one look, when many share the room. */
  #share(room: number): number {
    const isBusy = ({ claimed, isFull }: Lane) => claimed > 0 || isFull;
    const busy = this.#lanes.values().filter(isBusy).toArray().length;
    return Math.max(Math.ceil(room / Math.max(busy, 1)), FIRST_WINDOW);
  }

  #sumByPartner(countOf: (endpointGuid: string) => number): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    for (const [endpointGuid, { partnerGuid }] of this.#lanes) {
      sums.set(partnerGuid, (sums.get(partnerGuid) ?? 0) + countOf(endpointGuid));
    }
    return sums;
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

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

function newLane(partnerGuid: string): Lane {
  return {
    partnerGuid,
    ...{ pace: new Pace(), claimed: 0, underWay: 0, failures: 0, usedMs: 0, waiting: [] },
    ...{ isResting: false, isFull: false, given: 0 },
  };
}
