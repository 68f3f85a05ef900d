import { type Runner, runEvery, runWhenAsked } from '@servery/support/runner.ts';
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

/** While the processor is silent, a run lasts as long as its calls, and others begin meanwhile. */
const DUE_WORK_AT_ONCE = 100;
/** How often to find work that a clock which went back has left far ahead. */
const BRING_BACK_MS = 10_000;
const MINUTE_MS = 60_000;

/** What the life of payments and orders needs. */
export interface LifeDeps extends SweepDeps {
  readonly observer: OrderObserver;
}

/** A look tells whether a deadline of its kind is over. */
type WaitingWork = NamedWork &
  (
    | { readonly isDeadline: true; readonly kind: 'payment' | 'order' | 'stock' | 'webhook' }
    | { readonly isDeadline: false }
  );

export function dueWorkOf(
  parts: Parts,
  sweep: LifeDeps,
  webhooks: DeadlineWork,
): readonly WaitingWork[] {
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
  { looks, clock, movable, processes, onError }: Parts,
  dueWork: readonly WaitingWork[],
): () => Promise<void> {
  const run = async ({ work }: NamedWork) => {
    if (await clock.refresh()) await work.runDue(clock.nowMs(), { isSequential: false });
  };
  const housekeeping = async () => {
    await processes.afterBeat();
    // One after the other: a process at rest needs no second connection for it.
    for (const source of dueWork) if (!source.isDeadline) await run(source);
  };
  const runners: Runner[] = [runEvery(MINUTE_MS, housekeeping, onError)];
  for (const source of dueWork) {
    if (!source.isDeadline) continue;
    const runner = runWhenAsked(() => run(source), onError, DUE_WORK_AT_ONCE);
    runners.push(runner);
    looks.afterEach((waiting) => {
      const dueAt = waiting[source.kind];
      if (dueAt !== null && dueAt.getTime() <= clock.nowMs()) runner.run();
    });
  }
  if (movable) {
    const bringAllBack = async () => {
      await processes.afterBeat();
      await bringBack({ clock: movable, dueWork });
    };
    runners.push(runEvery(BRING_BACK_MS, bringAllBack, onError));
  }
  return async () => {
    await Promise.all(runners.map((runner) => runner.stop()));
  };
}
