import ipaddr from 'ipaddr.js';
import { isCountryCode } from '../cards/country.ts';

/** Returns what is wrong, as a phrase that follows the field's name, or null. */
export type Rule = (text: string) => string | null;

const AHEAD_MAX_MS = 5 * 60_000;

// More than nine digits of fraction could hide a card number in a date.
const DATE = /(\d{4})-(\d\d)-(\d\d)/.source;
const TIME = /(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?/.source;
const OFFSET = /(?:Z|([+-])(\d\d)(?::?(\d\d))?)/.source;
const DATE_TIME = new RegExp(`^${DATE}T${TIME}${OFFSET}$`);

export function transactionDateRule(nowMs: number): Rule {
  return (text) => {
    const instantMs = parseDateTime(text);
    if (instantMs === null) {
      return 'must be an ISO 8601 date and time with offset, for example 2026-01-31T18:30:00.000-05:00';
    }
    return instantMs > nowMs + AHEAD_MAX_MS ? 'must not be over five minutes in the future' : null;
  };
}

function parseDateTime(text: string): number | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second = 0, fraction = '0', sign, ...offset] = match;
  const [offsetHour = 0, offsetMinute = 0] = offset.map((part) => Number(part ?? 0));
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (offsetHour > 23 || offsetMinute > 59) return null;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Date.UTC turns 30 February into March.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  const localMs =
    date.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1e3;
  const offsetMs = (offsetHour * 60 + offsetMinute) * 60_000;
  return localMs + Number(`0.${fraction}`) * 1e3 + (sign === '-' ? offsetMs : -offsetMs);
}

export const publicAddressRule: Rule = (text) =>
  isPublic(text) ? null : 'must be a public address';

/** `process()` also checks IPv4 addresses that are written as IPv6. */
function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}

export const countryRule: Rule = (text) =>
  isCountryCode(text) ? null : 'must be a country code of ISO 3166-1 alpha-3, for example USA';
