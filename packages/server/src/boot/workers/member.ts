import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { compileCacheEnvironment } from '@servery/support/compile-cache.ts';
import type { MetricsShare } from '../../support/metrics-together.ts';
import { type AskedWorker, SHARE_LIMIT_MS } from './gather-metrics.ts';
import { hangUpWhenGone } from './lost-connections.ts';
import type { Begin, FromWorker, Ready, ToWorker } from './messages.ts';
import { Questions } from './questions.ts';

/** How a worker ended. */
interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A worker, as the process that started it sees it. */
export interface Member extends AskedWorker {
  readonly number: number;
  readonly pid: number | undefined;
  /** Resolves when it is gone; never rejects. */
  readonly gone: Promise<End>;
  /** Lets it begin; gives where it serves. Throws an Error with what it said when it cannot. */
  begin(begin: Begin): Promise<Ready>;
  send(message: ToWorker): void;
  /** Lets it finish what it does; one that has not loaded yet does nothing, and is killed. */
  stop(): void;
}

/** Asks that a worker has of all others. */
export type Asks = Extract<FromWorker, { kind: 'counts' | 'askMetrics' }>;

/** Starts a worker, which loads its program and waits. `onAsk` gets what it asks. */
export function forkMember(
  number: number,
  env: Readonly<Record<string, string | undefined>>,
  onAsk: (member: Member, ask: Asks) => void,
): Member {
  const worker = cluster.fork({ ...compileCacheEnvironment(), ...env });
  hangUpWhenGone(worker.process);
  const gone = Promise.withResolvers<End>();
  const loaded = Promise.withResolvers<void>();
  let isLoaded = false;
  const ready = Promise.withResolvers<Ready>();
  const questions = new Questions<MetricsShare>(SHARE_LIMIT_MS);
  const member: Member = {
    name: String(number),
    number,
    pid: worker.process.pid,
    gone: gone.promise,
    async begin(begin) {
      await Promise.race([loaded.promise, ready.promise]);
      send(worker, begin);
      return await ready.promise;
    },
    send: (message) => send(worker, message),
    stop() {
      if (isLoaded) send(worker, { kind: 'stop' });
      else worker.process.kill('SIGKILL');
    },
    share: () => questions.ask((id) => send(worker, { kind: 'tellShare', id })),
  };
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'counts' || message.kind === 'askMetrics') onAsk(member, message);
    else if (message.kind === 'loaded') {
      isLoaded = true;
      loaded.resolve();
    } else if (message.kind === 'ready') ready.resolve(message);
    else if (message.kind === 'failed') ready.reject(new Error(message.message));
    else questions.answered(message.id, message.share);
  });
  const end = (code: number | null, signal: string | null) => {
    questions.end();
    const how = signal === null ? `with the code ${code}` : `by ${signal}`;
    ready.reject(new Error(`Worker ${number} ended ${how} before it was ready.`));
    gone.resolve({ code, signal });
  };
  worker.once('exit', end);
  // One that could not even be started has no exit, and an error is nothing to fail for otherwise.
  worker.on('error', (error) => {
    if (worker.process.pid !== undefined) return;
    ready.reject(new Error(`Worker ${number} cannot be started: ${error.message}`));
    end(null, null);
  });
  ready.promise.catch(() => {});
  return member;
}

/** A worker that is going needs to be told nothing any more. */
function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.process.send(message, undefined, undefined, () => {});
}
