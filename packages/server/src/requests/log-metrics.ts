import type { Metrics } from '../support/metrics.ts';

const MS_PER_SECOND = 1_000;

const logOutcomes = ['written', 'dropped', 'failed'] as const;

export type CountLogged = (outcome: (typeof logOutcomes)[number], requests: number) => void;

export function countLogged(metrics: Metrics): CountLogged {
  return metrics.counter({
    name: 'request_log_total',
    help: 'Requests that were written to the log, dropped because there was no room, or not accepted.',
    label: 'outcome',
    values: logOutcomes,
  });
}

export interface WaitingRequests {
  readonly count: number;
  readonly ageMs: number;
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
      return Object.entries({ count, age_seconds: ageMs / MS_PER_SECOND });
    },
  });
}
