import type { Processor } from '../processors/processor.ts';
import type { PaymentMove } from './outcome.ts';
import type { OutcomeDeps } from './record.ts';
import type { PaymentRow } from './store.ts';

/** What settling leans on. */
export interface SettleDeps extends OutcomeDeps {
  readonly processor: Processor;
}

/** What is to be done with a payment now: move it, or look again at an instant. */
export type Step =
  | { readonly move: PaymentMove }
  /** Nothing came of a call; the text says why, for the log. */
  | { readonly retry: string; readonly atMs: number }
  /** Nothing is to be done before that instant. */
  | { readonly restUntil: Date | null };

/** How long the processor has to answer a question, a capture or a void, in milliseconds. */
export const SETTLE_DEADLINE_MS = 5_000;

/** So long after its beginning a call may still be under way: "not found" is no proof then. */
export const CALL_MAY_ARRIVE_MS = 20_000;

/** After so many calls in a row without a result, which takes four minutes, a person is told. */
export const TRIES_BEFORE_ALARM = 9;

const FIRST_DELAY_MS = 1_000;

/** Nothing that waits for the processor waits longer than this for its next call, in ms. */
export const LONGEST_DELAY_MS = 5 * 60_000;

/** How long to wait after the `tries`-th call in a row without a result: 1 s, 2 s, … 5 minutes. */
export function backOffMs(tries: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.max(tries - 1, 0), LONGEST_DELAY_MS);
}

/** The step after a call that brought no result: again, a little later than the last time. */
export function tryAgain(payment: PaymentRow, reason: string, nowMs: number): Step {
  return { retry: reason, atMs: nowMs + backOffMs(payment.tries + 1) };
}
