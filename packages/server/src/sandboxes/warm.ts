import { monotonicMs } from '@servery/support/clock.ts';
import type { Profile } from '../sandbox/profile.ts';
import type { SeparateDatabase } from './new-database.ts';

export interface WarmDatabasesDeps {
  readonly make: (profile: Profile) => Promise<SeparateDatabase>;
  readonly onError: (error: unknown) => void;
}

interface Shelf {
  readonly ready: SeparateDatabase[];
  /** As many as were taken lately. */
  wanted: number;
  takenMs: number;
  refilling: Promise<void>;
}

const READY_AT_MOST = 3;
const KEPT_FOR_MS = 600_000;

/**
 * Sandboxes that lack only a name, made before somebody asks for one: a copy with keys and secrets
 * of its own takes half a second.
 */
export class WarmDatabases {
  readonly #deps: WarmDatabasesDeps;
  readonly #shelves = new Map<Profile, Shelf>();
  #isStopping = false;

  constructor(deps: WarmDatabasesDeps) {
    this.#deps = deps;
  }

  /** Makes one if none is ready. The caller disposes of it. */
  async take(profile: Profile): Promise<SeparateDatabase> {
    const shelf = this.#shelfOf(profile);
    shelf.takenMs = monotonicMs();
    shelf.wanted = Math.min(shelf.wanted + 1, READY_AT_MOST);
    const taken = (await nextKept(shelf.ready)) ?? (await this.#deps.make(profile));
    shelf.refilling = shelf.refilling.then(() => this.#refill(profile, shelf));
    return taken;
  }

  /** Removes what nobody has asked for lately. */
  async rest(): Promise<void> {
    const quietMs = monotonicMs() - KEPT_FOR_MS;
    for (const shelf of this.#shelves.values()) {
      if (shelf.takenMs < quietMs) await empty(shelf);
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const shelf of this.#shelves.values()) {
      await shelf.refilling;
      await empty(shelf);
    }
  }

  #shelfOf(profile: Profile): Shelf {
    const known = this.#shelves.get(profile);
    if (known) return known;
    const shelf = { ready: [], wanted: 0, takenMs: 0, refilling: Promise.resolve() };
    this.#shelves.set(profile, shelf);
    return shelf;
  }

  async #refill(profile: Profile, shelf: Shelf): Promise<void> {
    try {
      while (shelf.ready.length < shelf.wanted && !this.#isStopping) {
        shelf.ready.push(await this.#deps.make(profile));
      }
    } catch (error) {
      this.#deps.onError(error);
    }
  }
}

async function nextKept(ready: SeparateDatabase[]): Promise<SeparateDatabase | null> {
  for (let next = ready.shift(); next; next = ready.shift()) {
    if (await next.isKept()) return next;
    await next[Symbol.asyncDispose]();
  }
  return null;
}

async function empty(shelf: Shelf): Promise<void> {
  shelf.wanted = 0;
  for (const unneeded of shelf.ready.splice(0)) await unneeded[Symbol.asyncDispose]();
}
