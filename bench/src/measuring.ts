import { fill } from './filled.ts';
import { keepFillings } from './fillings.ts';
import { type MeasuredPlatform, type PlatformSettings, startPlatform } from './platform.ts';
import type { Bench, Effort, Line, Scenario } from './scenario.ts';
import { textOf } from './table.ts';
import { lineOf, takeTurns } from './turns.ts';

/** What came of one scenario. */
export interface Result {
  readonly scenario: string;
  readonly lines: Line[];
  readonly notes: string[];
}

/** How scenarios are run. */
export interface RunOptions extends Pick<Bench, 'effort' | 'startPlatform' | 'startFilled'> {
  readonly only: string;
}

/** The platforms of a run. */
export interface Platforms extends Pick<Bench, 'startPlatform' | 'startFilled'>, AsyncDisposable {}

/**
 * Gives each scenario platforms of its own, and keeps between runs what was filled in. In a smoke
 * run all that want nothing special share one: most of such a run is starting otherwise.
 */
export function platformsOf({ isSmoke }: Effort, tell: (text: string) => void): Platforms {
  return isSmoke ? sharedPlatforms() : ownPlatforms(tell);
}

function ownPlatforms(tell: (text: string) => void): Platforms {
  const fillings = keepFillings(tell);
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
    async startFilled(settings, flags) {
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
 * Runs a scenario, tells each line as soon as there is one, and gives them all. Of the comparisons
 * only those are made whose name has `only` in it, which all have when it is empty.
 */
export async function runScenario(
  { name, run }: Scenario,
  { effort, only, startPlatform, startFilled }: RunOptions,
  tell: (text: string) => void,
): Promise<Result> {
  const result: Result = { scenario: name, lines: [], notes: [] };
  const bench: Bench = {
    effort,
    startPlatform,
    startFilled,
    async compare(comparison) {
      if (!comparison.name.includes(only)) return;
      const contenders = [comparison.product, ...comparison.others];
      bench.report(lineOf(comparison, await takeTurns(contenders, effort)));
    },
    report(line) {
      result.lines.push(line);
      tell(textOf(name, line));
    },
    skip(what, reason) {
      bench.note(`${what} is skipped: ${reason}`);
    },
    note(text) {
      result.notes.push(text);
      tell(`${name}, note: ${text}`);
    },
  };
  await run(bench);
  return result;
}
