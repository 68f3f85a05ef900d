import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SentRequest, SentStatus } from './sender-thread.ts';

/** Sends requests from a thread of its own, so that the work of the client is not measured. */
export interface Sender {
  /** Gives the status; 0 when the connection broke. */
  send(request: SentRequest): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the thread. It sends one request after the other. */
export function startSender(): Sender {
  const worker = new Worker(new URL('./sender-thread.ts', import.meta.url));
  return {
    async send(request) {
      worker.postMessage(request);
      const [answer] = (await once(worker, 'message')) as [SentStatus];
      return answer.status;
    },
    stop: async () => void (await worker.terminate()),
  };
}
