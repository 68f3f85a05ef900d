import { Counter, collectDefaultMetrics, Gauge, type Histogram, Registry } from 'prom-client';
import { type MetricsShare, type NamedShare, togetherOf } from './metrics-together.ts';

/** What a metric is called, and what it says. */
interface Named {
  /** Without the prefix that all of ours have; counters end in `_total`, times in their unit. */
  readonly name: string;
  readonly help: string;
}

/** A metric with one label, whose every value is known beforehand. */
export interface LabelledOptions<Value extends string> extends Named {
  readonly label: string;
  readonly values: readonly Value[];
}

/** A counter with two labels, whose every value is known beforehand. */
export interface PairOptions<One extends string, Other extends string> extends Named {
  readonly labels: readonly [one: string, other: string];
  readonly values: readonly [ones: readonly One[], others: readonly Other[]];
}

/** A histogram of times. */
export interface TimesOptions<Value extends string> extends LabelledOptions<Value> {
  /** The upper ends of the buckets, in seconds, rising. */
  readonly bucketSeconds: readonly number[];
}

/** Counts for things that come and go, such as endpoints; the labels hold ids that are ours. */
export interface CountsOfOptions extends Named {
  readonly labels: readonly [thing: string, other: string];
  /** So many things are told apart: those that were counted last. Others begin at 0 again. */
  readonly atMost: number;
}

/** A gauge for things that come and go; a thing that is left out has no line. */
export interface GaugeOfOptions extends Named {
  readonly label: string;
  read(): Promise<Iterable<readonly [string, number]>>;
}

/** A gauge that is read when somebody asks for the metrics; a value that is left out is 0. */
export interface GaugeOptions<Value extends string> extends LabelledOptions<Value> {
  /** True for what is true of this process alone, and not of the platform: its pool, its queues. */
  readonly isOfProcess?: boolean;
  read(): Promise<Iterable<readonly [Value, number]>>;
}

/** A counter of sums that are kept elsewhere, where counting has to cost next to nothing. */
export interface SumsOptions<Value extends string> extends LabelledOptions<Value> {
  /** The sums so far; they only grow. */
  read(): Iterable<readonly [Value, number]>;
}

/**
 * The counts and times of one process. Each room makes its own metrics here, once, as the process
 * starts. Labels have a closed list of values: a text that a client sends can neither stand in the
 * metrics nor make them grow; whatever is none of them is not counted.
 */
export interface Metrics {
  /** Makes a counter that begins at 0 for every value; what it gives counts one more. */
  counter<Value extends string>(options: LabelledOptions<Value>): (value: Value) => void;
  /** The same for two labels. Most pairs never happen: one is there from its first count on. */
  pairCounter<One extends string, Other extends string>(
    options: PairOptions<One, Other>,
  ): (one: One, other: Other) => void;
  /** Makes a histogram; what it gives takes a time in milliseconds, and is told in seconds. */
  times<Value extends string>(
    options: TimesOptions<Value>,
  ): (value: Value, durationMs: number) => void;
  gauge<Value extends string>(options: GaugeOptions<Value>): void;
  /** Makes a counter that is read when somebody asks for the metrics. */
  sums<Value extends string>(options: SumsOptions<Value>): void;
  /** The same for things that have ids of ours, and no text of a client. */
  countsOf(options: CountsOfOptions): (thing: string, other: string) => void;
  gaugeOf(options: GaugeOfOptions): void;
  /** All metrics in the text format of Prometheus; fails when a gauge cannot be read. */
  text(): Promise<string>;
  /** What this process tells of itself, for `textOfAll` of another worker; no gauge of all. */
  share(): Promise<MetricsShare>;
  /** The same as `text` for all workers: `shares` has what each told, this one's own among it. */
  textOfAll(shares: readonly NamedShare[]): Promise<string>;
  /** The media type of `text`. */
  readonly mediaType: string;
}

const PREFIX = 'servery_';
const MS_PER_SECOND = 1_000;

/**
 * Makes the metrics of a process of that version of the program; those of Node.js itself are in
 * them, and how much of its time the event loop works.
 */
export function createMetrics(version = 'unknown'): Metrics {
  // Work is summed over the workers of one machine, and what is of a process told of each. What
  // stands in the database is the same for all, so that the one that is asked reads it.
  const [work, ofProcess, ofAll] = [new Registry(), new Registry(), new Registry()];
  const registers = [work];
  collectDefaultMetrics({ register: ofProcess });
  addBuild([ofAll], version);
  addEventLoop([ofProcess]);
  return {
    counter({ name, help, label, values }) {
      const counter = new Counter({ name: PREFIX + name, help, labelNames: [label], registers });
      for (const value of values) counter.inc({ [label]: value }, 0);
      return (value) => counter.inc({ [label]: value });
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

/** Counted for every request, so that the library is only told when somebody asks. */
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

/** The times of one value of a label, in seconds. */
interface Observed {
  /** How many fell into each bucket, and (last) beyond all of them. */
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
  // The library's own histogram works out the key of its labels for every single time.
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

/** A histogram that the library asks for its values. */
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

  /** A value that was never seen has no lines. */
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
  /** With what was counted of each; whatever was not counted for longest comes first. */
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

/** Two sums that only grow, so that each reader takes the share of its own time from them. */
function addEventLoop(registers: Registry[]): void {
  let told = { active: 0, idle: 0 };
  new Counter({
    name: `${PREFIX}event_loop_seconds_total`,
    help: 'Time that the event loop was active, and that it was idle; their share is its load.',
    labelNames: ['state'],
    registers,
    collect() {
      const read = performance.eventLoopUtilization();
      // A counter takes nothing less than before, and would fail with all other metrics.
      const active = Math.max(read.active, told.active);
      const idle = Math.max(read.idle, told.idle);
      this.inc({ state: 'active' }, (active - told.active) / MS_PER_SECOND);
      this.inc({ state: 'idle' }, (idle - told.idle) / MS_PER_SECOND);
      told = { active, idle };
    },
  });
}
