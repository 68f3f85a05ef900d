import type { Metrics } from '../support/metrics.ts';
import { logOutcomes, type WaitingRequests } from './write-log.ts';

const MS_PER_SECOND = 1_000;

export function countLogged(
  metrics: Metrics,
): (outcome: (typeof logOutcomes)[number], requests: number) => void {
  const sums = { written: 0, dropped: 0, failed: 0 };
  metrics.sums({
    name: 'request_log_total',
    help: 'Requests that were written to the log, dropped for want of room, or not taken.',
    label: 'outcome',
    values: logOutcomes,
    read: () => logOutcomes.map((outcome) => [outcome, sums[outcome]] as const),
  });
  return (outcome, requests) => {
    sums[outcome] += requests;
  };
}

export function watchLogQueue(metrics: Metrics, waiting: () => WaitingRequests): void {
  metrics.gauge({
    name: 'request_log_waiting',
    help: 'Requests that are not written to the log yet, and the age of the oldest.',
    label: 'what',
    values: ['count', 'age_seconds'],
    isOfProcess: true,
    read: async () => {
      const { count, ageMs } = waiting();
      return [
        ['count', count],
        ['age_seconds', ageMs / MS_PER_SECOND],
      ] as const;
    },
  });
}
