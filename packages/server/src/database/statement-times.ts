import { AsyncLocalStorage } from 'node:async_hooks';
import { monotonicMs } from '@servery/support/clock.ts';

export interface NotedStatement {
  /** The template without its values. */
  readonly statement: TemplateStringsArray | string;
  readonly durationMs: number;
}

export class StatementNotes {
  static readonly #KEPT = 20;
  readonly first: NotedStatement[] = [];
  count = 0;
  totalMs = 0;

  add(noted: NotedStatement): void {
    this.count += 1;
    this.totalMs += noted.durationMs;
    if (this.first.length < StatementNotes.#KEPT) this.first.push(noted);
  }
}

/** Tells which statements a piece of work sends. Work that nobody asks about is not timed. */
export class StatementTimes {
  readonly #current = new AsyncLocalStorage<StatementNotes>();

  during<Result>(notes: StatementNotes, work: () => Result): Result {
    return this.#current.run(notes, work);
  }

  readonly watch = (statement: TemplateStringsArray | string): (() => void) | null => {
    const notes = this.#current.getStore();
    if (!notes) return null;
    const startedMs = monotonicMs();
    return () => notes.add({ statement, durationMs: monotonicMs() - startedMs });
  };
}
