import type { MetricsShare, NamedShare } from '../../support/metrics-together.ts';

/** One request to be counted: key, index of the second and the quarter hour, and `perSecond`. */
export type ToldCount = readonly [key: string, second: number, quarterHour: number, limit: number];

/** Requests of one turn of a worker's event loop, to be counted. */
export interface Counts {
  readonly kind: 'counts';
  readonly id: number;
  readonly counts: readonly ToldCount[];
}

/** What came of `Counts`: for each request what was used of its second and of its quarter hour. */
export interface Counted {
  readonly kind: 'counted';
  readonly id: number;
  readonly used: readonly number[];
}

/** What a worker is told to begin with. */
export interface Begin {
  readonly kind: 'begin';
  /** From 1; whoever replaces a worker has its number. */
  readonly number: number;
  /** True for the one that prepares what is prepared once, before all others begin. */
  readonly isFirst: boolean;
  /** A GUID that all workers of one process have in common. */
  readonly groupId: string;
  readonly port: number;
  readonly tlsPort: number;
}

/** A worker serves. */
export interface Ready {
  readonly kind: 'ready';
  readonly url: string;
  readonly tlsUrl: string | null;
  /** What the terminal shows; empty for all but the first. */
  readonly greeting: string;
}

/** What a worker says to the process that started it. */
export type FromWorker =
  | { readonly kind: 'loaded' }
  | Ready
  | { readonly kind: 'failed'; readonly message: string }
  | Counts
  | { readonly kind: 'askMetrics'; readonly id: number }
  | { readonly kind: 'share'; readonly id: number; readonly share: MetricsShare | null };

/** What a worker is told by the process that started it. */
export type ToWorker =
  | Begin
  | { readonly kind: 'stop' }
  | { readonly kind: 'giveUp' }
  | Counted
  | { readonly kind: 'tellShare'; readonly id: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly shares: readonly NamedShare[] };
