import { removeCardNumbers } from '../text/card-number-removal.ts';

const SHOWN_CHARACTERS = 60;

/** Cut short, without card numbers (PAY-I7). */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  // 1e400 is JSON, but not a double.
  const isBeyond = typeof value === 'number' && !Number.isFinite(value);
  const text = isBeyond ? 'a number beyond double precision' : (JSON.stringify(value) ?? 'nothing');
  const told = removeCardNumbers(text);
  return told.length > SHOWN_CHARACTERS ? `${told.slice(0, SHOWN_CHARACTERS)}…` : told;
}
