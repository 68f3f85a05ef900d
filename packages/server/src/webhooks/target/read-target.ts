import type { TargetRules } from './rules.ts';

/** An address that the rules allow as far as its text tells; its name is not resolved yet. */
export interface Target {
  /** The one spelling of it: what is kept, shown and asked. */
  readonly url: string;
  readonly isTls: boolean;
  /** A name in lower case, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
}

/** Why an address is refused, as a sentence for whoever wrote it. */
export interface TargetRefusal {
  readonly refusal: string;
}
