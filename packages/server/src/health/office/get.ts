import type { HealthMinute, HealthProcess } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';
import type { HandlersOf, Sent } from '../../http/operation.ts';
import { listOpenAlarmCounts } from '../../payments/alarms/alarm-store.ts';
import { listQueues } from '../../webhooks/delivery/metrics-store.ts';
import { listMinutes, type MinuteRow } from '../health-store.ts';
import { rounded } from '../measure.ts';
import { addUp, showTotals } from '../totals.ts';
import { KEPT_MINUTES, MINUTE_MS, minuteOf } from '../write-minutes.ts';

export interface HealthDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly realClock: Clock;
}

const REPORTING_MINUTES = 2;
const ENDPOINTS_AT_MOST = 1_000;

export const officeHealthHandlers = ({
  database: { sql },
  realClock,
}: HealthDeps): HandlersOf<'backOffice.health.'> => ({
  'backOffice.health.get': async () => {
    const minute = minuteOf(realClock.nowMs());
    const at = (of: number) => new Date(of * MINUTE_MS);
    const [rows, queues, openAlarms] = await Promise.all([
      listMinutes(sql, at(minute - KEPT_MINUTES), at(minute)),
      listQueues(sql, ENDPOINTS_AT_MOST),
      listOpenAlarmCounts(sql),
    ]);
    const counts = queues.map(({ count }) => count);
    return {
      json: {
        minutes: [...Map.groupBy(rows, ({ minute: of }) => of.getTime())].map(showMinute),
        processes: showProcesses(rows, at(minute - REPORTING_MINUTES)),
        webhookQueue: {
          count: sum(counts),
          // The endpoint that has waited longest comes first.
          oldestAt: queues[0]?.oldest ?? null,
        },
        openAlarms,
      },
    };
  },
});

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The rows of all processes in one minute. */
function showMinute([atMs, rows]: readonly [number, readonly MinuteRow[]]): Sent<HealthMinute> {
  const measured = rows.map((row) => row.measured);
  return {
    at: new Date(atMs),
    ...showTotals(addUp(rows.map(({ totals }) => totals))),
    processes: {
      count: rows.length,
      memoryBytes: sum(measured.map(({ memoryBytes }) => memoryBytes)),
      cpuShare: rounded(sum(measured.map(({ cpuShare }) => cpuShare))),
      eventLoopLagP99Ms: Math.max(...measured.map((one) => one.eventLoopLagP99Ms)),
    },
    database: {
      connections: sum(measured.map(({ connections }) => connections)),
      roundTripMs: Math.max(...measured.map(({ roundTripMs }) => roundTripMs)),
      sizeBytes: Math.max(...measured.map(({ databaseBytes }) => databaseBytes)),
    },
  };
}

function showProcesses(rows: readonly MinuteRow[], since: Date): Sent<HealthProcess>[] {
  const latest = new Map(rows.map((row) => [row.processId, row]));
  return [...latest.values()]
    .filter(({ minute, isLast }) => minute >= since && !isLast)
    .sort((one, other) => one.startedAt.getTime() - other.startedAt.getTime())
    .map(({ version, startedAt, minute, measured }) => ({
      name: measured.name,
      version,
      startedAt,
      reportedAt: minute,
      memoryBytes: measured.memoryBytes,
      cpuShare: measured.cpuShare,
      eventLoopLagP99Ms: measured.eventLoopLagP99Ms,
    }));
}
