/** So many attempts of one process are under way at once, and of one endpoint. */
const PLACES = 512;
const OF_ENDPOINT = 32;
/** When half of the places are taken, so many of one endpoint: those that answer leave soon. */
const OF_ENDPOINT_WHEN_FULL = 2;

/**
 * Which attempts of a process are under way. Each endpoint has a lane of its own: one that hangs
 * holds its own places for the length of its time-outs, and never those of all others.
 */
export class DeliveryLanes {
  readonly #underWay = new Map<string, number>();
  #total = 0;

  enter(endpointGuid: string): void {
    this.#total += 1;
    this.#underWay.set(endpointGuid, (this.#underWay.get(endpointGuid) ?? 0) + 1);
  }

  leave(endpointGuid: string): void {
    const count = (this.#underWay.get(endpointGuid) ?? 0) - 1;
    this.#total -= 1;
    if (count > 0) this.#underWay.set(endpointGuid, count);
    else this.#underWay.delete(endpointGuid);
  }

  /** How many attempts of endpoints are under way; without an entry none is. */
  get underWay(): ReadonlyMap<string, number> {
    return this.#underWay;
  }

  /** How many more may begin in all. */
  get room(): number {
    return PLACES - this.#total;
  }

  /** How many of one endpoint may be under way now. */
  get ofEndpoint(): number {
    return this.#total < PLACES / 2 ? OF_ENDPOINT : OF_ENDPOINT_WHEN_FULL;
  }
}
