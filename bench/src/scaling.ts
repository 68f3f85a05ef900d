import { familyCpuTimeMs } from './processes.ts';
import type { Contender, Sample } from './scenario.ts';

/**
 * What two processes answer for each answer of one: a round measures both, one right after the
 * other, each time the other way round.
 */
export function scalingOf(name: string, one: Contender, two: Contender): Contender {
  let isOneFirst = false;
  return {
    name,
    async measure(seconds) {
      isOneFirst = !isOneFirst;
      const first = await (isOneFirst ? one : two).measure(seconds);
      const second = await (isOneFirst ? two : one).measure(seconds);
      const [ofOne, ofTwo] = isOneFirst ? [first, second] : [second, first];
      return { value: ofTwo.value / ofOne.value };
    },
  };
}

/**
 * What an answer costs: processor time in µs of the process of a contender and its children, unless
 * `used` tells what else has been used so far.
 */
export function costOf(contender: Contender, used = usedBy(contender)): Contender {
  const { name, measure } = contender;
  return {
    name,
    async measure(seconds) {
      const before = await used();
      const startedMs = performance.now();
      const { value } = await measure(seconds);
      const answers = (value * (performance.now() - startedMs)) / 1000;
      return { value: ((await used()) - before) / answers };
    },
  };
}

function usedBy({ name, process }: Contender): () => Promise<number> {
  if (!process) throw new Error(`${name} has no process whose time could be told`);
  return async () => 1000 * (await familyCpuTimeMs(process.pid));
}

/** Contenders of which each does its part at the same time; their values are added up. */
export function together(name: string, parts: readonly Contender[]): Contender {
  return {
    name,
    async measure(seconds): Promise<Sample> {
      const samples = await Promise.all(parts.map(({ measure }) => measure(seconds)));
      return { value: samples.reduce((sum, { value }) => sum + value, 0) };
    },
  };
}
