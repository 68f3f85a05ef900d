import { removeCardNumbers } from './card-number-removal.ts';

export const LEFT_OUT = '[left out]';

/** Takes the whole run, so that no letter is read twice. */
const TOKEN_RUN = /[\w.-]+/g;
const TOKEN_START = 'eyJ';
const TOKEN_HEADER = 8;
const CLIENT_SECRET = /svs_[\w-]{8,}/g;
/** A receiver may echo its own webhook secret. */
const WEBHOOK_SECRET = /whsec_[\w+/=-]{20,}/g;
/** Our links have their secret after the #. */
const ADDRESS = /https?:\/\/[^\s"']*/g;
const OTP_ADDRESS = /otpauth:\/\/[^\s"']+/g;

export type Clean = (text: string) => string;

/**
 * Also removes what PostgreSQL can't store. Leaves out the whole text if it holds a card number: a
 * security code near it looks like any other digits.
 */
export function cleanText(text: string): string {
  if (text === '') return text;
  const storable = text.toWellFormed().replaceAll('\0', '\u{fffd}');
  if (removeCardNumbers(storable) !== storable) return LEFT_OUT;
  return storable
    .replaceAll(TOKEN_RUN, withoutToken)
    .replaceAll(CLIENT_SECRET, LEFT_OUT)
    .replaceAll(WEBHOOK_SECRET, LEFT_OUT)
    .replaceAll(OTP_ADDRESS, LEFT_OUT)
    .replaceAll(ADDRESS, withoutFragment);
}

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

export function cut(text: string, atMost: number): string {
  if (text.length <= atMost) return text;
  const kept = text.slice(0, atMost).toWellFormed();
  return `${kept}… [${text.length - atMost} more characters]`;
}
