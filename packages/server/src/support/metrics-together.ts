import { AggregatorRegistry, type Registry } from 'prom-client';

type Told = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

export interface MetricsShare {
  readonly sums: readonly Told[];
  readonly own: readonly Told[];
}

export interface NamedShare extends MetricsShare {
  readonly worker: string;
}

export function togetherOf(shares: readonly NamedShare[]): Registry {
  const own = shares.map(({ worker, own }) => own.map((metric) => labelled(metric, worker)));
  return AggregatorRegistry.aggregate([...own, ...shares.map(({ sums }) => [...sums])]);
}

/** Also keeps the counts of workers that ended. */
export async function addUp(all: readonly (readonly Told[])[]): Promise<readonly Told[]> {
  return await AggregatorRegistry.aggregate(all.map((sums) => [...sums])).getMetricsAsJSON();
}

/** The label keeps values apart however their kind is aggregated. */
function labelled(metric: Told, worker: string): object {
  const { values } = metric as { values: readonly { labels: object; value: number | null }[] };
  return {
    ...metric,
    aggregator: 'sum',
    // JSON turns NaN, a time that wasn't measured yet, into null.
    values: values.flatMap((one) =>
      one.value === null ? [] : [{ ...one, labels: { ...one.labels, worker } }],
    ),
  };
}
