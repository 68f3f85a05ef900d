import { alarmKinds, velocityDimensions } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../database/database.ts';
import type { Metrics } from '../support/metrics.ts';
import type { AlarmKind } from './alarms/alarm-kinds.ts';
import { listOpenAlarmCounts } from './alarms/alarm-store.ts';
import type { VelocityDimension } from './authorize/risk.ts';
import { findOverdue, listUnsettled, workKinds } from './due/due-store.ts';
import { type Cause, moves, unsettledStates } from './life/lifecycle.ts';
import type { PaymentObserver } from './life/record.ts';

export interface PaymentMetricsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
  /** Leases run in real time; leased work isn't overdue. */
  readonly realClock: Clock;
}

/** Counts what this process did. What waits comes from the database, so all processes agree. */
export function paymentMetrics(metrics: Metrics, deps: PaymentMetricsDeps): PaymentObserver {
  const { sql } = deps.database;
  metrics.waiting({
    name: 'payments_due',
    help: 'Payment work that is due and not done yet, by kind.',
    ageHelp: 'How overdue the oldest work of each kind is, by the clock of the environment.',
    label: 'kind',
    values: workKinds,
    clock: deps.clock,
    list: async (now) => {
      const realNow = new Date(deps.realClock.nowMs());
      return await Promise.all(
        workKinds.map(async (kind) => ({ kind, ...(await findOverdue(sql, kind, now, realNow)) })),
      );
    },
  });
  // Due work doesn't show these: each failed try postpones the next.
  metrics.waiting({
    name: 'payments_unsettled',
    help: 'Payments that are waiting for the processor.',
    ageHelp:
      'Longest time that a payment has been waiting for the processor, by the clock of the environment.',
    label: 'state',
    values: unsettledStates,
    clock: deps.clock,
    list: async () =>
      (await listUnsettled(sql)).map(({ state, ...of }) => ({ kind: state, ...of })),
  });
  metrics.gauge({
    name: 'payment_alarms_open',
    help: 'Unacknowledged alarms, by kind: payments that need a person.',
    label: 'kind',
    values: [...alarmKinds],
    read: async () => (await listOpenAlarmCounts(sql)).map(({ kind, count }) => [kind, count]),
  });
  return {
    moved: metrics.counter<Cause>({
      name: 'payment_moves_total',
      help: 'Payment state changes made by this process, by cause.',
      label: 'cause',
      values: [...new Set(moves.map(({ cause }) => cause))],
    }),
    alarmed: metrics.counter<AlarmKind>({
      name: 'payment_alarms_total',
      help: 'Alarms raised by this process, by kind.',
      label: 'kind',
      values: [...alarmKinds],
    }),
    velocityRefused: metrics.counter<VelocityDimension>({
      name: 'payment_velocity_refusals_total',
      help: 'Payments refused by a velocity limit in this process, by what the limit counts.',
      label: 'limit',
      values: velocityDimensions,
    }),
  };
}
