import { Worker } from 'node:worker_threads';
import { LATE, within } from '@servery/support/timer.ts';
import { ApiError } from '../../http/errors.ts';
import type { Question, Reply } from './thread.ts';
import { call, type ExaminationName, ExaminationWork } from './work.ts';

type Asked<Name extends ExaminationName> = ReturnType<ExaminationWork[Name]>;

/** An examination, wherever it is made. */
export interface Examination {
  /** Calls the method of `ExaminationWork`; throws what it throws. */
  ask<Name extends ExaminationName>(
    name: Name,
    ...values: Parameters<ExaminationWork[Name]>
  ): Promise<Asked<Name>>;
}

/** Lets configurations be examined without holding up what else the process does. */
export interface Examiner {
  /**
   * Examines in `work`: at once where little is looked at, else on a thread of its own, where only
   * one examination is made at a time and others wait. Nobody may wait who holds a connection to
   * the database. Throws what `work` throws, and ApiError `unavailable` when too many wait, when
   * the process stops, and when the thread does not come to an end.
   */
  examine<Result>(
    isLarge: boolean,
    work: (examination: Examination) => Promise<Result>,
  ): Promise<Result>;
  /** Ends the thread. */
  stop(): Promise<void>;
}

/** Each of them may hold a document of some megabytes. */
const WAITING_AT_MOST = 16;
/** The database ends a transaction in which nothing happens for so long, so that more is no use. */
const ANSWER_LIMIT_MS = 60_000;
/** A document that needs more memory ends the thread, and not the process. */
const MEMORY_MIB = 1_024;

/** What an examiner may be told. */
export interface ExaminerOptions {
  /** Is aborted when the process stops: whoever waits then is not waited for. */
  readonly stopping?: AbortSignal;
}

/** Makes an examiner; its thread begins when it is first needed. */
export function createExaminer({ stopping }: ExaminerOptions = {}): Examiner {
  let thread: ExaminationThread | null = null;
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  return {
    examine: async (isLarge, work) => {
      if (!isLarge) return await work(examinationHere());
      if (waiting >= WAITING_AT_MOST) throw tooMany();
      waiting += 1;
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      try {
        await before;
        if (stopping?.aborted) throw stops();
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

function tooMany(): ApiError {
  return new ApiError(
    'unavailable',
    'Too many large configurations wait to be examined: try again in a minute.',
    { headers: { 'retry-after': '60' } },
  );
}

function stops(): ApiError {
  return new ApiError('unavailable', 'The platform stops: try again in a minute.', {
    headers: { 'retry-after': '60' },
  });
}

function takesTooLong(): ApiError {
  return new ApiError(
    'unavailable',
    'To examine the configuration takes too long: try again when the platform has less to do, or ' +
      'with a smaller document.',
    { headers: { 'retry-after': '60' } },
  );
}

/** An examination that another thread makes. */
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
    // The process lives while somebody waits for an answer, and no longer.
    this.#worker.ref();
    this.#worker.postMessage({ number: this.#number, name, values } satisfies Question);
    const answer = await within(asked.promise, ANSWER_LIMIT_MS);
    if (answer !== LATE) return answer as Asked<Name>;
    // Without an end all others would wait for ever.
    this.#end(takesTooLong());
    throw takesTooLong();
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
