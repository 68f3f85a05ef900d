import { Worker } from 'node:worker_threads';
import { machineTimer } from '@servery/support/timer.ts';
import type { OpenApiThreadData } from './openapi-thread.ts';

/** Who reads one document or page often reads the next, and to start a thread takes longest. */
const IDLE_LIMIT_MS = 10_000;

let thread: RenderingThread | null = null;

/**
 * Renders in a thread, because the largest document takes a fifth of a second. All of the process
 * share it; it ends when it has been idle.
 */
export async function makeInThread(asked: OpenApiThreadData): Promise<Buffer> {
  thread ??= new RenderingThread(() => {
    thread = null;
  });
  return Buffer.from(await thread.render(asked));
}

class RenderingThread {
  readonly #worker = new Worker(new URL('./openapi-thread.ts', import.meta.url));
  /** In the order in which the thread answers. */
  readonly #waiting: PromiseWithResolvers<string>[] = [];
  readonly #onEnd: () => void;
  #stopIdling: () => void = () => {};

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#worker.on('message', (text: string) => this.#take(text));
    this.#worker.on('error', (error: Error) => this.#end(error));
  }

  async render(asked: OpenApiThreadData): Promise<string> {
    this.#stopIdling();
    this.#worker.ref();
    const rendering = Promise.withResolvers<string>();
    this.#waiting.push(rendering);
    this.#worker.postMessage(asked);
    return await rendering.promise;
  }

  #take(text: string): void {
    this.#waiting.shift()?.resolve(text);
    if (this.#waiting.length > 0) return;
    this.#worker.unref();
    const idle = new Error('the thread was idle');
    this.#stopIdling = machineTimer.after(IDLE_LIMIT_MS, () => this.#end(idle), false);
  }

  #end(error: Error): void {
    this.#onEnd();
    for (const rendering of this.#waiting.splice(0)) rendering.reject(error);
    void this.#worker.terminate();
  }
}
