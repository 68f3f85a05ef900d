import { removeCardNumbers } from './card-number-removal.ts';

/** What stands for what was left out. */
export const LEFT_OUT = '[left out]';

/** What a signed token may be in; a whole run is taken, so that no letter is looked at twice. */
const TOKEN_RUN = /[\w.-]+/g;
const TOKEN_START = 'eyJ';
/** So much of its first part follows at least. */
const TOKEN_HEADER = 8;
/** A secret of a client, wherever somebody put it. */
const CLIENT_SECRET = /svs_[\w-]{8,}/g;
/** What webhooks are signed with: a receiver may answer with its own. */
const WEBHOOK_SECRET = /whsec_[\w+/=-]{20,}/g;
/** What stands behind the # of an address: links of ours carry their secret there. */
const ADDRESS = /https?:\/\/[^\s"']*/g;
const OTP_ADDRESS = /otpauth:\/\/[^\s"']+/g;

/** Takes out of a text what is to be left out of another one too, such as a path with a secret. */
export type Clean = (text: string) => string;

/**
 * Takes tokens and secrets that show themselves out of a text, and what PostgreSQL does not store.
 * A text with a card number is left out whole: what stands around one may be of the card as well,
 * and nobody can tell a security code from any other digits.
 */
export function cleanText(text: string): string {
  const storable = text.toWellFormed().replaceAll('\0', '\u{fffd}');
  if (removeCardNumbers(storable) !== storable) return LEFT_OUT;
  return storable
    .replaceAll(TOKEN_RUN, withoutToken)
    .replaceAll(CLIENT_SECRET, LEFT_OUT)
    .replaceAll(WEBHOOK_SECRET, LEFT_OUT)
    .replaceAll(OTP_ADDRESS, LEFT_OUT)
    .replaceAll(ADDRESS, withoutFragment);
}

/** Leaves out a signed token, from its start to the end of the run. */
function withoutToken(run: string): string {
  if (!run.includes(TOKEN_START)) return run;
  const parts = run.split('.');
  let before = 0;
  for (const [index, part] of parts.entries()) {
    const start = part.indexOf(TOKEN_START);
    const isToken = start >= 0 && part.length >= start + TOKEN_START.length + TOKEN_HEADER;
    if (isToken && parts[index + 1]) return run.slice(0, before + start) + LEFT_OUT;
    before += part.length + 1;
  }
  return run;
}

function withoutFragment(address: string): string {
  const at = address.indexOf('#');
  return at < 0 || at === address.length - 1 ? address : `${address.slice(0, at + 1)}${LEFT_OUT}`;
}

/** A text of at most so many characters; what is cut off is counted. */
export function cut(text: string, atMost: number): string {
  if (text.length <= atMost) return text;
  const kept = text.slice(0, atMost).toWellFormed();
  return `${kept}… [${text.length - atMost} more characters]`;
}
