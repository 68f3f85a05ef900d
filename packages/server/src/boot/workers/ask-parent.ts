import type { Ask, Budgets, Grant } from '../../http/pipeline/budgets.ts';
import type { Asked, Granted } from './messages.ts';

export const LOOK_MS = 250;

/** After this many unanswered looks (a second), a worker asks the database. */
const LOOKS_AT_MOST = 4;

export interface ParentBudgetsDeps {
  readonly send: (asked: Asked) => void;
  readonly afterTurn: (job: () => void) => void;
  /** Used while the parent does not answer; all workers must share it. */
  readonly fallback: Budgets;
}

interface Waiting {
  readonly ask: Ask;
  readonly resolve: (grant: Grant | Promise<Grant>) => void;
}

interface Batch {
  readonly waiting: readonly Waiting[];
  looks: number;
}

/**
 * Leases from the process that started all workers. Questions of one turn of the event loop travel
 * in one message, and the next message waits for its answer. If no answer comes for a second, the
 * database is asked: slower, but no request is refused and the budget stays shared.
 */
export class ParentBudgets implements Budgets {
  readonly #deps: ParentBudgetsDeps;
  readonly #sent = new Map<number, Batch>();
  #gathered: Waiting[] = [];
  #lastId = 0;
  #isSilent = false;

  constructor(deps: ParentBudgetsDeps) {
    this.#deps = deps;
  }

  async ask(ask: Ask): Promise<Grant> {
    if (this.#isSilent) return this.#deps.fallback.ask(ask);
    const { promise, resolve } = Promise.withResolvers<Grant>();
    const isFirst = this.#gathered.length === 0 && this.#sent.size === 0;
    if (isFirst) this.#deps.afterTurn(() => this.#send());
    this.#gathered.push({ ask, resolve });
    return promise;
  }

  #send(): void {
    if (this.#gathered.length === 0) return;
    const waiting = this.#gathered;
    this.#gathered = [];
    this.#lastId += 1;
    this.#sent.set(this.#lastId, { waiting, looks: 0 });
    const asks = waiting.map(({ ask }) => ask);
    this.#deps.send({ kind: 'asked', id: this.#lastId, asks });
  }

  granted({ id, grants }: Granted): void {
    this.#isSilent = false;
    const batch = this.#sent.get(id);
    this.#sent.delete(id);
    for (const [at, grant] of grants.entries()) batch?.waiting[at]?.resolve(grant);
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
      for (const { ask, resolve } of [...batch.waiting, ...this.#gathered.splice(0)]) {
        resolve(this.ask(ask));
      }
    }
  }
}
