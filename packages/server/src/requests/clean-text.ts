import { removeCardNumbers } from '../payments/card-number-removal.ts';

/** What stands for what was left out. */
export const LEFT_OUT = '[left out]';

/** A signed token, whatever it is in. */
const SIGNED_TOKEN = /eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)*/g;
/** A secret of a client, wherever somebody put it. */
const CLIENT_SECRET = /svs_[\w-]{8,}/g;
/** What stands behind the # of an address: links of ours carry their secret there. */
const FRAGMENT = /(https?:\/\/[^\s"'#]*)#[^\s"']+/g;
const OTP_ADDRESS = /otpauth:\/\/[^\s"']+/g;

/** Takes out of a text what is to be left out of another one too, such as a path with a secret. */
export type Clean = (text: string) => string;

/**
 * Takes card numbers, tokens and secrets that show themselves out of a text, and what PostgreSQL
 * does not store.
 */
export function cleanText(text: string): string {
  return removeCardNumbers(
    text
      .toWellFormed()
      .replaceAll('\0', '\u{fffd}')
      .replaceAll(SIGNED_TOKEN, LEFT_OUT)
      .replaceAll(CLIENT_SECRET, LEFT_OUT)
      .replaceAll(OTP_ADDRESS, LEFT_OUT)
      .replaceAll(FRAGMENT, `$1#${LEFT_OUT}`),
  );
}

/** A text of at most so many characters; what is cut off is counted. */
export function cut(text: string, atMost: number): string {
  if (text.length <= atMost) return text;
  const kept = text.slice(0, atMost).toWellFormed();
  return `${kept}… [${text.length - atMost} more characters]`;
}
