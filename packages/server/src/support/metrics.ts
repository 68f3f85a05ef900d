import type { Clock } from '@servery/support/clock.ts';
import { Counter, collectDefaultMetrics, Gauge, type Histogram, Registry } from 'prom-client';
import { type MetricsShare, type NamedShare, togetherOf } from './metrics-together.ts';

interface Named {
  /** Without our prefix; counters end in `_total`, times in their unit. */
  readonly name: string;
  readonly help: string;
}

interface LabelledOptions<Value extends string> extends Named {
  readonly label: string;
  readonly values: readonly Value[];
}

interface PairOptions<One extends string, Other extends string> extends Named {
  readonly labels: readonly [one: string, other: string];
  readonly values: readonly [ones: readonly One[], others: readonly Other[]];
}

interface TimesOptions<Value extends string> extends LabelledOptions<Value> {
  readonly bucketSeconds: readonly number[];
}

/** For things that come and go, for example endpoints. Labels hold only our own ids. */
interface CountsOfOptions extends Named {
  readonly labels: readonly [thing: string, other: string];
  /** Keeps the most recently counted things; others restart at 0. */
  readonly atMost: number;
}

interface GaugeOptions<Value extends string> extends Named {
  readonly label: string;
  /** Absent for things that come and go, for example endpoints. Labels hold only our own ids. */
  readonly values?: readonly Value[];
  /** True when the value describes this process, for example its pool, and not the platform. */
  readonly isOfProcess?: boolean;
  read(): Promise<Iterable<readonly [Value, number]>>;
}

/** Things that wait, and the age of the oldest of each kind in `…_age_seconds`. */
interface WaitingOptions<Kind extends string> extends LabelledOptions<Kind> {
  readonly ageHelp: string;
  readonly clock: Clock;
  list(now: Date): Promise<readonly WaitingKind<Kind>[]>;
}

interface WaitingKind<Kind extends string> {
  readonly kind: Kind;
  readonly count: number;
  readonly oldest: Date | null;
}

interface CountedValue {
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly value: number;
}

interface SumsOptions<Value extends string> extends LabelledOptions<Value> {
  read(): Iterable<readonly [Value, number]>;
}

/**
 * Labels have a closed list of values, so text from clients can't appear in the metrics or make
 * them grow. Other values aren't counted.
 */
export type Metrics = ReturnType<typeof createMetrics>;

const PREFIX = 'servery_';
const MS_PER_SECOND = 1_000;

export function createMetrics(version = 'unknown') {
  // Work is summed over workers, process values are per worker, and platform values are the same
  // for all, so the worker that is asked reads them.
  const [work, ofProcess, ofAll] = [new Registry(), new Registry(), new Registry()];
  const registers = [work];
  const runtime = metricsOfRuntime();
  addBuild([ofAll], version);
  return {
    counter<Value extends string>({ name, help, label, values }: LabelledOptions<Value>) {
      // Counted for every request, so the library is updated only on a scrape.
      const counts = new Map<Value, number>(values.map((value) => [value, 0]));
      addSums(work, { name, help, label, values, read: () => counts });
      return (value: Value, count = 1) => counts.set(value, (counts.get(value) ?? 0) + count);
    },

    /** Most pairs never happen, so a pair appears with its first count. */
    pairCounter<One extends string, Other extends string>({
      values: [ones, others],
      name,
      help,
      labels,
    }: PairOptions<One, Other>) {
      const known = new Set<string>(others);
      const counts = new Map(ones.map((one) => [one, new Map<Other, number>()]));
      new Counter({
        name: PREFIX + name,
        help,
        labelNames: [...labels],
        registers,
        collect() {
          this.reset();
          for (const [one, ofOne] of counts) {
            for (const [other, count] of ofOne) this.labels(one, other).inc(count);
          }
        },
      });
      return (one: One, other: Other) => {
        const ofOne = counts.get(one);
        if (ofOne && known.has(other)) ofOne.set(other, (ofOne.get(other) ?? 0) + 1);
      };
    },

    /** Takes milliseconds, reports seconds. */
    times: <Value extends string>(options: TimesOptions<Value>) => addTimes(work, options),

    gauge: <Value extends string>(options: GaugeOptions<Value>) =>
      addGauge(options.isOfProcess ? ofProcess : ofAll, options),

    waiting<Kind extends string>({ ageHelp, clock, list, ...shown }: WaitingOptions<Kind>) {
      const waiting = () => list(new Date(clock.nowMs()));
      addGauge(ofAll, {
        ...shown,
        read: async () => (await waiting()).map(({ kind, count }) => [kind, count]),
      });
      // A sandbox's clock may have gone back, so no age is negative.
      const ageSeconds = (since: Date | null) =>
        since === null ? 0 : Math.max(clock.nowMs() - since.getTime(), 0) / MS_PER_SECOND;
      addGauge(ofAll, {
        ...{ ...shown, name: `${shown.name}_age_seconds`, help: ageHelp },
        read: async () => (await waiting()).map(({ kind, oldest }) => [kind, ageSeconds(oldest)]),
      });
    },

    /** For sums kept elsewhere because counting must be cheap. */
    sums: <Value extends string>(options: SumsOptions<Value>) => addSums(work, options),

    countsOf({ name, help, labels, atMost }: CountsOfOptions) {
      const counter = new Counter({
        name: PREFIX + name,
        help,
        labelNames: [...labels],
        registers,
      });
      /** Least recently counted first. */
      const known = new Map<string, Set<string>>();
      return (thing: string, other: string) => {
        const others = known.get(thing) ?? new Set<string>();
        known.delete(thing);
        known.set(thing, others.add(other));
        counter.labels(thing, other).inc();
        const [oldest] = known.size > atMost ? known : [];
        if (!oldest) return;
        known.delete(oldest[0]);
        for (const one of oldest[1]) counter.remove(oldest[0], one);
      };
    },

    /** A counter or a histogram of this process, as far as it has counted. */
    async readCounts(name: string): Promise<readonly CountedValue[]> {
      const metric = work.getSingleMetric(PREFIX + name);
      if (!metric) throw new Error(`There is no metric ${name}.`);
      return (await metric.get()).values;
    },

    /** Fails when a gauge can't be read. */
    text: () => Registry.merge([runtime, ofProcess, work, ofAll]).metrics(),

    /** For `textOfAll` of another worker; without gauges of the platform. */
    async share(): Promise<MetricsShare> {
      const own = Registry.merge([runtime, ofProcess]);
      return { sums: await work.getMetricsAsJSON(), own: await own.getMetricsAsJSON() };
    },

    /** `shares` includes this worker's own. */
    textOfAll: async (shares: readonly NamedShare[]) =>
      `${await togetherOf(shares).metrics()}\n${await ofAll.metrics()}`,

    mediaType: work.contentType,
  };
}

function addGauge<Value extends string>(
  register: Registry,
  { name, help, label, values, read }: GaugeOptions<Value>,
): void {
  new Gauge({
    name: PREFIX + name,
    help,
    labelNames: [label],
    registers: [register],
    async collect() {
      const found = new Map(await read());
      this.reset();
      for (const value of values ?? found.keys()) {
        this.set({ [label]: value }, found.get(value) ?? 0);
      }
    },
  });
}

function addSums<Value extends string>(
  register: Registry,
  { name, help, label, read }: SumsOptions<Value>,
): void {
  new Counter({
    name: PREFIX + name,
    help,
    labelNames: [label],
    registers: [register],
    collect() {
      this.reset();
      for (const [value, sum] of read()) this.inc({ [label]: value }, sum);
    },
  });
}

function addTimes<Value extends string>(
  register: Registry,
  { name, help, label, values, bucketSeconds }: TimesOptions<Value>,
): (value: Value, durationMs: number) => void {
  const observed = new Map(
    values.map((value) => [value, { counts: bucketSeconds.map(() => 0), count: 0, sum: 0 }]),
  );
  const metricName = PREFIX + name;
  // The library's own histogram builds its label key on every observation, which is slow.
  const metric = {
    ...{ name: metricName, help, type: 'histogram', aggregator: 'sum' },
    async get() {
      const lines = [...observed].flatMap(([value, { counts, count, sum }]) => {
        if (count === 0) return [];
        const labels = { [label]: value };
        return [
          ...counts.map((within, at) => ({
            metricName: `${metricName}_bucket`,
            labels: { le: bucketSeconds[at], ...labels },
            value: within,
          })),
          { metricName: `${metricName}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
          { metricName: `${metricName}_sum`, labels, value: sum },
          { metricName: `${metricName}_count`, labels, value: count },
        ];
      });
      return { name: metricName, help, type: 'histogram', values: lines, aggregator: 'sum' };
    },
  };
  register.registerMetric(metric as unknown as Histogram);
  return (value, durationMs) => {
    const ofValue = observed.get(value);
    if (!ofValue) return;
    const seconds = durationMs / MS_PER_SECOND;
    // Each bucket includes the smaller ones.
    for (
      let at = bucketSeconds.length;
      at > 0 && seconds <= (bucketSeconds[at - 1] ?? 0);
      at -= 1
    ) {
      ofValue.counts[at - 1] = (ofValue.counts[at - 1] ?? 0) + 1;
    }
    ofValue.count += 1;
    ofValue.sum += seconds;
  };
}

function addBuild(registers: Registry[], version: string): void {
  const help = 'The running version and its Node.js version; always 1.';
  const labelNames = ['version', 'node'];
  const gauge = new Gauge({ name: `${PREFIX}build_info`, help, labelNames, registers });
  gauge.set({ version, node: process.version }, 1);
}

let ofRuntime: Registry | null = null;

/** Memory, garbage and the event loop: the same for all environments of the process, and for good. */
function metricsOfRuntime(): Registry {
  if (ofRuntime) return ofRuntime;
  ofRuntime = new Registry();
  collectDefaultMetrics({ register: ofRuntime });
  addEventLoop([ofRuntime]);
  return ofRuntime;
}

/** Sums only grow, so each reader can compute its own interval. */
function addEventLoop(registers: Registry[]): void {
  let told = { active: 0, idle: 0 };
  new Counter({
    name: `${PREFIX}event_loop_seconds_total`,
    help: 'Active and idle time of the event loop; the active share is its load.',
    labelNames: ['state'],
    registers,
    collect() {
      const read = performance.eventLoopUtilization();
      // A decreasing counter would fail the whole scrape.
      const active = Math.max(read.active, told.active);
      const idle = Math.max(read.idle, told.idle);
      this.inc({ state: 'active' }, (active - told.active) / MS_PER_SECOND);
      this.inc({ state: 'idle' }, (idle - told.idle) / MS_PER_SECOND);
      told = { active, idle };
    },
  });
}
