import cluster from 'node:cluster';
import { afterTurn, runEvery } from '@servery/support/runner.ts';
import type { Budgets } from '../../http/pipeline/budgets.ts';
import type { Metrics } from '../../support/metrics.ts';
import { LOOK_MS, ParentBudgets } from './ask-parent.ts';
import type { Begin, FromWorker, ToWorker } from './messages.ts';
import { Questions } from './questions.ts';

/** Longer than the limit of a single worker. */
const METRICS_LIMIT_MS = 5_000;

export type WorkerTies = Pick<ReturnType<typeof openLink>, 'budgets' | 'metrics'> &
  Pick<Begin, 'groupId' | 'isFirst'>;

export function openLink() {
  const begun = Promise.withResolvers<Begin>();
  const ended = Promise.withResolvers<void>();
  const orphaned = Promise.withResolvers<null>();
  const givenUp = Promise.withResolvers<void>();
  const questions = new Questions<Shares>(METRICS_LIMIT_MS);
  let budgets: ParentBudgets | null = null;
  let ownMetrics: Metrics | null = null;
  const tellShare = async (id: number) => {
    const share = (await ownMetrics?.share().catch(() => null)) ?? null;
    await post({ kind: 'share', id, share });
  };
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'granted') budgets?.granted(message);
    else if (message.kind === 'tellShare') void tellShare(message.id);
    else if (message.kind === 'metrics') questions.answered(message.id, message.shares);
    else if (message.kind === 'begin') begun.resolve(message);
    else if (message.kind === 'stop') ended.resolve();
    else givenUp.resolve();
  });
  endWithStarter(() => {
    orphaned.resolve(null);
    ended.resolve();
  });
  return {
    begun: begun.promise,
    /** Resolves when the worker is told to end in good order, or its parent is gone. */
    ended: ended.promise,
    orphaned: orphaned.promise,
    givenUp: givenUp.promise,
    send: post,
    /** Uses `fallback` while the parent is silent. */
    budgets(fallback: Budgets): Budgets {
      const own = new ParentBudgets({ send: (asked) => void post(asked), afterTurn, fallback });
      budgets = own;
      const look = async () => own.look();
      runEvery(LOOK_MS, look, () => {});
      return own;
    },
    metrics(own: Metrics): Metrics {
      ownMetrics = own;
      const text = async () => {
        const shares = await questions.ask((id) => void post({ kind: 'askMetrics', id }));
        if (!shares) throw new Error('the process that starts the workers does not respond');
        return await own.textOfAll(shares);
      };
      return { ...own, text };
    },
  };
}

type Shares = Parameters<Metrics['textOfAll']>[0];

/** A broken channel is no failure: the worker ends because of it. */
function post(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}

/** If the parent was killed, the worker ends in good order; otherwise its database would stay. */
function endWithStarter(end: () => void): void {
  const { worker } = cluster;
  worker?.once('disconnect', () => {
    // Node.js checks this next, and would end the process at once.
    worker.exitedAfterDisconnect = true;
    end();
  });
}
