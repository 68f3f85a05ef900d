import { alarmKinds } from '@servery/contract';
import type { Database } from '../db/database.ts';
import type { Clock } from '../support/clock.ts';
import type { Metrics } from '../support/metrics.ts';
import type { AlarmKind } from './alarm-kinds.ts';
import { findOverdue } from './due-store.ts';
import { type Cause, moves } from './lifecycle.ts';
import type { PaymentObserver } from './record.ts';

/** What the metrics of payments are read from. */
export interface PaymentMetricsDeps {
  readonly database: Pick<Database, 'sql'>;
  /** The environment's clock, by which payments fall due. */
  readonly clock: Clock;
  /** What somebody works on under a lease, which runs in real time, is not overdue. */
  readonly realClock: Clock;
}

/**
 * Makes the metrics of payments; gives whoever counts. What this process did is counted, and what
 * waits is read from the database, so that every process tells the same of it.
 */
export function paymentMetrics(
  metrics: Metrics,
  { database: { sql }, clock, realClock }: PaymentMetricsDeps,
): PaymentObserver {
  const overdue = async () => {
    const nowMs = clock.nowMs();
    return { nowMs, ...(await findOverdue(sql, new Date(nowMs), new Date(realClock.nowMs()))) };
  };
  metrics.gauge({
    name: 'payments_due',
    help: 'Payments whose next work is due and not done yet.',
    read: async () => (await overdue()).count,
  });
  metrics.gauge({
    name: 'payments_due_age_seconds',
    help: 'How long the work of a payment is overdue at most, by the clock of the environment.',
    read: async () => {
      const { oldest, nowMs } = await overdue();
      return oldest === null ? 0 : (nowMs - oldest.getTime()) / 1_000;
    },
  });
  return {
    moved: metrics.counter<Cause>({
      name: 'payment_moves_total',
      help: 'Changes of the state of a payment that this process brought about, by their cause.',
      label: 'cause',
      values: [...new Set(moves.map(({ cause }) => cause))],
    }),
    alarmed: metrics.counter<AlarmKind>({
      name: 'payment_alarms_total',
      help: 'Alarms that this process raised because a payment needs a person, by their kind.',
      label: 'kind',
      values: [...alarmKinds],
    }),
  };
}
