import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { compileCacheEnvironment } from '@servery/support/compile-cache.ts';
import type { MetricsShare } from '../../support/metrics-together.ts';
import { type AskedWorker, SHARE_LIMIT_MS } from './gather-metrics.ts';
import { hangUpWhenGone } from './lost-connections.ts';
import type { Begin, FromWorker, Ready, ToWorker } from './messages.ts';
import { Questions } from './questions.ts';

interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Member extends AskedWorker {
  readonly number: number;
  readonly pid: number | undefined;
  /** Never rejects. */
  readonly gone: Promise<End>;
  /** Throws an Error with what the worker said if it cannot begin. */
  begin(begin: Begin): Promise<Ready>;
  send(message: ToWorker): void;
  /** A worker that has not loaded yet is killed. */
  stop(): void;
}

export type Asks = Extract<FromWorker, { kind: 'asked' | 'askMetrics' }>;

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
    if (message.kind === 'asked' || message.kind === 'askMetrics') onAsk(member, message);
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
  // A worker that could not start has no exit event.
  worker.on('error', (error) => {
    if (worker.process.pid !== undefined) return;
    ready.reject(new Error(`Worker ${number} cannot be started: ${error.message}`));
    end(null, null);
  });
  ready.promise.catch(() => {});
  return member;
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.process.send(message, undefined, undefined, () => {});
}
