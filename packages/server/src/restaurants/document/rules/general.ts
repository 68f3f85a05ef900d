import type { General } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';
import { shown } from '../../../document/shown.ts';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

type OwnFields = Omit<General, 'managementGroupGuid'>;

const rules: {
  readonly [Name in keyof OwnFields]?: (value: NonNullable<OwnFields[Name]>) => string | null;
} = {
  name: (name) => (name.trim() === '' ? 'is empty; write the name guests see' : null),
  timeZone: timeZoneFault,
  currencyCode: (code) =>
    CURRENCIES.has(code)
      ? null
      : `must be an ISO 4217 code, for example EUR; ${shown(code)} is not a currency`,
  firstBusinessDate: (day) =>
    isCalendarDate(day)
      ? null
      : 'is not a calendar date; write it as yyyyMMdd, for example 20240131',
};

/** Does not check the group. A field of the wrong shape does not stop checks of the others. */
export function checkGeneral(
  general: OwnFields,
  place: Place,
  isSound: (place: Place) => boolean,
): void {
  const check = <Name extends keyof OwnFields>(name: Name) => {
    // A `general` of the wrong shape has no fields.
    const value = general[name] ?? null;
    const fault = value !== null && isSound(place.at(name)) ? rules[name]?.(value) : null;
    if (fault) place.fault(fault, name);
  };
  for (const name of Object.keys(rules) as (keyof OwnFields)[]) check(name);
}

function timeZoneFault(name: string): string | null {
  const instead = 'write a name of the IANA database, for example America/New_York';
  // Intl accepts offsets like +01:00, but they have no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return `${JSON.stringify(name)} is not a time zone; ${instead}`;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    const isOtherCase = timeZone !== name && timeZone.toLowerCase() === name.toLowerCase();
    return isOtherCase ? `must be written ${timeZone}` : null;
  } catch {
    return `${JSON.stringify(name)} is not a time zone; ${instead}`;
  }
}

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
