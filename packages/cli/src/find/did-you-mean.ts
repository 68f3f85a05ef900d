import { nearestNames } from '@servery/support/nearest-names.ts';

/** More are hard to look through. */
const FEW = 8;

/**
 * `. Did you mean "A" or "B"?`, which ends a sentence that says what was not found. Empty when no
 * name is near.
 */
export function didYouMean(text: string, names: readonly (string | null)[]): string {
  const quoted = nearestNames(text, names).map((name) => JSON.stringify(name));
  return quoted.length === 0 ? '' : `. Did you mean ${quoted.join(' or ')}?`;
}

/**
 * What to say after `is unknown`: the nearest names, and all of them if they are few, else which
 * command shows them.
 */
export function whatToUse(text: string, names: readonly string[], shownBy: string): string {
  const all = names.length > FEW ? `"${shownBy}" shows all.` : `Use one of ${names.join(', ')}.`;
  return `${didYouMean(text, names) || '.'} ${all}`;
}
