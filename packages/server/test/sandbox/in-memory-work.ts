import type { Clock } from '@servery/support/clock.ts';
import {
  type DeadlineWork,
  type DoneWork,
  everywhere,
  type Reach,
} from '../../src/support/due-work.ts';

/** A piece of work and when it is due. */
interface Entry {
  readonly dueMs: number;
  readonly kind: string;
  /** What happens while it is done; it may add further work. */
  readonly act: () => void | Promise<void>;
  /** Whose it is. */
  readonly groupGuid: string | null;
}

/** What was seen while a piece of work was done. */
export interface Seen {
  readonly kind: string;
  readonly stoodAtMs: number;
  readonly isSequential: boolean;
}

/** Due work in memory, which looks at the clock while it is done. */
export class InMemoryWork implements DeadlineWork {
  readonly seen: Seen[] = [];
  /** The clock that it looks at. */
  clock: Clock;
  #entries: Entry[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  add(
    dueMs: number,
    kind: string,
    act: Entry['act'] = () => {},
    groupGuid: string | null = null,
  ): void {
    this.#entries.push({ dueMs, kind, act, groupGuid });
    this.#entries.sort((one, other) => one.dueMs - other.dueMs);
  }

  async nextDueMs(reach: Reach = everywhere): Promise<number | null> {
    const isReached = ({ groupGuid }: Entry) =>
      reach.isPlatform || reach.groupGuids.includes(groupGuid ?? '');
    return this.#entries.find(isReached)?.dueMs ?? null;
  }

  async runDue(
    nowMs: number,
    { isSequential }: { readonly isSequential: boolean },
  ): Promise<DoneWork[]> {
    const done: DoneWork[] = [];
    const none = { merchantGuid: null, paymentUuid: null };
    for (let entry = this.#entries[0]; entry && entry.dueMs <= nowMs; entry = this.#entries[0]) {
      this.#entries.shift();
      const { dueMs, kind, act } = entry;
      this.seen.push({ kind, stoodAtMs: this.clock.nowMs(), isSequential });
      await act();
      done.push({ dueMs, kind, ...none, fromState: null, cause: null, toState: null });
    }
    return done;
  }
}
