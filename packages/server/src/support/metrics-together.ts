import { AggregatorRegistry, type Registry } from 'prom-client';

/** A metric with its values, as the library gives it and as it comes back from JSON. */
type Told = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** What one worker tells of its metrics; it can be sent as JSON. */
export interface MetricsShare {
  /** Counters and histograms of what it did, which are added up. */
  readonly sums: readonly Told[];
  /** What is true of its process alone, which is told of each worker. */
  readonly own: readonly Told[];
}

/** The share of a worker, with what it is called in the label `worker`. */
export interface NamedShare extends MetricsShare {
  readonly worker: string;
}

/** The metrics of all workers: sums of what they did, and of each what is its own. */
export function togetherOf(shares: readonly NamedShare[]): Registry {
  const own = shares.map(({ worker, own }) => own.map((metric) => labelled(metric, worker)));
  return AggregatorRegistry.aggregate([...own, ...shares.map(({ sums }) => [...sums])]);
}

/** What several workers did, in one: for those that have ended, which are not forgotten. */
export async function addUp(all: readonly (readonly Told[])[]): Promise<readonly Told[]> {
  return await AggregatorRegistry.aggregate(all.map((sums) => [...sums])).getMetricsAsJSON();
}

/** With a label of its own each value stays what it is, however its kind is added up elsewhere. */
function labelled(metric: Told, worker: string): object {
  const { values } = metric as { values: readonly { labels: object; value: number | null }[] };
  return {
    ...metric,
    aggregator: 'sum',
    // JSON has no NaN, which is what a time is that was not measured yet.
    values: values.flatMap((one) =>
      one.value === null ? [] : [{ ...one, labels: { ...one.labels, worker } }],
    ),
  };
}
