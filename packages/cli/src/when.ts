import { claimsOf } from '@servery/client';
import type { At, Session } from './command.ts';
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
export async function until(text: string, at: At, also = ''): Promise<string> {
  if (isDuration(text)) return await shifted(text, at, 1);
  if (/\d/.test(text)) return instant(text, at.flag);
  throw invalidUsage(
    `${at.flag}${quoted(text)} is not a time. Use ${also}a duration, for example 2h, or ISO 8601, ` +
      'for example 2026-03-29T03:30:00+02:00.',
  );
}

/** The same, where `tomorrow` and `closeout` mean the close-out of the restaurant. */
export async function untilCloseOut(text: string, at: At): Promise<string> {
  if (CLOSE_OUT.includes(text.toLowerCase())) return 'closeOut';
  return await until(text, at, 'tomorrow (the close-out), ');
}

/** An instant in the past: a duration before now, or ISO 8601. */
export async function since(text: string, at: At): Promise<string> {
  return isDuration(text) ? await shifted(text, at, -1) : instant(text, at.flag);
}

async function shifted(text: string, at: At, sign: 1 | -1): Promise<string> {
  const length = Temporal.Duration.from(duration(text, at.flag));
  const now = Temporal.Instant.fromEpochMilliseconds(await nowMs(at)).toZonedDateTimeISO('UTC');
  return (sign > 0 ? now.add(length) : now.subtract(length)).toInstant().toString();
}

function isDuration(text: string): boolean {
  return /^p?\d|^p/i.test(text) && !/^\d{4}-|^\d{8}T/.test(text);
}
