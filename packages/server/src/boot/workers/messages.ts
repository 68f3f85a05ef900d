import type { Count, WindowCounts } from '../../http/pipeline/rate-limit.ts';
import type { MetricsShare, NamedShare } from '../../support/metrics-together.ts';

export interface Counts {
  readonly kind: 'counts';
  readonly id: number;
  readonly counts: readonly Count[];
}

export interface Counted {
  readonly kind: 'counted';
  readonly id: number;
  readonly used: readonly WindowCounts[];
}

export interface Begin {
  readonly kind: 'begin';
  /** Starts at 1; a replacement keeps the number. */
  readonly number: number;
  /** True for the worker that prepares what is prepared only once, before the others begin. */
  readonly isFirst: boolean;
  readonly groupId: string;
  readonly port: number;
  readonly tlsPort: number;
}

export interface Ready {
  readonly kind: 'ready';
  readonly url: string;
  readonly tlsUrl: string | null;
  readonly greeting: string;
}

export type FromWorker =
  | { readonly kind: 'loaded' }
  | Ready
  | { readonly kind: 'failed'; readonly message: string }
  | Counts
  | { readonly kind: 'askMetrics'; readonly id: number }
  | { readonly kind: 'share'; readonly id: number; readonly share: MetricsShare | null };

export type ToWorker =
  | Begin
  | { readonly kind: 'stop' }
  | { readonly kind: 'giveUp' }
  | Counted
  | { readonly kind: 'tellShare'; readonly id: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly shares: readonly NamedShare[] };
