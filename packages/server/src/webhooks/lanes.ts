import type { ClaimedDelivery } from './due-delivery-store.ts';

/** So many attempts to one endpoint are under way at once. */
const OF_ENDPOINT = 32;
/** So many deliveries are claimed at once, in all and for one endpoint; they wait for a place. */
const CLAIMED = 1_024;
const CLAIMED_OF_ENDPOINT = 128;
/** When half of them are taken, so many for one endpoint: those that answer are done soon. */
const CLAIMED_WHEN_FULL = 2;

/** The deliveries of one endpoint that were claimed. */
interface Lane {
  underWay: number;
  readonly waiting: { readonly claimed: ClaimedDelivery; readonly begin: (may: boolean) => void }[];
}

/**
 * Which deliveries a process has claimed, and which of them are under way. Each endpoint has a lane
 * of its own: one that hangs holds its own places for the length of its time-outs, and never those
 * of all others.
 */
export class DeliveryLanes {
  readonly #lanes = new Map<string, Lane>();
  #claimed = 0;

  /** Waits for a place; false when it was cleared out of its lane meanwhile. */
  async enter(claimed: ClaimedDelivery): Promise<boolean> {
    const lane = this.#lanes.get(claimed.endpointGuid) ?? { underWay: 0, waiting: [] };
    this.#lanes.set(claimed.endpointGuid, lane);
    this.#claimed += 1;
    if (lane.underWay < OF_ENDPOINT) {
      lane.underWay += 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    lane.waiting.push({ claimed, begin: resolve });
    return await promise;
  }

  /** Leaves the place to the next one that waits. */
  leave({ endpointGuid }: ClaimedDelivery): void {
    const lane = this.#lanes.get(endpointGuid);
    if (!lane) return;
    this.#claimed -= 1;
    const next = lane.waiting.shift();
    if (next) next.begin(true);
    else lane.underWay -= 1;
    if (lane.underWay === 0) this.#lanes.delete(endpointGuid);
  }

  /** Clears what waits for a place in the lane of an endpoint, and gives it. */
  clear(endpointGuid: string): readonly ClaimedDelivery[] {
    const cleared = this.#lanes.get(endpointGuid)?.waiting.splice(0) ?? [];
    this.#claimed -= cleared.length;
    for (const { begin } of cleared) begin(false);
    return cleared.map(({ claimed }) => claimed);
  }

  /** How many deliveries are claimed, by endpoint; without an entry none is. */
  get claimed(): ReadonlyMap<string, number> {
    return new Map(
      this.#lanes
        .entries()
        .map(([guid, { underWay, waiting }]) => [guid, underWay + waiting.length]),
    );
  }

  /** How many more may be claimed in all. */
  get room(): number {
    return CLAIMED - this.#claimed;
  }

  /** How many of one endpoint may be claimed now. */
  get ofEndpoint(): number {
    return this.#claimed < CLAIMED / 2 ? CLAIMED_OF_ENDPOINT : CLAIMED_WHEN_FULL;
  }
}
