import type { General } from '@servery/contract';
import type { Place } from '../../../configuration/document/faults.ts';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** A restaurant's time zone, currency and first day must be real; the group is not asked for. */
export function checkGeneral(general: Omit<General, 'managementGroupGuid'>, place: Place): void {
  if (general.name.trim() === '') place.fault('is empty; write the name guests see', 'name');
  const zone = timeZoneFault(general.timeZone);
  if (zone) place.fault(zone, 'timeZone');
  if (!CURRENCIES.has(general.currencyCode)) {
    const message = `"${general.currencyCode}" is no currency of ISO 4217; write one such as USD`;
    place.fault(message, 'currencyCode');
  }
  if (general.firstBusinessDate !== null && !isCalendarDate(general.firstBusinessDate)) {
    const message = 'is no day of the calendar; write it as yyyyMMdd, such as 20240131';
    place.fault(message, 'firstBusinessDate');
  }
}

/** What is wrong with a time zone's name, or null for one of the IANA database. */
function timeZoneFault(name: string): string | null {
  const instead = 'write a name of the IANA database, such as America/New_York';
  // Offsets such as +01:00 are time zones to Intl, but know no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return `${JSON.stringify(name)} is no time zone; ${instead}`;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    const isOtherCase = timeZone !== name && timeZone.toLowerCase() === name.toLowerCase();
    return isOtherCase ? `must be written ${timeZone}` : null;
  } catch {
    return `${JSON.stringify(name)} is no time zone; ${instead}`;
  }
}

/** True when the number, read as yyyyMMdd, is a day. */
function isCalendarDate(yyyyMMdd: number): boolean {
  const [year, month, day] = [
    Math.floor(yyyyMMdd / 10_000),
    Math.floor(yyyyMMdd / 100) % 100,
    yyyyMMdd % 100,
  ];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isSame = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return year >= 1000 && year <= 9999 && isSame;
}
