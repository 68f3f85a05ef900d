/** Draws lots; the same seed gives the same draws. */
export interface Lots {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  /** True with that probability. */
  chance(probability: number): boolean;
  /** One of the values; throws when there is none. */
  pick<Value>(values: readonly Value[]): Value;
  /** An independent stream of draws, the same for the same name. */
  stream(name: string): Lots;
}

/** Makes the draws of a seed, with the generator known as mulberry32. */
export function lotsOf(seed: number): Lots {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (values) => {
      if (values.length === 0) throw new Error('there is nothing to pick from');
      return values[between(0, values.length - 1)] as (typeof values)[number];
    },
    stream: (name) => lotsOf(mixText(seed, name)),
  };
}

/** FNV-1a over the text, begun with the seed. */
function mixText(seed: number, text: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}
