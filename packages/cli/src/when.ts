import { claimsOf } from '@servery/client';
import type { At, Session, Value } from './command.ts';
import { CommandFailure, exitCodes, invalidUsage } from './exit-codes.ts';
import { duration, instant, quoted } from './readers.ts';

const MS_PER_SECOND = 1_000;
const CLOSE_OUT = ['tomorrow', 'closeout', 'close-out'];

/** The present of the platform's environment in epoch milliseconds. Its clock may be moved. */
export async function nowMs({ client }: Pick<Session, 'client'>): Promise<number> {
  const { credentials } = client;
  if (credentials && 'cookie' in credentials) {
    return Date.parse((await client.call('backOffice.clock.get')).now);
  }
  // An account that may not read the clock still has a token, which says when it was issued.
  const token = await client.token();
  const issuedAt = Number(claimsOf(token).exp) - token.expires_in;
  if (Number.isSafeInteger(issuedAt)) return issuedAt * MS_PER_SECOND;
  throw new CommandFailure(
    `the token of ${client.baseUrl} does not tell the time of its environment.`,
    exitCodes.failure,
  );
}

/** An instant ahead: a duration from now, or ISO 8601. `also` are words that are taken too. */
async function ahead(flag: string, text: string, at: Session, also = ''): Promise<string> {
  if (isDuration(text)) return await shifted(text, flag, at, 1);
  if (/\d/.test(text)) return instant(text, flag);
  throw invalidUsage(
    `${flag}${quoted(text)} is not a time. Use ${also}a duration, for example 2h, or ISO 8601, ` +
      'for example 2026-03-29T03:30:00+02:00.',
  );
}

/** Makes of an option an instant ahead. */
export function until<Type>(flag: string, own: Value<Type>): Value<Type> {
  const find = async (text: string | undefined, at: At) =>
    text === undefined ? undefined : await ahead(flag, text, at);
  return { ...own, find };
}

/** The same, where `tomorrow` and `closeout` mean the close-out of the restaurant. */
export function untilCloseOut<Type>(flag: string, own: Value<Type>): Value<Type> {
  const find = async (text: string | undefined, at: At) => {
    if (text === undefined) return undefined;
    if (CLOSE_OUT.includes(text.toLowerCase())) return 'closeOut';
    return await ahead(flag, text, at, 'tomorrow (the close-out), ');
  };
  return { ...own, find };
}

/** Makes of an option an instant in the past: a duration before now, or ISO 8601. */
export function since<Type>(flag: string, own: Value<Type>): Value<Type> {
  const find = async (text: string | undefined, at: At) => {
    if (text === undefined) return undefined;
    return isDuration(text) ? await shifted(text, flag, at, -1) : instant(text, flag);
  };
  return { ...own, find };
}

async function shifted(text: string, flag: string, at: Session, sign: 1 | -1): Promise<string> {
  const length = Temporal.Duration.from(duration(text, flag));
  const now = Temporal.Instant.fromEpochMilliseconds(await nowMs(at)).toZonedDateTimeISO('UTC');
  return (sign > 0 ? now.add(length) : now.subtract(length)).toInstant().toString();
}

function isDuration(text: string): boolean {
  return /^p?\d|^p/i.test(text) && !/^\d{4}-|^\d{8}T/.test(text);
}
