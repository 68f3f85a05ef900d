import { alarmKinds } from '@servery/contract';
import type { Database } from '../db/database.ts';
import type { Clock } from '../support/clock.ts';
import type { Metrics } from '../support/metrics.ts';
import type { AlarmKind } from './alarm-kinds.ts';
import { findOverdueFollowUps } from './attempt-store.ts';
import { findOverdue } from './due-store.ts';
import { type Cause, moves } from './lifecycle.ts';
import type { PaymentObserver } from './record.ts';
import { type VelocityDimension, velocityDimensions } from './velocity-dimensions.ts';

/** How the overdue work of each kind is found; the sweep names the kinds alike. */
const overdueWork = { payment: findOverdue, lateApprovalInquiry: findOverdueFollowUps } as const;
type WorkKind = keyof typeof overdueWork;
const workKinds = Object.keys(overdueWork) as WorkKind[];

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
  const overdue = async (kind: WorkKind) => {
    const nowMs = clock.nowMs();
    const found = await overdueWork[kind](sql, new Date(nowMs), new Date(realClock.nowMs()));
    return { nowMs, ...found };
  };
  metrics.gauge({
    name: 'payments_due',
    help: 'Work on payments that is due and not done yet, by its kind.',
    label: 'kind',
    values: workKinds,
    read: async (kind) => (await overdue(kind)).count,
  });
  metrics.gauge({
    name: 'payments_due_age_seconds',
    help: 'How long work of a kind is overdue at most, by the clock of the environment.',
    label: 'kind',
    values: workKinds,
    read: async (kind) => {
      const { oldest, nowMs } = await overdue(kind);
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
    velocityRefused: metrics.counter<VelocityDimension>({
      name: 'payment_velocity_refusals_total',
      help: 'Payments that this process refused by a velocity limit, by what the limit counts by.',
      label: 'limit',
      values: velocityDimensions,
    }),
  };
}
