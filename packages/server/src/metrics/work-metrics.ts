import type { Clock } from '@servery/support/clock.ts';
import { findWaitingEntries } from '../audit/chain-store.ts';
import type { Database } from '../database/database.ts';
import type { NamedWork } from '../sandbox/mover.ts';
import type { Metrics } from '../support/metrics.ts';

export interface WorkMetricsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
  /** The audit log is sealed in real time. */
  readonly realClock: Clock;
  readonly dueWork: readonly NamedWork[];
}

const MS_PER_SECOND = 1_000;

export function workMetrics(metrics: Metrics, deps: WorkMetricsDeps): void {
  const { database, clock, realClock, dueWork } = deps;
  metrics.gauge({
    name: 'due_work_age_seconds',
    help: 'How overdue the oldest due work of each kind is, by the environment clock.',
    label: 'kind',
    values: dueWork.map(({ kind }) => kind),
    read: async () => {
      const nowMs = clock.nowMs();
      return await Promise.all(
        dueWork.map(async ({ kind, work }) => {
          const dueMs = (await work.nextDueMs()) ?? nowMs;
          return [kind, Math.max(nowMs - dueMs, 0) / MS_PER_SECOND] as const;
        }),
      );
    },
  });
  metrics.gauge({
    name: 'audit_entries_waiting',
    help: 'Audit entries that are not sealed yet, and the age of the oldest one.',
    label: 'what',
    values: ['count', 'age_seconds'],
    read: async () => {
      const { count, oldest } = await findWaitingEntries(database.sql);
      const ageMs = oldest === null ? 0 : Math.max(realClock.nowMs() - oldest.getTime(), 0);
      return [
        ['count', count],
        ['age_seconds', ageMs / MS_PER_SECOND],
      ] as const;
    },
  });
}
