import { LATE, within } from '@servery/support/timer.ts';
import { addUp, type MetricsShare, type NamedShare } from '../../support/metrics-together.ts';

/** A worker that is asked what it did. */
export interface AskedWorker {
  /** What it is called in the label `worker`. */
  readonly name: string;
  /** Null when it cannot tell. */
  share(): Promise<MetricsShare | null>;
}

/** Gathers the metrics of all workers. */
export interface MetricsGatherer {
  /** What each of the workers tells now, and what those did that have ended. */
  gather(): Promise<readonly NamedShare[]>;
  /** Keeps what a worker told last: a sum that fell would look like a restart of the platform. */
  ended(worker: AskedWorker): void;
}

/** A worker that is too busy to tell for so long is told of as it was last, in milliseconds. */
export const SHARE_LIMIT_MS = 2_000;

/** `ofStarter` is what the process that started the workers tells of itself. */
export function gatherMetrics(
  workers: () => readonly AskedWorker[],
  ofStarter: () => Promise<MetricsShare>,
): MetricsGatherer {
  const last = new Map<AskedWorker, MetricsShare['sums']>();
  let past: MetricsShare['sums'] = [];
  let keeping: Promise<void> = Promise.resolve();
  const ask = async (worker: AskedWorker): Promise<NamedShare> => {
    const share = await within(worker.share(), SHARE_LIMIT_MS);
    if (share === LATE || share === null)
      return { worker: worker.name, sums: last.get(worker) ?? [], own: [] };
    // One that has ended meanwhile was added to the past as it was told last.
    if (workers().includes(worker)) last.set(worker, share.sums);
    return { worker: worker.name, ...share };
  };
  return {
    async gather() {
      const asked = workers();
      const starter = { worker: 'starter', ...(await ofStarter()) };
      const shares = await Promise.all(asked.map(ask));
      for (let kept = null; kept !== keeping; ) {
        kept = keeping;
        await kept;
      }
      // Whoever ended while it was asked stands in the past already.
      const present = shares.filter((_share, at) => workers().includes(asked[at] as AskedWorker));
      return [starter, ...present, { worker: 'ended', sums: past, own: [] }];
    },
    ended(worker) {
      const sums = last.get(worker);
      last.delete(worker);
      if (!sums) return;
      keeping = keeping.then(async () => {
        past = await addUp([past, sums]);
      });
      // Whoever gathers next is told of it; here nobody listens.
      keeping.catch(() => {});
    },
  };
}
