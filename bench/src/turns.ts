import { type HostTime, readHostTime, stolenShare } from './host.ts';
import { cpuTimeMs } from './processes.ts';
import type { Comparison, Contender, Effort, Line, Quiet, Sample, Side } from './scenario.ts';
import { median, ratiosOf, spreadOf } from './statistics.ts';

/** A round of one contender, with the share of one core that its process used. */
export interface Round extends Sample {
  readonly busy: number;
}

/** What contenders did in turns. */
export interface Turns {
  /** Of each contender, in their order. */
  readonly rounds: readonly (readonly Round[])[];
  /** What is known of the machine meanwhile. */
  readonly quiet: Quiet;
}

/** A round of each contender, and how much of the machine its host took away meanwhile. */
interface Turn {
  readonly rounds: readonly Round[];
  readonly stolen: number;
}

/** How long and how often, and how long turns may be repeated. */
type TurnsEffort = Effort & Pick<Comparison, 'againMs'>;

/** What a test replaces. */
export interface TurnsDeps {
  readonly readHost: () => Promise<HostTime | null>;
  /** Only goes forward. */
  readonly nowMs: () => number;
}

/** A turn in which the host took more than this share of the machine is taken again. */
const STOLEN_AT_MOST = 0.03;
/** The longest that turns are repeated. */
const AGAIN_MS = 12_000;

/**
 * Measures contenders in turns, each the other way round, so that what the machine does meanwhile
 * hits all of them alike and none is always the second. A first turn warms all of them up and is
 * not counted. Where a host takes the processor away, which hits one side or the other, more turns
 * are taken for a while, and those count in which it took least: what they came to decides nothing.
 */
export async function takeTurns(
  contenders: readonly Contender[],
  { rounds, secondsPerRound, isSmoke, againMs = AGAIN_MS }: TurnsEffort,
  { readHost, nowMs }: TurnsDeps = { readHost: readHostTime, nowMs: () => performance.now() },
): Promise<Turns> {
  const turns: Turn[] = [];
  let againSinceMs: number | null = null;
  const isEnough = () => {
    if (turns.length < rounds) return false;
    againSinceMs ??= nowMs();
    const isOver = isSmoke || nowMs() - againSinceMs >= againMs;
    return isOver || turns.filter(({ stolen }) => stolen <= STOLEN_AT_MOST).length >= rounds;
  };
  for (let at = isSmoke ? 0 : -1; !isEnough(); at += 1) {
    const before = await readHost();
    const measured: Round[] = [];
    const inTurn = [...contenders.entries()];
    for (const [index, contender] of at % 2 === 0 ? inTurn : inTurn.reverse()) {
      measured[index] = await measureRound(contender, secondsPerRound);
    }
    const stolen = stolenShare(before, await readHost());
    if (at >= 0) turns.push({ rounds: measured, stolen });
  }
  const quietest = turns.toSorted((a, b) => a.stolen - b.stolen).slice(0, rounds);
  const counted = turns.filter((turn) => quietest.includes(turn));
  return {
    rounds: contenders.map((_, index) => counted.map(({ rounds: all }) => all[index] as Round)),
    quiet: { turns: turns.length, stolen: Math.max(...counted.map(({ stolen }) => stolen)) },
  };
}

async function measureRound({ process, measure }: Contender, seconds: number): Promise<Round> {
  const used = () => (process ? cpuTimeMs(process.pid) : Promise.resolve(Number.NaN));
  const [beganMs, usedBeforeMs] = [performance.now(), await used()];
  const sample = await measure(seconds);
  const usedMs = (await used()) - usedBeforeMs;
  return { ...sample, busy: usedMs / (performance.now() - beganMs) };
}

/** What the turns of a comparison come to; the first list of rounds is the product's. */
export function lineOf(
  { name, product, others, goal, p99Goal, unit = '/s' }: Comparison,
  { rounds, quiet }: Turns,
): Line {
  const [own = [], ...theirs] = rounds;
  const least = own.map((_, round) =>
    Math.min(...theirs.map((each) => each[round]?.value ?? Number.NaN)),
  );
  const line = {
    ...{ name, unit, goal, quiet },
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
