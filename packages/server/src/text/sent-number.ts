import { holdsNumber } from './spelled-number.ts';

/** More than all texts of a payment. A longer request counts as a match. */
const LOOKED_AT_CHARACTERS = 20_000;

/** The card itself, which is never stored. */
const UNSEEN = 'encryptedCardData';

/** In any spelling (PAY-14): in a value, in a field name, or spread over several of them. */
export function mayHoldNumber(sent: unknown, number: string): boolean {
  const text = textsOf(sent).join(' ');
  return text.length > LOOKED_AT_CHARACTERS || holdsNumber(text, number);
}

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
