/** MENU-28. */
export const MOST_BYTES = 32 * 1024 * 1024;
export const MOST_ENTRIES = 200_000;
/** MENU-25. */
export const MOST_LEVELS = 10;

/** Equal instances are counted here as often as they are resolved. */
const MOST_CONTEXTS = 5 * MOST_ENTRIES;
const NAMED_GROUPS = 3;

interface Named {
  readonly guid: string;
  readonly fields: { readonly name: string };
}

/** Why there can be no document. */
export type Refusal =
  | {
      readonly reason: 'TOO_LARGE';
      /** The modifier groups that take the most, the largest first, and how many entries each has. */
      readonly largest: readonly {
        readonly guid: string;
        readonly name: string;
        readonly entries: number;
      }[];
    }
  | {
      readonly reason: 'TOO_DEEP';
      readonly collection: 'menuGroups' | 'menuOptionGroups';
      readonly guid: string;
      readonly name: string;
    };

export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

/**
 * Counts while the document is resolved, so that a much too large one is never made. Bytes are
 * counted low: the finished text is measured as well.
 */
export class Budget {
  #bytes = 0;
  #entries = 0;
  #contexts = 0;
  readonly #byGroup = new Map<string, { name: string; bytes: number; entries: number }>();

  /** A part of the document, and the modifier group that it belongs to. */
  count(bytes: number, group: Named | null): void {
    this.#bytes += bytes;
    if (group) {
      const part = this.#byGroup.get(group.guid) ?? {
        name: group.fields.name,
        bytes: 0,
        entries: 0,
      };
      part.bytes += bytes;
      part.entries += 1;
      this.#entries += 1;
      this.#byGroup.set(group.guid, part);
    }
    if (this.#bytes > MOST_BYTES || this.#entries > MOST_ENTRIES) this.refuseSize();
  }

  countContext(): void {
    this.#contexts += 1;
    if (this.#contexts > MOST_CONTEXTS) this.refuseSize();
  }

  refuseSize(): never {
    const largest = [...this.#byGroup]
      .sort(([, one], [, other]) => other.bytes - one.bytes)
      .slice(0, NAMED_GROUPS)
      .map(([guid, { name, entries }]) => ({ guid, name, entries }));
    throw new Refused({ reason: 'TOO_LARGE', largest });
  }

  refuseDepth(collection: 'menuGroups' | 'menuOptionGroups', { guid, fields }: Named): never {
    throw new Refused({ reason: 'TOO_DEEP', collection, guid, name: fields.name });
  }
}
