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

interface GaugeOfOptions extends Named {
  readonly label: string;
  read(): Promise<Iterable<readonly [string, number]>>;
}

interface GaugeOptions<Value extends string> extends LabelledOptions<Value> {
  /** True when the value describes this process, for example its pool, and not the platform. */
  readonly isOfProcess?: boolean;
  read(): Promise<Iterable<readonly [Value, number]>>;
}

/** For sums kept elsewhere because counting must be cheap. */
interface SumsOptions<Value extends string> extends LabelledOptions<Value> {
  read(): Iterable<readonly [Value, number]>;
}

/**
 * Labels have a closed list of values, so text from clients can't appear in the metrics or make
 * them grow. Other values aren't counted.
 */
export interface Metrics {
  counter<Value extends string>(
    options: LabelledOptions<Value>,
  ): (value: Value, count?: number) => void;
  /** Most pairs never happen, so a pair appears with its first count. */
  pairCounter<One extends string, Other extends string>(
    options: PairOptions<One, Other>,
  ): (one: One, other: Other) => void;
  /** Takes milliseconds, reports seconds. */
  times<Value extends string>(
    options: TimesOptions<Value>,
  ): (value: Value, durationMs: number) => void;
  gauge<Value extends string>(options: GaugeOptions<Value>): void;
  sums<Value extends string>(options: SumsOptions<Value>): void;
  countsOf(options: CountsOfOptions): (thing: string, other: string) => void;
  gaugeOf(options: GaugeOfOptions): void;
  /** Fails when a gauge can't be read. */
  text(): Promise<string>;
  /** For `textOfAll` of another worker; without gauges of the platform. */
  share(): Promise<MetricsShare>;
  /** `shares` includes this worker's own. */
  textOfAll(shares: readonly NamedShare[]): Promise<string>;
  readonly mediaType: string;
}

const PREFIX = 'servery_';
const MS_PER_SECOND = 1_000;

export function createMetrics(version = 'unknown'): Metrics {
  // Work is summed over workers, process values are per worker, and platform values are the same
  // for all, so the worker that is asked reads them.
  const [work, ofProcess, ofAll] = [new Registry(), new Registry(), new Registry()];
  const registers = [work];
  collectDefaultMetrics({ register: ofProcess });
  addBuild([ofAll], version);
  addEventLoop([ofProcess]);
  return {
    counter({ name, help, label, values }) {
      const counter = new Counter({ name: PREFIX + name, help, labelNames: [label], registers });
      for (const value of values) counter.inc({ [label]: value }, 0);
      return (value, count) => counter.inc({ [label]: value }, count);
    },
    pairCounter: (options) => addPairCounter(registers, options),
    times: (options) => addTimes(registers, options),
    gauge({ name, help, label, values, isOfProcess, read }) {
      new Gauge({
        name: PREFIX + name,
        help,
        labelNames: [label],
        registers: [isOfProcess ? ofProcess : ofAll],
        async collect() {
          const found = new Map(await read());
          for (const value of values) this.set({ [label]: value }, found.get(value) ?? 0);
        },
      });
    },
    sums: (options) => addSums(registers, options),
    countsOf: (options) => addCountsOf(registers, options),
    gaugeOf: (options) => addGaugeOf([ofAll], options),
    text: () => Registry.merge([ofProcess, work, ofAll]).metrics(),
    async share() {
      const [sums, own] = [await work.getMetricsAsJSON(), await ofProcess.getMetricsAsJSON()];
      return { sums, own };
    },
    textOfAll: async (shares) => `${await togetherOf(shares).metrics()}\n${await ofAll.metrics()}`,
    mediaType: work.contentType,
  };
}

/** Runs for every request, so the library is updated only on a scrape. */
function addPairCounter<One extends string, Other extends string>(
  registers: Registry[],
  { name, help, labels, values: [ones, others] }: PairOptions<One, Other>,
): (one: One, other: Other) => void {
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
  return (one, other) => {
    const ofOne = counts.get(one);
    if (ofOne && known.has(other)) ofOne.set(other, (ofOne.get(other) ?? 0) + 1);
  };
}

interface Observed {
  readonly buckets: Float64Array;
  sum: number;
}

function addTimes<Value extends string>(
  registers: Registry[],
  { name, help, label, values, bucketSeconds }: TimesOptions<Value>,
): (value: Value, durationMs: number) => void {
  const observed = new Map<string, Observed>();
  for (const value of values) {
    observed.set(value, { buckets: new Float64Array(bucketSeconds.length + 1), sum: 0 });
  }
  const metric = new TimesMetric({ name: PREFIX + name, help, label, bucketSeconds }, observed);
  // The library's own histogram builds its label key on every observation, which is slow.
  for (const register of registers) register.registerMetric(metric as unknown as Histogram);
  return (value, durationMs) => {
    const ofValue = observed.get(value);
    if (!ofValue) return;
    const seconds = durationMs / MS_PER_SECOND;
    let bucket = 0;
    while (bucket < bucketSeconds.length && seconds > (bucketSeconds[bucket] ?? 0)) bucket += 1;
    ofValue.buckets[bucket] = (ofValue.buckets[bucket] ?? 0) + 1;
    ofValue.sum += seconds;
  };
}

class TimesMetric {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly #label: string;
  readonly #ends: readonly number[];
  readonly #observed: ReadonlyMap<string, Observed>;

  constructor(
    given: Named & { readonly label: string; readonly bucketSeconds: readonly number[] },
    observed: ReadonlyMap<string, Observed>,
  ) {
    this.name = given.name;
    this.help = given.help;
    this.#label = given.label;
    this.#ends = given.bucketSeconds;
    this.#observed = observed;
  }

  async get() {
    const { name, help, type, aggregator } = this;
    const values = [...this.#observed].flatMap(([value, observed]) =>
      this.#linesOf(value, observed),
    );
    return { name, help, type, values, aggregator };
  }

  #linesOf(value: string, { buckets, sum }: Observed) {
    const labels = { [this.#label]: value };
    let count = 0;
    const lines = [...buckets].map((inBucket, at) => {
      count += inBucket;
      const le = this.#ends[at] ?? '+Inf';
      return { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: count };
    });
    if (count === 0) return [];
    lines.push({ metricName: `${this.name}_sum`, labels: { ...labels } as never, value: sum });
    lines.push({ metricName: `${this.name}_count`, labels: { ...labels } as never, value: count });
    return lines;
  }
}

function addCountsOf(registers: Registry[], { name, help, labels, atMost }: CountsOfOptions) {
  const counter = new Counter({ name: PREFIX + name, help, labelNames: [...labels], registers });
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
}

function addSums<Value extends string>(
  registers: Registry[],
  { name, help, label, read }: SumsOptions<Value>,
): void {
  new Counter({
    name: PREFIX + name,
    help,
    labelNames: [label],
    registers,
    collect() {
      this.reset();
      for (const [value, sum] of read()) this.inc({ [label]: value }, sum);
    },
  });
}

function addGaugeOf(registers: Registry[], { name, help, label, read }: GaugeOfOptions): void {
  new Gauge({
    name: PREFIX + name,
    help,
    labelNames: [label],
    registers,
    async collect() {
      const found = [...(await read())];
      this.reset();
      for (const [thing, value] of found) this.set({ [label]: thing }, value);
    },
  });
}

function addBuild(registers: Registry[], version: string): void {
  const help = 'Which version runs on which Node.js; always 1.';
  const labelNames = ['version', 'node'];
  const gauge = new Gauge({ name: `${PREFIX}build_info`, help, labelNames, registers });
  gauge.set({ version, node: process.version }, 1);
}

/** Sums only grow, so each reader can compute its own interval. */
function addEventLoop(registers: Registry[]): void {
  let told = { active: 0, idle: 0 };
  new Counter({
    name: `${PREFIX}event_loop_seconds_total`,
    help: 'Time that the event loop was active, and that it was idle; their share is its load.',
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
