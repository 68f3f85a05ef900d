import { typosBetween } from './typos.ts';

const TYPOS_AT_MOST = 4;
/** More than these are a list, not a hint. */
export const HINTS_AT_MOST = 2;
/** A longer text is not a typed name. */
const LONGEST = 100;

/**
 * The names that a text with a typo may stand for, the nearest first. A name is near when the whole
 * of it, or some of its words in a row, differ from the text in a few letters only.
 */
export function nearestNames(text: string, names: readonly (string | null)[]): readonly string[] {
  const wanted = wordsOf(text);
  const typed = wanted.join(' ');
  if (typed === '' || typed.length > LONGEST) return [];
  const near = [...new Set(names)].flatMap((name) => {
    const parts = partsOf(name ?? '', wanted.length);
    const found = parts.map((part) => between(typed, part)).filter((typos) => typos !== null);
    return name !== null && found.length > 0 ? [{ name, typos: Math.min(...found) }] : [];
  });
  return near
    .sort((one, other) => one.typos - other.typos || one.name.length - other.name.length)
    .slice(0, HINTS_AT_MOST)
    .map(({ name }) => name);
}

/** The number of typos; null for another word. */
function between(one: string, other: string): number | null {
  // In a short name, a few letters make a different word.
  const atMost = Math.min(TYPOS_AT_MOST, Math.floor(Math.max(one.length, other.length) / 3));
  if (Math.abs(one.length - other.length) > atMost) return null;
  const typos = typosBetween(one, other);
  return typos <= atMost ? typos : null;
}

/** The whole name, and each run of that many words in it. */
function partsOf(name: string, count: number): readonly string[] {
  const words = wordsOf(name.slice(0, LONGEST));
  const rows = words.map((_, at) => words.slice(at, at + count).join(' '));
  return [words.join(' '), ...rows];
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
