import { isRefusal, isSqlState } from '@servery/postgres/postgres-error.ts';
import type { Clock } from '@servery/support/clock.ts';
import { sleep, type Timer } from '@servery/support/timer.ts';
import type { MadeAttempt } from './make-attempt.ts';
import { isPlain, type RecordDeps, recordPlain, recordTroubled } from './record-attempts.ts';

/** What a recorder leans on. */
export interface RecorderDeps extends RecordDeps {
  readonly timer: Timer;
  /** By which leases run. */
  readonly realClock: Clock;
}

/** Writes down what others make: what comes while one batch is written makes the next one. */
export interface AttemptRecorder {
  /**
   * Resolves when it is written: true, or false for what somebody else took over. Nobody waits for
   * others to come along when it `isUrgent`.
   */
  record(made: MadeAttempt, isUrgent: boolean): Promise<boolean>;
}

interface Waiting {
  readonly made: MadeAttempt;
  readonly end: PromiseWithResolvers<boolean>;
}

/** At most so many are written by one statement, with so many characters of answers. */
const BATCH = 256;
const BATCH_CHARACTERS = 1_000_000;
/** So many are written at once; fewer wait for so long for others. */
const FEW = 128;
const FEW_WAIT_MS = 16;
/** So many batches are written at once: the disk is waited for together. */
const WRITERS = 3;
/** Endpoints in trouble have writers of their own: each may be held by somebody for long. */
const TROUBLED_WRITERS = 2;
/** After so long a batch that could not be written is written again. */
const PAUSES_MS = [50, 200, 1_000];
const HELD_PAUSE_MS = 50;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Makes a recorder. What changes nothing about its endpoint is written many at a time. An endpoint
 * that fails has a line of its own, so that whoever holds it holds up nobody else.
 */
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

/** What is written many at a time, of whatever endpoints. */
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

/** What is written for each endpoint by itself, in the order in which it ended. */
class TroubledLines {
  readonly #deps: RecorderDeps;
  /** What waits, by endpoint; an endpoint is there as long as anything of it is not written. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Endpoints that wait for a writer. */
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

  /** Somebody holds the endpoint: others are written meanwhile. */
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
 * Writes a batch, again and again while it may help: the outcome of an attempt is not lost because
 * a connection broke. Where the database refuses it, it is halved until only the one is left that
 * is refused. Ends each one, but for those it gives: their endpoint is held by somebody.
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

/** Those of which the lease has not ended; the others are somebody else's by now. */
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

/** True for a refusal of a value, or of what it breaks: others say nothing of what is written. */
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
