import { isPostgresError, isSqlState } from '@servery/postgres/postgres-error.ts';
import type { Clock } from '@servery/support/clock.ts';
import { sleep, type Timer } from '@servery/support/timer.ts';
import type { MadeAttempt } from './make-attempt.ts';
import { isPlain, type RecordDeps, recordPlain, recordTroubled } from './record-attempts.ts';

export interface RecorderDeps extends RecordDeps {
  readonly timer: Timer;
  readonly realClock: Clock;
}

interface Waiting {
  readonly made: MadeAttempt;
  readonly end: PromiseWithResolvers<boolean>;
}

const BATCH = 256;
const BATCH_CHARACTERS = 1_000_000;
const FEW = 128;
const FEW_WAIT_MS = 16;
/** Several batches share the wait for the disk. */
const WRITERS = 3;
/** Separate from the others because each may wait long for a lock. */
const TROUBLED_WRITERS = 2;
const PAUSES_MS = [50, 200, 1_000];
const HELD_PAUSE_MS = 50;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Attempts that end during one batch form the next. Endpoints in trouble have separate writers, so
 * that a locked one blocks no other.
 */
export class AttemptRecorder {
  readonly #deps: RecorderDeps;
  readonly #plain: Waiting[] = [];
  #plainWriters = 0;
  #isTimed = false;
  /** An endpoint stays here until everything of it is written. */
  readonly #troubled = new Map<string, Waiting[]>();
  readonly #turns: string[] = [];
  #troubledWriters = 0;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /**
   * False when another process took the delivery over. An urgent attempt does not wait for a batch.
   */
  async record(made: MadeAttempt, isUrgent: boolean): Promise<boolean> {
    const end = Promise.withResolvers<boolean>();
    const { endpointGuid } = made.claimed;
    const troubled = this.#troubled.get(endpointGuid);
    if (troubled) {
      troubled.push({ made, end });
    } else if (isPlain(made)) {
      this.#plain.push({ made, end });
      this.#writePlain(isUrgent);
    } else {
      this.#troubled.set(endpointGuid, [{ made, end }]);
      this.#takeTurn(endpointGuid);
    }
    return await end.promise;
  }

  #writePlain(isUrgent: boolean): void {
    if (isUrgent || this.#plain.length >= FEW) {
      while (this.#plain.length > 0 && this.#plainWriters < WRITERS) void this.#writePlainBatch();
    } else if (this.#plain.length > 0 && !this.#isTimed) {
      this.#isTimed = true;
      this.#deps.timer.after(FEW_WAIT_MS, () => {
        this.#isTimed = false;
        this.#writePlain(true);
      });
    }
  }

  async #writePlainBatch(): Promise<void> {
    this.#plainWriters += 1;
    const write = (made: readonly MadeAttempt[]) => recordPlain(this.#deps, made);
    this.#plain.unshift(...(await writeAll(this.#deps, takeBatch(this.#plain), write)));
    this.#plainWriters -= 1;
    this.#writePlain(false);
  }

  #takeTurn(endpointGuid: string): void {
    this.#turns.push(endpointGuid);
    this.#writeTroubled();
  }

  #writeTroubled(): void {
    while (this.#troubledWriters < TROUBLED_WRITERS) {
      const endpointGuid = this.#turns.shift();
      if (endpointGuid === undefined) return;
      void this.#writeTroubledBatch(endpointGuid);
    }
  }

  async #writeTroubledBatch(endpointGuid: string): Promise<void> {
    this.#troubledWriters += 1;
    const line = this.#troubled.get(endpointGuid) ?? [];
    const write = (made: readonly MadeAttempt[]) => recordTroubled(this.#deps, endpointGuid, made);
    const held = await writeAll(this.#deps, takeBatch(line), write);
    line.unshift(...held);
    this.#troubledWriters -= 1;
    if (line.length === 0) this.#troubled.delete(endpointGuid);
    else if (held.length === 0) this.#turns.push(endpointGuid);
    else this.#deps.timer.after(HELD_PAUSE_MS, () => this.#takeTurn(endpointGuid));
    this.#writeTroubled();
  }
}

/**
 * Retries, so that a broken connection loses no outcome. Halves a refused batch until only the
 * refused attempt is left. Returns those whose endpoint is locked, still open.
 */
async function writeAll(
  deps: RecorderDeps,
  batch: readonly Waiting[],
  write: (made: readonly MadeAttempt[]) => Promise<ReadonlySet<number>>,
): Promise<readonly Waiting[]> {
  for (const pauseMs of [...PAUSES_MS, null]) {
    try {
      const written = await write(batch.map(({ made }) => made));
      for (const [index, { end }] of batch.entries()) end.resolve(written.has(index));
      return [];
    } catch (error) {
      if (isSqlState(error, LOCK_NOT_AVAILABLE)) return stillLeased(deps, batch, error);
      // The database refused the data; other errors say nothing about it.
      const isWrong = isPostgresError(error) && /^2[23]/.test(error.code);
      if (isWrong && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2);
        const halves = [batch.slice(0, middle), batch.slice(middle)];
        return (await Array.fromAsync(halves, (half) => writeAll(deps, half, write))).flat();
      }
      if (isWrong || pauseMs === null) {
        for (const { end } of batch) end.reject(error);
        return [];
      }
      await sleep(pauseMs, undefined, deps.timer);
    }
  }
  return [];
}

/** After its lease, a delivery belongs to another process. */
function stillLeased(
  { realClock }: RecorderDeps,
  batch: readonly Waiting[],
  error: unknown,
): readonly Waiting[] {
  return batch.filter(({ made, end }) => {
    const isLeased = made.claimed.leaseExpiresAt.getTime() > realClock.nowMs();
    if (!isLeased) end.reject(error);
    return isLeased;
  });
}

function takeBatch(waiting: Waiting[]): readonly Waiting[] {
  let characters = 0;
  const isFull = ({ made }: Waiting) => {
    characters += made.attempt.answerBody?.length ?? 0;
    return characters > BATCH_CHARACTERS;
  };
  const end = waiting.slice(0, BATCH).findIndex(isFull);
  return waiting.splice(0, end < 0 ? BATCH : Math.max(end, 1));
}
