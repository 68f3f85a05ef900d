import { holdsNumber } from './spelled-number.ts';

/** More than the texts of a payment have together. Nobody looks beyond it: that counts as found. */
const LOOKED_AT_CHARACTERS = 20_000;

/** The card itself, which is never kept. */
const UNSEEN = 'encryptedCardData';

/**
 * Whether a number may stand anywhere in what was sent, in whatever spelling (PAY-14): in a value, in
 * the name of a field, or spread over several of them. `sent` is made of objects and lists.
 */
export function mayHoldNumber(sent: unknown, number: string): boolean {
  const text = textsOf(sent).join(' ');
  return text.length > LOOKED_AT_CHARACTERS || holdsNumber(text, number);
}

/** The values in objects and lists, in the order of writing, and behind them the names of fields. */
function textsOf(sent: unknown): string[] {
  const values: string[] = [];
  const names: string[] = [];
  const open = [sent];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' || typeof value === 'number') values.push(String(value));
    else if (Array.isArray(value)) open.push(...value.toReversed());
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value).toReversed()) {
        names.push(name);
        if (name !== UNSEEN) open.push(inner);
      }
    }
  }
  return [...values, ...names];
}
