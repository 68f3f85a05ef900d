import { cpuTimeMs } from './processes.ts';
import type { Comparison, Contender, Effort, Line, Sample, Side } from './scenario.ts';
import { median, ratiosOf, spreadOf } from './statistics.ts';

/** A round of one contender, with the share of one core that its process used. */
export interface Round extends Sample {
  readonly busy: number;
}

/**
 * Measures contenders in turns, each round the other way round, so that what the machine does
 * meanwhile hits all of them alike and none is always the second. A first turn warms all of them
 * up and is not counted. Gives the rounds of each.
 */
export async function takeTurns(
  contenders: readonly Contender[],
  { rounds, secondsPerRound, isSmoke }: Effort,
): Promise<Round[][]> {
  const results: Round[][] = contenders.map(() => []);
  for (let round = isSmoke ? 0 : -1; round < rounds; round += 1) {
    const inTurn = [...contenders.entries()];
    for (const [index, contender] of round % 2 === 0 ? inTurn : inTurn.reverse()) {
      const result = await measureRound(contender, secondsPerRound);
      if (round >= 0) results[index]?.push(result);
    }
  }
  return results;
}

async function measureRound({ process, measure }: Contender, seconds: number): Promise<Round> {
  const used = () => (process ? cpuTimeMs(process.pid) : Promise.resolve(Number.NaN));
  const [beganMs, usedBeforeMs] = [performance.now(), await used()];
  const sample = await measure(seconds);
  const usedMs = (await used()) - usedBeforeMs;
  return { ...sample, busy: usedMs / (performance.now() - beganMs) };
}

/** What the rounds of a comparison come to; the first list of `rounds` is the product's. */
export function lineOf(
  { name, product, others, goal, p99Goal, unit = '/s' }: Comparison,
  rounds: readonly (readonly Round[])[],
): Line {
  const [own = [], ...theirs] = rounds;
  const least = own.map((_, round) =>
    Math.min(...theirs.map((each) => each[round]?.value ?? Number.NaN)),
  );
  const line = {
    ...{ name, unit, goal },
    product: sideOf(product.name, own),
    others: others.map((other, index) => sideOf(other.name, theirs[index] ?? [])),
    ratio: theirs.length === 0 ? null : ratiosOf(valuesOf(own), least),
  };
  if (!p99Goal) return line;
  const p99s = (all: readonly Round[] = []) => all.map(({ p99Ms }) => p99Ms ?? Number.NaN);
  return { ...line, p99: { ratio: ratiosOf(p99s(own), p99s(theirs[0])), goal: p99Goal } };
}

function sideOf(name: string, rounds: readonly Round[]): Side {
  const middle = (key: 'p50Ms' | 'p99Ms' | 'busy') => {
    const value = median(rounds.map((round) => round[key] ?? Number.NaN));
    return Number.isNaN(value) ? {} : { [key]: value };
  };
  return {
    name,
    ...spreadOf(valuesOf(rounds)),
    ...middle('p50Ms'),
    ...middle('p99Ms'),
    ...middle('busy'),
  };
}

function valuesOf(rounds: readonly Round[]): number[] {
  return rounds.map(({ value }) => value);
}
