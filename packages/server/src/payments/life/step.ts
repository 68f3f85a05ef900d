import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { callWithDeadline } from '../processors/deadline.ts';
import type { Processor } from '../processors/processor.ts';
import type { PaymentMove } from './outcome.ts';
import type { OutcomeDeps } from './record.ts';
import type { PaymentRow } from './store.ts';

export interface SettleDeps extends OutcomeDeps {
  readonly processor: Processor;
}

export type Step =
  | { readonly move: PaymentMove }
  /** A call had no result; the text says why, for the log. */
  | { readonly retry: string; readonly atMs: number }
  | { readonly restUntil: Date | null };

export const SETTLE_DEADLINE_MS = 5_000;

/** A call may still arrive this long after it began, so "not found" isn't proof until then. */
export const CALL_MAY_ARRIVE_MS = 20_000;

/** About four minutes of calls without a result. */
export const TRIES_BEFORE_ALARM = 9;

const FIRST_DELAY_MS = 1_000;

export const LONGEST_DELAY_MS = 5 * 60_000;

/** Throws only `CallNotBegun`. */
export function ask(
  { processor, timer }: Pick<SettleDeps, 'processor' | 'timer'>,
  call: (processor: Processor, signal: AbortSignal) => Promise<ProcessorAnswer>,
): Promise<ProcessorAnswer> {
  return callWithDeadline(timer, SETTLE_DEADLINE_MS, (signal) => call(processor, signal));
}

export function inquire(
  deps: Pick<SettleDeps, 'processor' | 'timer'>,
  key: string,
): Promise<ProcessorAnswer> {
  return ask(deps, (processor, signal) => processor.inquire({ key }, signal));
}

/** 1 s, 2 s, … up to five minutes. */
export function backOffMs(tries: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.max(tries - 1, 0), LONGEST_DELAY_MS);
}

export function tryAgain(payment: PaymentRow, reason: string, nowMs: number): Step {
  return { retry: reason, atMs: nowMs + backOffMs(payment.tries + 1) };
}
