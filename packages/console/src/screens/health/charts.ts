import type { HealthMinute } from '@servery/contract';
import { health as texts } from '../../messages.ts';
import type { BarSeries, BarsProps } from '../../parts/bars.tsx';
import { formatBytes, formatCount, formatTime, formatUnit } from '../../platform/format.ts';

interface Series extends BarSeries {
  readonly of: (minute: HealthMinute) => number | null;
}

interface Chart extends Pick<BarsProps, 'isOverlaid' | 'format'> {
  readonly label: string;
  readonly series: readonly Series[];
  /** The number of now, of those of the newest minute; without it, their sum. */
  readonly now?: (values: readonly (number | null)[]) => number | null;
}

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** The last step of the histogram. */
const SLOW_MS = 10_000;

const milliseconds = (value: number) => formatUnit(value, 'millisecond');
const percent = (share: number) => formatUnit(share * 100, 'percent');

const countOf = ({ requests }: HealthMinute) =>
  requests.succeeded + requests.refused + requests.limited + requests.failed;

/** Null without requests. */
const latencyOf = (which: 'p50Ms' | 'p99Ms') => (minute: HealthMinute) =>
  countOf(minute) === 0 ? null : (minute.requests[which] ?? SLOW_MS);

const traffic: readonly Chart[] = [
  {
    label: texts.requests,
    series: [
      { name: texts.succeeded, tone: 'good', of: ({ requests }) => requests.succeeded },
      { name: texts.refused, tone: 'info', of: ({ requests }) => requests.refused },
      { name: texts.limited, tone: 'warn', of: ({ requests }) => requests.limited },
      { name: texts.failed, tone: 'bad', of: ({ requests }) => requests.failed },
    ],
  },
  {
    label: texts.latency,
    isOverlaid: true,
    format: (value) => (value < SLOW_MS ? texts.within(milliseconds(value)) : texts.slow),
    series: [
      { name: texts.half, tone: 'good', of: latencyOf('p50Ms') },
      { name: texts.nearlyAll, tone: 'plain', of: latencyOf('p99Ms') },
    ],
    now: (values) => values.at(-1) ?? null,
  },
  {
    label: texts.payments,
    series: [
      { name: texts.authorized, tone: 'good', of: ({ payments }) => payments.authorized },
      { name: texts.captured, tone: 'info', of: ({ payments }) => payments.captured },
      { name: texts.voided, tone: 'plain', of: ({ payments }) => payments.voided },
      { name: texts.denied, tone: 'warn', of: ({ payments }) => payments.denied },
      {
        name: texts.unclear,
        tone: 'bad',
        of: ({ payments }) => payments.unknown + payments.review,
      },
    ],
  },
  {
    label: texts.webhooks,
    series: [
      { name: texts.delivered, tone: 'good', of: ({ webhooks }) => webhooks.delivered },
      { name: texts.undelivered, tone: 'bad', of: ({ webhooks }) => webhooks.failed },
    ],
  },
];

/** One number of each minute. */
const plain = (label: string, name: string, of: Series['of'], format?: Chart['format']): Chart => ({
  label,
  ...(format && { format }),
  series: [{ name, tone: 'good', of }],
});

const processes: readonly Chart[] = [
  plain(texts.cpu, texts.cpuOf, (minute) => minute.processes.cpuShare, percent),
  plain(texts.lag, texts.lagOf, (minute) => minute.processes.eventLoopLagP99Ms, milliseconds),
  plain(texts.memory, texts.memoryOf, (minute) => minute.processes.memoryBytes, formatBytes),
];

const database: readonly Chart[] = [
  plain(texts.roundTrip, texts.roundTripOf, (minute) => minute.database.roundTripMs, milliseconds),
  plain(texts.connections, texts.connectionsOf, (minute) => minute.database.connections),
  plain(texts.size, texts.sizeOf, (minute) => minute.database.sizeBytes, formatBytes),
];

export const sections = { traffic, processes, database };

/** The hour that ends with the newest minute; one that nobody wrote is a gap. */
export function barsOf(chart: Chart, minutes: readonly HealthMinute[]): BarsProps {
  const { now, format = formatCount, ...shown } = chart;
  const byTime = new Map(minutes.map((minute) => [Date.parse(minute.at), minute]));
  const lastMs = Math.max(...byTime.keys());
  const points = Array.from({ length: MINUTES }, (_, index) => {
    const atMs = lastMs - (MINUTES - 1 - index) * MINUTE_MS;
    const minute = byTime.get(atMs);
    const values = chart.series.map(({ of }) => (minute ? of(minute) : null));
    return { name: formatTime(atMs), values };
  });
  const last = points.at(-1)?.values ?? [];
  const value = now ? now(last) : last.reduce((sum: number, each) => sum + (each ?? 0), 0);
  return { ...shown, format, of: texts.minute, points, now: value === null ? null : format(value) };
}
