import type { StockState } from '@servery/contract';
import { stock as texts } from '../../messages.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatCount, formatNear } from '../../platform/format.ts';

/** The stock of an item in a few words. */
export function describeStock({ status, quantity, until }: StockState, timeZone: string): string {
  if (status === 'QUANTITY') return texts.state.left(formatCount(quantity ?? 0));
  if (status === 'IN_STOCK') return texts.state.in;
  if (until === null) return texts.state.out;
  return texts.state.outUntil(formatNear(until, nowMs.peek(), timeZone));
}
