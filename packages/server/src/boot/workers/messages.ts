import type { Ask, Grant } from '../../http/pipeline/budgets.ts';
import type { MetricsShare, NamedShare } from '../../support/metrics-together.ts';

export interface Asked {
  readonly kind: 'asked';
  readonly id: number;
  readonly asks: readonly Ask[];
}

export interface Granted {
  readonly kind: 'granted';
  readonly id: number;
  readonly grants: readonly Grant[];
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
  | Asked
  | { readonly kind: 'askMetrics'; readonly id: number }
  | { readonly kind: 'share'; readonly id: number; readonly share: MetricsShare | null };

export type ToWorker =
  | Begin
  | { readonly kind: 'stop' }
  | { readonly kind: 'giveUp' }
  | Granted
  | { readonly kind: 'tellShare'; readonly id: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly shares: readonly NamedShare[] };
