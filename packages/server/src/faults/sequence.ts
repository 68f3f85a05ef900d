import { hash } from 'node:crypto';

const RANGE = 2 ** 32;

/** From 0 up to 1: the same seed has the same sequence on every machine. */
export function shareOf(seed: number, number: number): number {
  return Number.parseInt(hash('sha256', `${seed}/${number}`).slice(0, 8), 16) / RANGE;
}
