import { holdsNumber } from './spelled-number.ts';

/** More than the texts of a payment have together. Nobody looks beyond it: that counts as found. */
const LOOKED_AT_CHARACTERS = 20_000;

/** Nothing of it is kept, and what is in it is the card. */
const UNSEEN = new Set(['encryptedCardData', 'authorization', 'cookie']);

/**
 * Whether a number may stand anywhere in what was sent, in whatever spelling (P14): in a value, in
 * the name of a field, or in several that follow each other. `sent` is made of objects and lists.
 */
export function mayHoldNumber(sent: unknown, number: string): boolean {
  const texts: string[] = [];
  let characters = 0;
  const open = [sent];
  while (open.length > 0 && characters <= LOOKED_AT_CHARACTERS) {
    const value = open.pop();
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      texts.push(text);
      characters += text.length;
    } else if (Array.isArray(value)) {
      for (let at = value.length - 1; at >= 0; at -= 1) open.push(value[at]);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value).reverse()) {
        if (!UNSEEN.has(name)) open.push(inner, name);
      }
    }
    characters += 1;
  }
  return characters > LOOKED_AT_CHARACTERS || holdsNumber(texts.join('\n'), number);
}
