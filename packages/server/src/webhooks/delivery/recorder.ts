import { isRefusal, isSqlState } from '@servery/postgres/postgres-error.ts';
import type { Clock } from '@servery/support/clock.ts';
import { sleep, type Timer } from '@servery/support/timer.ts';
import type { MadeAttempt } from './make-attempt.ts';
import { isPlain, type RecordDeps, recordPlain, recordTroubled } from './record-attempts.ts';

export interface RecorderDeps extends RecordDeps {
  readonly timer: Timer;
  readonly realClock: Clock;
}

/** Attempts that end during one batch form the next. */
export interface AttemptRecorder {
  /**
   * False when another process took the delivery over. An urgent attempt does not wait for a batch.
   */
  record(made: MadeAttempt, isUrgent: boolean): Promise<boolean>;
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

/** Endpoints in trouble have separate writers, so that a locked one blocks no other. */
export function createRecorder(deps: RecorderDeps): AttemptRecorder {
  const plain = new PlainLine(deps);
  const troubled = new TroubledLines(deps);
  return {
    async record(made, isUrgent) {
      const end = Promise.withResolvers<boolean>();
      const isBehindTrouble = troubled.has(made.claimed.endpointGuid);
      if (isPlain(made) && !isBehindTrouble) plain.add({ made, end }, isUrgent);
      else troubled.add({ made, end });
      return await end.promise;
    },
  };
}

class PlainLine {
  readonly #deps: RecorderDeps;
  readonly #waiting: Waiting[] = [];
  #writing = 0;
  #isTimed = false;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  add(waiting: Waiting, isUrgent: boolean): void {
    this.#waiting.push(waiting);
    if (isUrgent || this.#waiting.length >= FEW) this.#begin();
    else this.#beginSoon();
  }

  #begin(): void {
    while (this.#waiting.length > 0 && this.#writing < WRITERS) void this.#write();
  }

  #beginSoon(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    const begin = () => {
      this.#isTimed = false;
      this.#begin();
    };
    this.#deps.timer.after(FEW_WAIT_MS, begin);
  }

  async #write(): Promise<void> {
    this.#writing += 1;
    const batch = takeBatch(this.#waiting);
    const write = (made: readonly MadeAttempt[]) => recordPlain(this.#deps, made);
    this.#waiting.unshift(...(await writeAll(this.#deps, batch, write)));
    this.#writing -= 1;
    if (this.#waiting.length >= FEW) this.#begin();
    else if (this.#waiting.length > 0) this.#beginSoon();
  }
}

class TroubledLines {
  readonly #deps: RecorderDeps;
  /** An endpoint stays here until everything of it is written. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #turns: string[] = [];
  #writing = 0;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  has(endpointGuid: string): boolean {
    return this.#waiting.has(endpointGuid);
  }

  add(waiting: Waiting): void {
    const { endpointGuid } = waiting.made.claimed;
    const line = this.#waiting.get(endpointGuid);
    if (line) {
      line.push(waiting);
      return;
    }
    this.#waiting.set(endpointGuid, [waiting]);
    this.#turns.push(endpointGuid);
    this.#begin();
  }

  #begin(): void {
    while (this.#turns.length > 0 && this.#writing < TROUBLED_WRITERS) void this.#write();
  }

  async #write(): Promise<void> {
    this.#writing += 1;
    const endpointGuid = this.#turns.shift() ?? '';
    const line = this.#waiting.get(endpointGuid) ?? [];
    const batch = takeBatch(line);
    const write = (made: readonly MadeAttempt[]) => recordTroubled(this.#deps, made);
    const held = await writeAll(this.#deps, batch, write);
    line.unshift(...held);
    this.#writing -= 1;
    if (line.length === 0) this.#waiting.delete(endpointGuid);
    else if (held.length > 0) this.#turnSoon(endpointGuid);
    else this.#turns.push(endpointGuid);
    this.#begin();
  }

  #turnSoon(endpointGuid: string): void {
    const turn = () => {
      this.#turns.push(endpointGuid);
      this.#begin();
    };
    this.#deps.timer.after(HELD_PAUSE_MS, turn);
  }
}

type Write = (made: readonly MadeAttempt[]) => Promise<ReadonlySet<number>>;

/**
 * Retries, so that a broken connection loses no outcome. Halves a refused batch until only the
 * refused attempt is left. Returns those whose endpoint is locked, still open.
 */
async function writeAll(
  deps: RecorderDeps,
  batch: readonly Waiting[],
  write: Write,
): Promise<readonly Waiting[]> {
  for (const pauseMs of [...PAUSES_MS, null]) {
    try {
      const written = await write(batch.map(({ made }) => made));
      for (const [index, { end }] of batch.entries()) end.resolve(written.has(index));
      return [];
    } catch (error) {
      if (isSqlState(error, LOCK_NOT_AVAILABLE)) return stillLeased(deps, batch, error);
      const isWrong = isRefusal(error) && isOfWhatIsWritten(error);
      if (isWrong && batch.length > 1) return await writeHalves(deps, batch, write);
      if (isWrong || pauseMs === null) {
        for (const { end } of batch) end.reject(error);
        return [];
      }
    }
    await sleep(pauseMs ?? 0, undefined, deps.timer);
  }
  return [];
}

async function writeHalves(
  deps: RecorderDeps,
  batch: readonly Waiting[],
  write: Write,
): Promise<readonly Waiting[]> {
  const middle = Math.ceil(batch.length / 2);
  const first = await writeAll(deps, batch.slice(0, middle), write);
  return [...first, ...(await writeAll(deps, batch.slice(middle), write))];
}

/** After its lease, a delivery belongs to another process. */
function stillLeased(
  { realClock }: RecorderDeps,
  batch: readonly Waiting[],
  error: unknown,
): readonly Waiting[] {
  const nowMs = realClock.nowMs();
  const isOver = ({ made }: Waiting) => made.claimed.leaseExpiresAt.getTime() <= nowMs;
  for (const { end } of batch.filter(isOver)) end.reject(error);
  return batch.filter((waiting) => !isOver(waiting));
}

/** True when the database refused the data; other errors say nothing about it. */
function isOfWhatIsWritten(error: unknown): boolean {
  return /^(22|23)/.test(String((error as { readonly code?: unknown }).code));
}

function takeBatch(waiting: Waiting[]): readonly Waiting[] {
  let characters = 0;
  const isFull = ({ made }: Waiting) => {
    characters += made.attempt.answer?.length ?? 0;
    return characters > BATCH_CHARACTERS;
  };
  const end = waiting.slice(0, BATCH).findIndex(isFull);
  return waiting.splice(0, end < 0 ? BATCH : Math.max(end, 1));
}
