import { LATE, within } from '@servery/support/timer.ts';
import { addUp, type MetricsShare, type NamedShare } from '../../support/metrics-together.ts';

export interface AskedWorker {
  readonly name: string;
  share(): Promise<MetricsShare | null>;
}

export type MetricsGatherer = ReturnType<typeof gatherMetrics>;

/** A busier worker counts with its last share. */
export const SHARE_LIMIT_MS = 2_000;

export function gatherMetrics(
  workers: () => readonly AskedWorker[],
  ofStarter: () => Promise<MetricsShare>,
) {
  const last = new Map<AskedWorker, MetricsShare['sums']>();
  let past: MetricsShare['sums'] = [];
  let keeping: Promise<void> = Promise.resolve();
  const ask = async (worker: AskedWorker): Promise<NamedShare> => {
    const share = await within(worker.share(), SHARE_LIMIT_MS);
    if (share === LATE || share === null)
      return { worker: worker.name, sums: last.get(worker) ?? [], own: [] };
    // A worker that has ended meanwhile is already in the past.
    if (workers().includes(worker)) last.set(worker, share.sums);
    return { worker: worker.name, ...share };
  };
  return {
    async gather(): Promise<readonly NamedShare[]> {
      const asked = workers();
      const starter = { worker: 'starter', ...(await ofStarter()) };
      const shares = await Promise.all(asked.map(ask));
      for (let kept = null; kept !== keeping; ) {
        kept = keeping;
        await kept;
      }
      // The past already holds workers that ended while they were asked.
      const present = shares.filter((_share, at) => workers().includes(asked[at] as AskedWorker));
      return [starter, ...present, { worker: 'ended', sums: past, own: [] }];
    },
    /** Keeps the last share of a worker, because a sum that falls looks like a restart. */
    ended(worker: AskedWorker): void {
      const sums = last.get(worker);
      last.delete(worker);
      if (!sums) return;
      keeping = keeping.then(async () => {
        past = await addUp([past, sums]);
      });
      // The next caller sees the error.
      keeping.catch(() => {});
    },
  };
}
