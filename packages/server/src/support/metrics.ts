import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

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

/** A gauge that is read when somebody asks for the metrics; a value that is left out is 0. */
export interface GaugeOptions<Value extends string> extends LabelledOptions<Value> {
  read(): Promise<Iterable<readonly [Value, number]>>;
}

/**
 * The counts and times of one process. Each room makes its own metrics here, once, as the process
 * starts. Labels have a closed list of values: a text that a client sends can neither stand in the
 * metrics nor make them grow.
 */
export interface Metrics {
  /** Makes a counter that begins at 0 for every value; what it gives counts one more. */
  counter<Value extends string>(options: LabelledOptions<Value>): (value: Value) => void;
  gauge<Value extends string>(options: GaugeOptions<Value>): void;
  /** All metrics in the text format of Prometheus; fails when a gauge cannot be read. */
  text(): Promise<string>;
  /** The media type of `text`. */
  readonly mediaType: string;
}

const PREFIX = 'servery_';

/** Makes the metrics of a process; those of Node.js itself are in them. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    counter({ name, help, label, values }) {
      const counter = new Counter({
        name: PREFIX + name,
        help,
        labelNames: [label],
        registers,
      });
      for (const value of values) counter.inc({ [label]: value }, 0);
      return (value) => counter.inc({ [label]: value });
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
    text: () => registry.metrics(),
    mediaType: registry.contentType,
  };
}
