import { runEvery } from '@servery/support/runner.ts';
import { createOrderWork } from '../orders/kitchen/due-work.ts';
import { createGuestErasure } from '../orders/kitchen/erase-guests.ts';
import type { OrderObserver } from '../orders/order-observer.ts';
import { createGuestRetention } from '../payments/due/retention.ts';
import { createPaymentSweep, type SweepDeps } from '../payments/due/sweep.ts';
import { bringBack } from '../sandbox/bring-back.ts';
import type { NamedWork } from '../sandbox/mover.ts';
import { createStockRestoration } from '../stock/restore.ts';
import type { DeadlineWork } from '../support/due-work.ts';
import { orderSettingsOf } from './order-settings.ts';
import type { Parts } from './parts.ts';

/**
 * Due work starts within a second (PAY-I3). Looks overlap while the processor is silent, because a
 * look lasts as long as its calls (payments/lanes.ts).
 */
const DUE_WORK_MS = 250;
const DUE_WORK_AT_ONCE = 100;
/** How often to find work that a clock which went back has left far ahead. */
const BRING_BACK_MS = 10_000;
const MINUTE_MS = 60_000;

/** What the life of payments and orders needs. */
export interface LifeDeps extends SweepDeps {
  readonly observer: OrderObserver;
}

export function dueWorkOf(
  parts: Parts,
  sweep: LifeDeps,
  webhooks: DeadlineWork,
): readonly NamedWork[] {
  const { guestRetentionDays, orderGuestDays } = parts.config;
  const orderSettings = orderSettingsOf(parts.config);
  const guestRetention = createGuestRetention({ ...parts, guestRetentionDays });
  return [
    { kind: 'payment', isDeadline: true, work: createPaymentSweep(sweep) },
    {
      kind: 'order',
      isDeadline: true,
      work: createOrderWork({ ...parts, ...sweep, orderSettings }),
    },
    { kind: 'stock', isDeadline: true, work: createStockRestoration(parts) },
    { kind: 'webhook', isDeadline: true, work: webhooks },
    { kind: 'guestRetention', isDeadline: false, work: guestRetention },
    {
      kind: 'orderGuests',
      isDeadline: false,
      work: createGuestErasure({ ...parts, orderGuestDays }),
    },
  ];
}

export function runDueWork(
  { clock, movable, onError }: Parts,
  dueWork: readonly NamedWork[],
): () => Promise<void> {
  const runners = dueWork.map(({ work, isDeadline }) => {
    const run = async () => {
      if (await clock.refresh()) await work.runDue(clock.nowMs(), { isSequential: false });
    };
    // Looks that wait for a slow processor must not delay others. Housekeeping is not urgent.
    return isDeadline
      ? runEvery(DUE_WORK_MS, run, onError, DUE_WORK_AT_ONCE)
      : runEvery(MINUTE_MS, run, onError);
  });
  if (movable) {
    runners.push(runEvery(BRING_BACK_MS, () => bringBack({ clock: movable, dueWork }), onError));
  }
  return async () => {
    await Promise.all(runners.map((runner) => runner.stop()));
  };
}
