import type { Count, RateCounter, WindowCounts } from '../../http/pipeline/rate-limit.ts';
import type { Counted, Counts } from './messages.ts';

export const LOOK_MS = 250;

/** After this many unanswered looks (a second), a worker counts in the database. */
const LOOKS_AT_MOST = 4;

export interface SharedCounterDeps {
  readonly send: (counts: Counts) => void;
  readonly afterTurn: (job: () => void) => void;
  /** Used while the parent does not answer; all workers must share it. */
  readonly fallback: RateCounter;
}

interface Waiting {
  readonly count: Count;
  readonly resolve: (counts: WindowCounts | Promise<WindowCounts>) => void;
}

interface Batch {
  readonly waiting: readonly Waiting[];
  looks: number;
}

/**
 * Counts with all other workers, exactly. Requests of one turn of the event loop travel in one
 * message, and the next message waits for its answer. If no answer comes for a second, the database
 * counts: slower, but no request is refused and the budget stays shared.
 */
export class SharedCounter implements RateCounter {
  readonly #deps: SharedCounterDeps;
  readonly #sent = new Map<number, Batch>();
  #gathered: Waiting[] = [];
  #lastId = 0;
  #isSilent = false;

  constructor(deps: SharedCounterDeps) {
    this.#deps = deps;
  }

  async count(count: Count): Promise<WindowCounts> {
    if (this.#isSilent) return this.#deps.fallback.count(count);
    const { promise, resolve } = Promise.withResolvers<WindowCounts>();
    const isFirst = this.#gathered.length === 0 && this.#sent.size === 0;
    if (isFirst) this.#deps.afterTurn(() => this.#send());
    this.#gathered.push({ count, resolve });
    return promise;
  }

  #send(): void {
    if (this.#gathered.length === 0) return;
    const waiting = this.#gathered;
    this.#gathered = [];
    this.#lastId += 1;
    this.#sent.set(this.#lastId, { waiting, looks: 0 });
    const counts = waiting.map(({ count }) => count);
    this.#deps.send({ kind: 'counts', id: this.#lastId, counts });
  }

  counted({ id, used }: Counted): void {
    this.#isSilent = false;
    const batch = this.#sent.get(id);
    this.#sent.delete(id);
    for (const [at, counts] of used.entries()) batch?.waiting[at]?.resolve(counts);
    if (this.#sent.size === 0) this.#send();
  }

  /** Call it every `LOOK_MS` of real time; a late call does no harm. */
  look(): void {
    for (const [id, batch] of this.#sent) {
      batch.looks += 1;
      // Counts looks instead of time: after this worker itself stood still, the answers arrive
      // before the next few looks.
      if (batch.looks < LOOKS_AT_MOST) continue;
      this.#isSilent = true;
      this.#sent.delete(id);
      for (const { count, resolve } of [...batch.waiting, ...this.#gathered.splice(0)]) {
        resolve(this.count(count));
      }
    }
  }
}
