import { Worker } from 'node:worker_threads';
import { LATE, within } from '@servery/support/timer.ts';
import { ApiError } from '../../http/errors.ts';
import type { Question, Reply } from './thread.ts';
import { call, type ExaminationName, ExaminationWork } from './work.ts';

type Asked<Name extends ExaminationName> = ReturnType<ExaminationWork[Name]>;

export interface Examination {
  ask<Name extends ExaminationName>(
    name: Name,
    ...values: Parameters<ExaminationWork[Name]>
  ): Promise<Asked<Name>>;
}

export interface Examiner {
  /**
   * Examines small configurations at once and others on a thread, one at a time. Nobody may wait
   * while holding a database connection. Throws what `work` throws, and ApiError `unavailable` when
   * too many wait, when the process stops, or when the thread doesn't finish.
   */
  examine<Result>(
    isLarge: boolean,
    work: (examination: Examination) => Promise<Result>,
  ): Promise<Result>;
  stop(): Promise<void>;
}

/** Each of them can hold a document of some megabytes. */
const WAITING_AT_MOST = 16;
/** PostgreSQL ends a transaction that is idle for this long, so waiting longer is no use. */
const ANSWER_LIMIT_MS = 60_000;
/** A document that needs more memory ends the thread, not the process. */
const MEMORY_MIB = 1_024;

const TOO_MANY = 'Too many large configurations are waiting for validation: try again in a minute.';
const STOPS = 'The platform is stopping: try again in a minute.';
const TAKES_TOO_LONG =
  'Validating the configuration took too long: try again when the platform is less busy, or ' +
  'with a smaller document.';

export interface ExaminerOptions {
  /** When it aborts, nobody waits any longer. */
  readonly stopping?: AbortSignal;
}

export function createExaminer({ stopping }: ExaminerOptions = {}): Examiner {
  let thread: ExaminationThread | null = null;
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  return {
    examine: async (isLarge, work) => {
      if (!isLarge) return await work(examinationHere());
      if (waiting >= WAITING_AT_MOST) throw unavailable(TOO_MANY);
      waiting += 1;
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      try {
        await before;
        if (stopping?.aborted) throw unavailable(STOPS);
        if (!thread?.isAlive()) thread = new ExaminationThread();
        return await work(thread).finally(() => thread?.ask('end').catch(() => {}));
      } finally {
        waiting -= 1;
        resolve();
      }
    },
    stop: async () => thread?.stop(),
  };
}

function examinationHere(): Examination {
  const work = new ExaminationWork();
  return {
    ask: async (name, ...values) => call(work, name, values) as never,
  };
}

function unavailable(message: string): ApiError {
  return new ApiError('unavailable', message, { headers: { 'retry-after': '60' } });
}

class ExaminationThread implements Examination {
  readonly #worker: Worker;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  #number = 0;
  #isAlive = true;

  constructor() {
    this.#worker = new Worker(new URL('./thread.ts', import.meta.url), {
      name: 'configurations',
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
    });
    this.#worker.on('message', (reply: Reply) => this.#take(reply));
    this.#worker.on('messageerror', (error) => this.#end(error));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread of examinations has ended')));
    this.#worker.unref();
  }

  isAlive(): boolean {
    return this.#isAlive;
  }

  async ask<Name extends ExaminationName>(
    name: Name,
    ...values: Parameters<ExaminationWork[Name]>
  ): Promise<Asked<Name>> {
    if (!this.#isAlive) throw new Error('the thread of examinations has ended');
    const asked = Promise.withResolvers<unknown>();
    this.#number += 1;
    this.#asked.set(this.#number, asked);
    // Keeps the process alive only while somebody waits for an answer.
    this.#worker.ref();
    this.#worker.postMessage({ number: this.#number, name, values } satisfies Question);
    const answer = await within(asked.promise, ANSWER_LIMIT_MS);
    if (answer !== LATE) return answer as Asked<Name>;
    // Without this, all others would wait forever.
    const error = unavailable(TAKES_TOO_LONG);
    this.#end(error);
    throw error;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(reply: Reply): void {
    const asked = this.#asked.get(reply.number);
    this.#asked.delete(reply.number);
    if (this.#asked.size === 0) this.#worker.unref();
    if (reply.kind === 'answer') asked?.resolve(reply.answer);
    else if (reply.kind === 'failure') asked?.reject(reply.error);
    else {
      const { errorClass, message, faults, headers, developerMessage } = reply.refusal;
      const more = developerMessage === null ? {} : { developerMessage };
      asked?.reject(new ApiError(errorClass, message, { faults, headers, ...more }));
    }
  }

  #end(error: unknown): void {
    this.#fail(error);
    void this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#isAlive = false;
    for (const asked of this.#asked.values()) asked.reject(error);
    this.#asked.clear();
  }
}
