import ipaddr from 'ipaddr.js';
import { isCountryCode } from '../cards/country.ts';

/** Returns what is wrong, as a phrase that follows the field's name, or null. */
export type Rule = (text: string) => string | null;

const AHEAD_MAX_MS = 5 * 60_000;

// More than nine digits of fraction could hide a card number in a date.
const TIME = /([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?/.source;
const OFFSET = /(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)/.source;
const DATE_TIME = new RegExp(`^\\d{4}-\\d\\d-\\d\\dT${TIME}${OFFSET}$`);

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
  if (!DATE_TIME.test(text)) return null;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    // A date that doesn't exist, for example 30 February.
    return null;
  }
}

export const publicAddressRule: Rule = (text) =>
  isPublic(text) ? null : 'must be a public address';

/** `process()` also checks IPv4 addresses that are written as IPv6. */
function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}

export const countryRule: Rule = (text) =>
  isCountryCode(text) ? null : 'must be a country code of ISO 3166-1 alpha-3, for example USA';
