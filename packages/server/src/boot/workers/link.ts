import cluster from 'node:cluster';
import { afterTurn, runEvery } from '@servery/support/runner.ts';
import { LATE, within } from '@servery/support/timer.ts';
import type { RateCounter } from '../../http/pipeline/rate-limit.ts';
import type { Metrics } from '../../support/metrics.ts';
import { createSharedCounter, LOOK_MS, type SharedCounter } from './count-together.ts';
import type { Begin, FromWorker, ToWorker } from './messages.ts';

/** How long the metrics of all workers may take; each of them is given less, in milliseconds. */
const METRICS_LIMIT_MS = 5_000;

/** What a worker has of the process that started it. */
export interface WorkerLink {
  /** Resolves when it is to begin. */
  readonly begun: Promise<Begin>;
  /** Resolves when it is to end in good order: it was told so, or nobody is there to tell it. */
  readonly ended: Promise<void>;
  /** Resolves when it is to end at once. */
  readonly givenUp: Promise<void>;
  /** Resolves once it is on its way. */
  send(message: FromWorker): Promise<void>;
  /** Counts with all workers; in `fallback` while the process that counts for them is silent. */
  rateCounter(fallback: RateCounter): RateCounter;
  /** The metrics of a process with the text of those of all workers. */
  metrics(own: Metrics): Metrics;
}

/** What starting the platform as a worker depends on. */
export type WorkerTies = Pick<WorkerLink, 'rateCounter' | 'metrics'> &
  Pick<Begin, 'groupId' | 'isFirst'>;

/** Opens the channel to the process that started this one as its worker. */
export function openLink(): WorkerLink {
  const begun = Promise.withResolvers<Begin>();
  const ended = Promise.withResolvers<void>();
  const givenUp = Promise.withResolvers<void>();
  const asked = new Map<number, (shares: Shares) => void>();
  let counter: SharedCounter | null = null;
  let ownMetrics: Metrics | null = null;
  const tellShare = async (id: number) => {
    const share = (await ownMetrics?.share().catch(() => null)) ?? null;
    await post({ kind: 'share', id, share });
  };
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'counted') counter?.counted(message);
    else if (message.kind === 'tellShare') void tellShare(message.id);
    else if (message.kind === 'metrics') asked.get(message.id)?.(message.shares);
    else if (message.kind === 'begin') begun.resolve(message);
    else if (message.kind === 'stop') ended.resolve();
    else givenUp.resolve();
  });
  endWithStarter(ended.resolve);
  return {
    begun: begun.promise,
    ended: ended.promise,
    givenUp: givenUp.promise,
    send: post,
    rateCounter(fallback) {
      const own = createSharedCounter({ send: (counts) => void post(counts), afterTurn, fallback });
      counter = own;
      runEvery(
        LOOK_MS,
        async () => own.look(),
        () => {},
      );
      return own;
    },
    metrics(own) {
      ownMetrics = own;
      let lastId = 0;
      const text = async () => {
        lastId += 1;
        const id = lastId;
        const { promise, resolve } = Promise.withResolvers<Shares>();
        asked.set(id, resolve);
        await post({ kind: 'askMetrics', id });
        const shares = await within(promise, METRICS_LIMIT_MS);
        asked.delete(id);
        if (shares === LATE) throw new Error('the process that starts the workers is silent');
        return await own.textOfAll(shares);
      };
      return { ...own, text };
    },
  };
}

type Shares = Parameters<Metrics['textOfAll']>[0];

/** A channel that breaks is no failure: the worker ends for it. */
function post(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}

/** A worker whose starter was killed ends too, and in good order: else its database would stay. */
function endWithStarter(end: () => void): void {
  const { worker } = cluster;
  worker?.once('disconnect', () => {
    // Node.js looks at it next, and would end the process at once.
    worker.exitedAfterDisconnect = true;
    end();
  });
}
