import type { Cache } from '../freshness/cache.ts';
import { canonicalGuid } from './items.ts';
import type { ItemIdentifier } from './rules.ts';
import type { ItemToChange } from './store.ts';

/** What is known of the items of restaurants, by the GUID of the restaurant. */
export type KnownStock = Cache<KnownItems>;

/** What an item takes in memory, and the restaurant beside its items, in bytes, about. */
const ITEM_BYTES = 500;
const RESTAURANT_BYTES = 500;

/**
 * Items of a restaurant as an update has left them when the counters were so. It is only ever a
 * guess: whoever uses it has the database compare the counters in the statement that changes
 * anything (decision 0018).
 */
export class KnownItems {
  #asOf = '';
  readonly #byGuid = new Map<string, ItemToChange>();
  readonly #byMultiLocationId = new Map<string, ItemToChange>();
  /** Whether an update is under way that goes by it: of several at once only one can be right. */
  isInUse = false;

  /** How much it takes in memory, in bytes, about. */
  get sizeBytes(): number {
    return RESTAURANT_BYTES + ITEM_BYTES * this.#byGuid.size;
  }

  /** The items that the identifiers name; null when one of them names none that is known. */
  find(identifiers: readonly ItemIdentifier[]): ItemToChange[] | null {
    const found = new Set<ItemToChange>();
    for (const identifier of identifiers) {
      const { multiLocationId } = identifier;
      const guid = canonicalGuid(identifier);
      const named = [
        ...(guid === null ? [] : [this.#byGuid.get(guid)]),
        ...(multiLocationId === null ? [] : [this.#byMultiLocationId.get(multiLocationId)]),
      ];
      for (const item of named) {
        if (!item) return null;
        found.add(item);
      }
    }
    const asOf = this.#asOf;
    return [...found].map((item) => ({ ...item, asOf }));
  }

  /** Takes over what an update has left of items that were read as of `before`. */
  learn(before: string, after: string, items: readonly ItemToChange[]): void {
    if (before !== this.#asOf) {
      this.#byGuid.clear();
      this.#byMultiLocationId.clear();
    }
    this.#asOf = after;
    for (const item of items) {
      this.#byGuid.set(item.guid, item);
      this.#byMultiLocationId.set(item.multiLocationId, item);
    }
  }
}
