import { holdsNumber } from './spelled-number.ts';

/** More than the texts of a payment have together. Nobody looks beyond it: that counts as found. */
const LOOKED_AT_CHARACTERS = 20_000;

/** Nothing of it is kept, and what is in it is the card. */
const UNSEEN = new Set(['encryptedCardData', 'authorization', 'cookie']);

/**
 * Whether a number may stand anywhere in what was sent, in whatever spelling (P14): in a value or
 * in the name of a field. `sent` is made of objects and lists.
 */
export function mayHoldNumber(sent: unknown, number: string): boolean {
  let characters = 0;
  const open = [sent];
  while (open.length > 0) {
    const value = open.pop();
    const isObject = typeof value === 'object' && value !== null;
    const names = isObject ? Object.keys(value) : [];
    const texts = typeof value === 'string' || typeof value === 'number' ? [String(value)] : names;
    characters += texts.reduce((sum, text) => sum + text.length + 1, 0);
    if (characters > LOOKED_AT_CHARACTERS) return true;
    if (texts.some((text) => holdsNumber(text, number))) return true;
    for (const name of names) {
      if (!UNSEEN.has(name)) open.push((value as Record<string, unknown>)[name]);
    }
  }
  return false;
}
