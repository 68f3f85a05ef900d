import { alarmKinds } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../database/database.ts';
import type { Metrics } from '../support/metrics.ts';
import type { AlarmKind } from './alarms/alarm-kinds.ts';
import { listOpenAlarmCounts } from './alarms/alarm-store.ts';
import { type VelocityDimension, velocityDimensions } from './authorize/risk.ts';
import { findOverdue } from './due/due-store.ts';
import { findOverdueFollowUps } from './due/follow-up-store.ts';
import { listUnsettled, unsettledStates } from './due/unsettled-store.ts';
import { type Cause, moves } from './life/lifecycle.ts';
import type { PaymentObserver } from './life/record.ts';

/** The sweep uses the same names. */
const overdueWork = { payment: findOverdue, lateApprovalInquiry: findOverdueFollowUps } as const;
type WorkKind = keyof typeof overdueWork;
const workKinds = Object.keys(overdueWork) as WorkKind[];

export interface PaymentMetricsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
  /** Leases run in real time; leased work isn't overdue. */
  readonly realClock: Clock;
}

/** Counts what this process did. What waits comes from the database, so all processes agree. */
export function paymentMetrics(metrics: Metrics, deps: PaymentMetricsDeps): PaymentObserver {
  gaugeDueWork(metrics, deps);
  gaugeUnsettled(metrics, deps);
  metrics.gauge({
    name: 'payment_alarms_open',
    help: 'Alarms that nobody has taken note of, by their kind: payments that need a person.',
    label: 'kind',
    values: [...alarmKinds],
    read: async () =>
      (await listOpenAlarmCounts(deps.database.sql)).map(({ kind, count }) => [kind, count]),
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
    velocityRefused: metrics.counter<VelocityDimension>({
      name: 'payment_velocity_refusals_total',
      help: 'Payments that this process refused by a velocity limit, by what the limit counts by.',
      label: 'limit',
      values: velocityDimensions,
    }),
  };
}

function gaugeDueWork(
  metrics: Metrics,
  { database: { sql }, clock, realClock }: PaymentMetricsDeps,
): void {
  const overdue = async () => {
    const nowMs = clock.nowMs();
    const realNow = new Date(realClock.nowMs());
    return await Promise.all(
      workKinds.map(async (kind) => {
        const { count, oldest } = await overdueWork[kind](sql, new Date(nowMs), realNow);
        return { kind, count, ageSeconds: ageSeconds(oldest, nowMs) };
      }),
    );
  };
  metrics.gauge({
    name: 'payments_due',
    help: 'Work on payments that is due and not done yet, by its kind.',
    label: 'kind',
    values: workKinds,
    read: async () => (await overdue()).map(({ kind, count }) => [kind, count]),
  });
  metrics.gauge({
    name: 'payments_due_age_seconds',
    help: 'How long work of a kind is overdue at most, by the clock of the environment.',
    label: 'kind',
    values: workKinds,
    read: async () => (await overdue()).map(({ kind, ageSeconds }) => [kind, ageSeconds]),
  });
}

/** Due work doesn't show these: each failed try postpones the next. */
function gaugeUnsettled(metrics: Metrics, { database: { sql }, clock }: PaymentMetricsDeps): void {
  metrics.gauge({
    name: 'payments_unsettled',
    help: 'Payments in a state that only the processor ends, whenever they are tried next.',
    label: 'state',
    values: unsettledStates,
    read: async () => (await listUnsettled(sql)).map(({ state, count }) => [state, count]),
  });
  metrics.gauge({
    name: 'payments_unsettled_age_seconds',
    help: 'How long a payment is in such a state at most, by the clock of the environment.',
    label: 'state',
    values: unsettledStates,
    read: async () => {
      const nowMs = clock.nowMs();
      const found = await listUnsettled(sql);
      return found.map(({ state, oldest }) => [state, ageSeconds(oldest, nowMs)]);
    },
  });
}

/** A sandbox's clock may have gone back. */
function ageSeconds(since: Date | null, nowMs: number): number {
  return since === null ? 0 : Math.max(nowMs - since.getTime(), 0) / 1_000;
}
