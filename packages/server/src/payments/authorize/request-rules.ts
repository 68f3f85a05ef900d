import ipaddr from 'ipaddr.js';
import { isCountryCode } from '../cards/country.ts';

/** What is wrong with a text, in words that go on after its name; null for nothing. */
export type Rule = (text: string) => string | null;

/** How far `localTransactionDate` may be ahead of the environment's clock (PAY-10). */
const AHEAD_MAX_MS = 5 * 60_000;

// Nine digits of fraction are nanoseconds; more would let a card number hide in a date.
const DATE = /(\d{4})-(\d\d)-(\d\d)/.source;
const TIME = /(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?/.source;
const OFFSET = /(?:Z|([+-])(\d\d)(?::?(\d\d))?)/.source;
const DATE_TIME = new RegExp(`^${DATE}T${TIME}${OFFSET}$`);

/**
 * The rule for `localTransactionDate` (PAY-10): an ISO 8601 date and time with `Z` or an offset, at
 * most five minutes after `nowMs`, in epoch milliseconds.
 */
export function transactionDateRule(nowMs: number): Rule {
  return (text) => {
    const instantMs = parseDateTime(text);
    if (instantMs === null) {
      return 'must be an ISO 8601 date and time with offset, for example 2026-01-31T18:30:00.000-05:00';
    }
    return instantMs > nowMs + AHEAD_MAX_MS ? 'must not be over five minutes in the future' : null;
  };
}

/** Epoch milliseconds of an ISO 8601 date and time with offset, or null when it is none. */
function parseDateTime(text: string): number | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second = 0, fraction = '0', sign, ...offset] = match;
  const [offsetHour = 0, offsetMinute = 0] = offset.map((part) => Number(part ?? 0));
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (offsetHour > 23 || offsetMinute > 59) return null;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Date.UTC rolls 30 February over into March; such a text names no instant.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  const localMs =
    date.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1e3;
  const offsetMs = (offsetHour * 60 + offsetMinute) * 60_000;
  return localMs + Number(`0.${fraction}`) * 1e3 + (sign === '-' ? offsetMs : -offsetMs);
}

/** The rule for `originIPAddr` in production (PAY-10): not private, not reserved. */
export const publicAddressRule: Rule = (text) =>
  isPublic(text) ? null : 'must be a public address';

/** `process()` looks through IPv4 addresses that are written as IPv6. */
function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}

/** The rule for country codes (PAY-10). */
export const countryRule: Rule = (text) =>
  isCountryCode(text) ? null : 'must be a country code of ISO 3166-1 alpha-3, for example USA';
