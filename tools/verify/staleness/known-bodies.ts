import type { Claim } from './claim.ts';

/** What a body said that went by an entity tag, and the digest of its bytes. */
export interface KnownBody {
  readonly digest: string;
  readonly claims: readonly Claim[];
}

/** Bodies by their entity tags, the newest first. */
export type Tags = ReadonlyMap<string, KnownBody>;

/** So many a caller names in a condition. */
const NAMED = 3;
const BODIES_KEPT = 20_000;

/** The bodies that readers had, by what they asked for; so many at most, the oldest go first. */
export class KnownBodies {
  readonly #bodies = new Map<string, KnownBody>();
  readonly #newest = new Map<string, readonly string[]>();

  /** The body that went by an entity tag, if it is known. */
  find(key: string, etag: string): KnownBody | null {
    return this.#bodies.get(`${key} ${etag}`) ?? null;
  }

  /** The newest ones of what was asked for, for a condition; null when there are none. */
  newest(key: string): Tags | null {
    const tags = new Map<string, KnownBody>();
    for (const etag of this.#newest.get(key) ?? []) {
      const known = this.find(key, etag);
      if (known) tags.set(etag, known);
    }
    return tags.size > 0 ? tags : null;
  }

  keep(key: string, etag: string, body: KnownBody): void {
    this.#bodies.set(`${key} ${etag}`, body);
    this.#newest.set(key, [etag, ...(this.#newest.get(key) ?? [])].slice(0, NAMED));
    for (const known of [this.#bodies, this.#newest]) {
      const [oldest = ''] = known.keys();
      if (known.size > BODIES_KEPT) known.delete(oldest);
    }
  }
}
