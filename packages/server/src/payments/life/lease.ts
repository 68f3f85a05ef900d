import { newGuid } from '@servery/support/ids.ts';
import type { PaymentRow } from './store.ts';

export interface Lease {
  readonly leaseHolder: string;
  readonly leaseExpiresAt: Date;
}

/** Longer than the processor's deadline plus the write of its answer. Then others may take over. */
const LEASE_MS = 30_000;

/** This process stops writing the outcome this long before the lease ends. */
export const SETTLE_MARGIN_MS = 8_000;

/** Leaves time for one try even when the processor used up the lease. */
const LEAST_RECORD_LIMIT_MS = 2_000;

/** `realNowMs` is real time, because a sandbox's clock may be frozen. */
export function newLease(realNowMs: number): Lease {
  return { leaseHolder: newGuid(), leaseExpiresAt: new Date(realNowMs + LEASE_MS) };
}

export function recordLimitMs(
  payment: Pick<PaymentRow, 'leaseExpiresAt'>,
  realNowMs: number,
): number {
  const windowMs = payment.leaseExpiresAt ? payment.leaseExpiresAt.getTime() - realNowMs : 0;
  return Math.max(windowMs - SETTLE_MARGIN_MS, LEAST_RECORD_LIMIT_MS);
}
