import type { Health, HealthProcess } from '@servery/contract';
import { command } from '../command.ts';
import { type Columns, counted, rows, type Shown } from '../shown.ts';

const BYTES_PER_MB = 1_000_000;

const columns: Columns<HealthProcess> = {
  process: 'name',
  version: 'version',
  started: 'startedAt',
  'CPU share': 'cpuShare',
  'memory, MB': ({ memoryBytes }) => Math.round(memoryBytes / BYTES_PER_MB),
  'event loop delay, ms': 'eventLoopLagP99Ms',
};

export const healthCommand = command({
  name: 'health',
  summary: "View the platform's activity in the last minute, its processes, and open alarms",
  examples: ['servery health'],
  operation: 'backOffice.health.get',
  show: shown,
});

function shown(health: Health): Shown {
  const last = health.minutes.at(-1);
  const table = rows(columns, health.processes, 'The first minute is being counted.');
  const notes = [
    ...(last ? [minuteText(last)] : []),
    ...health.openAlarms.map(({ kind, count }) => `${counted(count, 'open alarm')}: ${kind}.`),
  ];
  return { ...table, json: health, notes: [...(table.notes ?? []), ...notes] };
}

function minuteText({ at, requests }: Health['minutes'][number]): string {
  const { succeeded, refused, limited, failed, p99Ms } = requests;
  const within = p99Ms === null ? '' : `, 99% of them within ${p99Ms} ms`;
  return (
    `${counted(succeeded + refused + limited + failed, 'request')} in the minute from ${at}` +
    `${within}: ${refused} refused, ${limited} over a limit, ${failed} failed.`
  );
}
