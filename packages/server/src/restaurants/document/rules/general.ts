import type { General } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';
import { shown } from '../../../document/shown.ts';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

type OwnFields = Omit<General, 'managementGroupGuid'>;

/** What is wrong with a field that has a value, in words without subject, or null. */
const rules: {
  readonly [Name in keyof OwnFields]?: (value: NonNullable<OwnFields[Name]>) => string | null;
} = {
  name: (name) => (name.trim() === '' ? 'is empty; write the name guests see' : null),
  timeZone: timeZoneFault,
  currencyCode: (code) =>
    CURRENCIES.has(code)
      ? null
      : `must be an ISO 4217 code such as EUR; ${shown(code)} is no currency`,
  firstBusinessDate: (day) =>
    isCalendarDate(day)
      ? null
      : 'is no day of the calendar; write it as yyyyMMdd, such as 20240131',
};

/**
 * A restaurant's time zone, currency and first day must be real; the group is not asked for. One
 * field of a wrong shape keeps none of the others from being looked at.
 */
export function checkGeneral(
  general: OwnFields,
  place: Place,
  isSound: (place: Place) => boolean,
): void {
  const check = <Name extends keyof OwnFields>(name: Name) => {
    // Where `general` itself is of a wrong shape, it has none of its fields.
    const value = general[name] ?? null;
    const fault = value !== null && isSound(place.at(name)) ? rules[name]?.(value) : null;
    if (fault) place.fault(fault, name);
  };
  for (const name of Object.keys(rules) as (keyof OwnFields)[]) check(name);
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
