import type { FillFlags } from './filled.ts';
import type { FilledPlatform } from './fillings.ts';
import type { MeasuredPlatform, PlatformSettings } from './platform.ts';
import type { MeasuredProcess } from './processes.ts';
import type { Spread } from './statistics.ts';

/**
 * A row of the table in docs/explanation/performance.md: what is measured beside what. Each file in
 * `bench/src/scenarios` exports one as `scenario`; that is all it takes to be found.
 */
export interface Scenario {
  /** What `npm run bench -- <name>` calls it. */
  readonly name: string;
  /** In a few words without a full stop: what is done, beside what. */
  readonly about: string;
  /** Measures, and reports its lines through `bench`. Throws when an answer is wrong. */
  run(bench: Bench): Promise<void>;
}

/** How long and how often. */
export interface Effort {
  /** Counted rounds of each contender; one more before them warms up. */
  readonly rounds: number;
  readonly secondsPerRound: number;
  /** True when nothing is asserted but that it runs and that answers are right: be short. */
  readonly isSmoke: boolean;
}

/** What a scenario is given to measure with. */
export interface Bench {
  readonly effort: Effort;
  /** Starts the whole product on a new data folder; `await using` stops it. */
  startPlatform(settings?: PlatformSettings): Promise<MeasuredPlatform>;
  /** The same with what `tools/measure/fill.ts` fills in: once for all runs, which go on with its data. */
  startFilled(settings: PlatformSettings, flags: FillFlags): Promise<FilledPlatform>;
  /** Measures the contenders in turns (A B, B A, A B, …), and reports the line. */
  compare(comparison: Comparison): Promise<void>;
  /** Reports a line that was measured in another way. */
  report(line: Line): void;
  /** Says why something is not measured here. */
  skip(what: string, reason: string): void;
  /** Says what a reader of the lines needs to know, such as a setting that was raised. */
  note(text: string): void;
}

/** The product and what it is compared with. */
export interface Comparison {
  /** Which line of the scenario this is; empty when it has only one. */
  readonly name: string;
  readonly product: Contender;
  /** The ceiling or peer. Of several the least of each round counts. */
  readonly others: readonly Contender[];
  /** For the ratio of the product's value to the other's; null when it is only told. */
  readonly goal: Goal | null;
  /** For the ratio of the 99th percentiles; nothing is said of it when absent. */
  readonly p99Goal?: Goal;
  /** `/s` when absent. */
  readonly unit?: Unit;
  /** The longest that turns are repeated because the host held them up; 12 s when absent. */
  readonly againMs?: number;
}

/** One side of a comparison. */
export interface Contender {
  /** Such as `product`, `node:http` or `one SQL statement`. */
  readonly name: string;
  /** Runs one round of about so many seconds. Throws when an answer is wrong. */
  measure(seconds: number): Promise<Sample>;
  /** Whose processor time is counted during rounds; the product's is also what is profiled. */
  readonly process?: MeasuredProcess;
}

/** What came of a round, in the unit of its comparison. */
export interface Sample {
  readonly value: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

/** What a number is to be: at least, or at most, so much. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** What values are counted in. */
export type Unit = '/s' | 's' | 'ms' | 'µs' | 'MiB' | '×' | 'connections' | 'flushes';

/** The rounds of one contender. */
export interface Side extends Spread {
  readonly name: string;
  /** Medians of the rounds. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** The share of one core that its process used, the median of the rounds. */
  readonly busy?: number;
}

/** How much the host of the machine held up what was measured. */
export interface Quiet {
  /** How many turns were taken; no more than were asked for count. */
  readonly turns: number;
  /** The greatest share (0 to 1) of the machine that was taken away in a turn that counts. */
  readonly stolen: number;
}

/** A line of the report. */
export interface Line {
  readonly name: string;
  readonly unit: Unit;
  readonly product: Side;
  /** Empty when the product's own value is what the goal is for. */
  readonly others: readonly Side[];
  /** Round by round; null when there are no others. */
  readonly ratio: Spread | null;
  /** For the ratio, or where there is none for the product's own value. */
  readonly goal: Goal | null;
  /** Absent where nothing was measured in turns. */
  readonly quiet?: Quiet;
  /** The ratio of the 99th percentiles. */
  readonly p99?: { readonly ratio: Spread; readonly goal: Goal };
}
