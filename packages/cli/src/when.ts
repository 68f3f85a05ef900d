import { claimsOf } from '@servery/client/back-office';
import type { At, Session, Value } from './command.ts';
import { CommandFailure, exitCodes, invalidUsage } from './exit-codes.ts';
import { duration, instant, quoted } from './readers.ts';

const MS_PER_SECOND = 1_000;
/** What the platform calls it. */
const CLOSE_OUT_FIELD = 'closeOut';
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

type When = Value<string | undefined>;

/** An instant ahead: a duration from now, or ISO 8601. */
export function until(own: When, field: string | null): When {
  return { ...own, field, read: (text, flag) => readWhen(text, flag), find: shiftedBy(1) };
}

/** The same, where `tomorrow` and `closeout` mean the closeout of the restaurant. */
export function untilCloseOut(own: When, field: string | null): When {
  const read = (text: string, flag: string) =>
    CLOSE_OUT.includes(text.toLowerCase())
      ? CLOSE_OUT_FIELD
      : readWhen(text, flag, 'tomorrow (the closeout), ');
  return { ...until(own, field), read };
}

/** An instant in the past: a duration before now, or ISO 8601. */
export function since(own: When, field: string | null): When {
  return { ...until(own, field), find: shiftedBy(-1) };
}

/** Checks a duration, and gives any other time in UTC. `also` are words that are taken too. */
function readWhen(text: string, flag: string, also = ''): string {
  if (isDuration(text)) {
    duration(text, flag);
    return text;
  }
  if (/\d/.test(text)) return instant(text, flag);
  throw invalidUsage(
    `${flag}${quoted(text)} is not a time. Use ${also}a duration, for example 2h, or ISO 8601, ` +
      'for example 2026-03-29T03:30:00+02:00.',
  );
}

function shiftedBy(sign: 1 | -1) {
  return async (text: string, at: At) => (isDuration(text) ? await shifted(text, at, sign) : text);
}

async function shifted(text: string, at: At, sign: 1 | -1): Promise<string> {
  const length = Temporal.Duration.from(duration(text, at.flag));
  const now = Temporal.Instant.fromEpochMilliseconds(await nowMs(at)).toZonedDateTimeISO('UTC');
  return (sign > 0 ? now.add(length) : now.subtract(length)).toInstant().toString();
}

function isDuration(text: string): boolean {
  return /^p?\d|^p/i.test(text) && !/^\d{4}-|^\d{8}T/.test(text);
}
