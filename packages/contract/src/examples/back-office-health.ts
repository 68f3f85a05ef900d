import type { Examples } from './example.ts';

const HealthMinute = {
  at: '2026-01-31T18:30:00.000Z',
  requests: { succeeded: 1180, refused: 12, limited: 3, failed: 0, p50Ms: 5, p99Ms: 50 },
  payments: { authorized: 24, denied: 1, unknown: 0, captured: 17, voided: 2, review: 0 },
  webhooks: { delivered: 41, failed: 1 },
  processes: { count: 1, memoryBytes: 188_743_680, cpuShare: 0.12, eventLoopLagP99Ms: 1.5 },
  database: { connections: 12, roundTripMs: 0.4, sizeBytes: 734_003_200 },
} satisfies Examples<'HealthMinute'>['HealthMinute'];

const HealthProcess = {
  name: 'web-1 4121',
  version: '1.0.0',
  startedAt: '2026-01-31T09:00:00.000Z',
  reportedAt: HealthMinute.at,
  memoryBytes: 188_743_680,
  cpuShare: 0.12,
  eventLoopLagP99Ms: 1.5,
} satisfies Examples<'HealthProcess'>['HealthProcess'];

export const healthExamples = {
  HealthMinute,
  HealthProcess,
  Health: {
    minutes: [HealthMinute],
    processes: [HealthProcess],
    webhookQueue: { count: 2, oldestAt: '2026-01-31T18:30:58.000Z' },
    openAlarms: [{ kind: 'CAPTURE_DECLINED', count: 1 }],
  },
} satisfies Examples<'Health' | 'HealthMinute' | 'HealthProcess'>;
