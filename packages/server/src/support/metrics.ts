import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

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
  read(): Promise<Iterable<readonly [Value, number]>>;
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
  /** The same for things that have ids of ours, and no text of a client. */
  countsOf(options: CountsOfOptions): (thing: string, other: string) => void;
  gaugeOf(options: GaugeOfOptions): void;
  /** All metrics in the text format of Prometheus; fails when a gauge cannot be read. */
  text(): Promise<string>;
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
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addBuild(registers, version);
  addEventLoop(registers);
  return {
    counter({ name, help, label, values }) {
      const counter = new Counter({ name: PREFIX + name, help, labelNames: [label], registers });
      for (const value of values) counter.inc({ [label]: value }, 0);
      return (value) => counter.inc({ [label]: value });
    },
    pairCounter({ name, help, labels, values: [ones, others] }) {
      const labelNames = [...labels];
      const counter = new Counter({ name: PREFIX + name, help, labelNames, registers });
      const known = knownPairs(ones, others);
      return (one, other) => {
        if (known(one, other)) counter.labels(one, other).inc();
      };
    },
    times({ name, help, label, values, bucketSeconds }) {
      const histogram = new Histogram({
        ...{ name: PREFIX + name, help, labelNames: [label], registers },
        buckets: [...bucketSeconds],
      });
      const known = new Set<string>(values);
      return (value, durationMs) => {
        if (known.has(value)) histogram.labels(value).observe(durationMs / MS_PER_SECOND);
      };
    },
    gauge({ name, help, label, values, read }) {
      new Gauge({
        name: PREFIX + name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          const found = new Map(await read());
          for (const value of values) this.set({ [label]: value }, found.get(value) ?? 0);
        },
      });
    },
    countsOf: (options) => addCountsOf(registers, options),
    gaugeOf: (options) => addGaugeOf(registers, options),
    text: () => registry.metrics(),
    mediaType: registry.contentType,
  };
}

function knownPairs(ones: readonly string[], others: readonly string[]) {
  const [first, second] = [new Set(ones), new Set(others)];
  return (one: string, other: string) => first.has(one) && second.has(other);
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
