import { newGuid } from '@servery/support/ids.ts';
import type { PaymentRow } from './store.ts';

/** Who works on a payment, and until when in real time. */
export interface Lease {
  readonly holder: string;
  readonly expiresAt: Date;
}

/**
 * How long whoever works on a payment has for it, in milliseconds of real time: longer than the
 * processor's deadline and the writing of its answer. After it, others may take over.
 */
const LEASE_MS = 30_000;

/** So long before the end of that window this process stops writing the outcome. */
export const SETTLE_MARGIN_MS = 8_000;

/** Even a processor that used up the window leaves one try so much time. */
const LEAST_RECORD_LIMIT_MS = 2_000;

/** A lease of its own on a payment; `realNowMs` is real time, for a sandbox's clock may stand. */
export function newLease(realNowMs: number): Lease {
  return { holder: newGuid(), expiresAt: new Date(realNowMs + LEASE_MS) };
}

/** How long the outcome of a payment may be tried to be written, in ms from `realNowMs` on. */
export function recordLimitMs(
  payment: Pick<PaymentRow, 'leaseExpiresAt'>,
  realNowMs: number,
): number {
  const windowMs = payment.leaseExpiresAt ? payment.leaseExpiresAt.getTime() - realNowMs : 0;
  return Math.max(windowMs - SETTLE_MARGIN_MS, LEAST_RECORD_LIMIT_MS);
}
