import { fill } from './filled.ts';
import { type Fillings, keepFillings } from './fillings.ts';
import { type MeasuredPlatform, type PlatformSettings, startPlatform } from './platform.ts';
import type { Bench, Effort, Line, Scenario } from './scenario.ts';
import { textOf } from './table.ts';
import { lineOf, takeTurns } from './turns.ts';
import { titleOf } from './verdicts.ts';

/** What came of one scenario. */
export interface Result {
  readonly scenario: string;
  readonly lines: Line[];
  readonly notes: string[];
  /** What was not measured, and why. */
  readonly skipped: string[];
}

/** How scenarios are run. */
export interface RunOptions extends Pick<Bench, 'effort' | 'startPlatform'> {
  readonly startFilled: Fillings['start'];
  /** What the name of a line has to hold. */
  readonly only: string;
  /** Hears of each line that does not. */
  readonly leaveOut: (title: string) => void;
}

/** The platforms of a run. */
export interface Platforms
  extends Pick<RunOptions, 'startPlatform' | 'startFilled'>,
    AsyncDisposable {}

/**
 * Gives each scenario platforms of its own, and keeps between runs what was filled in. In a smoke
 * run all that want nothing special share one: most of such a run is starting otherwise.
 */
export function platformsOf(
  { isSmoke }: Effort,
  tell: (text: string) => void,
  filledIn: string | null,
): Platforms {
  return isSmoke ? sharedPlatforms() : ownPlatforms(tell, filledIn);
}

function ownPlatforms(tell: (text: string) => void, filledIn: string | null): Platforms {
  const fillings = keepFillings(tell, filledIn);
  return {
    startPlatform,
    startFilled: fillings.start,
    [Symbol.asyncDispose]: () => fillings[Symbol.asyncDispose](),
  };
}

function sharedPlatforms(): Platforms {
  let shared: Promise<MeasuredPlatform> | null = null;
  const start = async (settings?: PlatformSettings): Promise<MeasuredPlatform> => {
    if (settings && Object.keys(settings).length > 0) return await startPlatform(settings);
    shared ??= startPlatform();
    return { ...(await shared), async [Symbol.asyncDispose]() {} };
  };
  return {
    startPlatform: start,
    async startFilled(_scenario, settings, flags) {
      const platform = await start(settings);
      // What the database knows of little is of no use, and takes a while.
      return { ...platform, filled: await fill(platform, { ...flags, 'leave-statistics': true }) };
    },
    async [Symbol.asyncDispose]() {
      await (await shared)?.[Symbol.asyncDispose]();
    },
  };
}

/**
 * Runs a scenario, tells each line as soon as there is one, and gives them all. Only those count,
 * and only those comparisons are made, whose name has `only` in it: all, when it is empty.
 */
export async function runScenario(
  { name, run }: Scenario,
  { effort, only, leaveOut, startPlatform, startFilled }: RunOptions,
  tell: (text: string) => void,
): Promise<Result> {
  const result: Result = { scenario: name, lines: [], notes: [], skipped: [] };
  const isWanted = (line: Pick<Line, 'name'>) => {
    if (line.name.includes(only)) return true;
    leaveOut(titleOf(name, line));
    return false;
  };
  const bench: Bench = {
    effort,
    startPlatform,
    startFilled: (settings, flags) => startFilled(name, settings, flags),
    async compare(comparison) {
      if (!isWanted(comparison)) return;
      const contenders = [comparison.product, ...comparison.others];
      bench.report(lineOf(comparison, await takeTurns(contenders, { ...effort, ...comparison })));
    },
    report(line) {
      if (!isWanted(line)) return;
      result.lines.push(line);
      tell(textOf(name, line));
    },
    skip(what, reason) {
      const skipped = `${what} is skipped: ${reason}`;
      result.skipped.push(skipped);
      bench.note(skipped);
    },
    note(text) {
      result.notes.push(text);
      tell(`${name}, note: ${text}`);
    },
  };
  await run(bench);
  return result;
}
