import { typosBetween } from '@servery/server/unknown-variables.ts';

const TYPOS_AT_MOST = 4;
const SHOWN_AT_MOST = 3;
/** What is longer is no name that somebody typed. */
const LONGEST = 100;

/**
 * The names that were probably meant by a text that is none of them, the nearest first: those of
 * which the whole, or some words in a row, are but a few letters away.
 */
export function nearestNames(text: string, names: readonly (string | null)[]): readonly string[] {
  const wanted = wordsOf(text);
  const typed = wanted.join(' ');
  if (typed === '' || typed.length > LONGEST) return [];
  // In a short name few letters make another word.
  const atMost = Math.min(TYPOS_AT_MOST, Math.floor(typed.length / 3));
  const near = [...new Set(names)].flatMap((name) => {
    const typos = Math.min(
      ...partsOf(name ?? '', wanted.length).map((part) => between(typed, part)),
    );
    return name !== null && typos <= atMost ? [{ name, typos }] : [];
  });
  return near
    .sort((one, other) => one.typos - other.typos || one.name.length - other.name.length)
    .slice(0, SHOWN_AT_MOST)
    .map(({ name }) => name);
}

/** `; did you mean "A" or "B"`, for a sentence that says what was not found; empty for none. */
export function didYouMean(text: string, names: readonly (string | null)[]): string {
  const quoted = nearestNames(text, names).map((name) => JSON.stringify(name));
  return quoted.length === 0 ? '' : `; did you mean ${quoted.join(' or ')}?`;
}

/** Texts whose lengths alone are too far apart are not compared. */
function between(one: string, other: string): number {
  const apart = Math.abs(one.length - other.length);
  return apart > TYPOS_AT_MOST ? apart : typosBetween(one, other);
}

/** The whole name, and each row of so many words in it. */
function partsOf(name: string, count: number): readonly string[] {
  const words = wordsOf(name.slice(0, LONGEST));
  const rows = words.map((_, at) => words.slice(at, at + count).join(' '));
  return [words.join(' '), ...rows];
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
