/** A night: an order is fulfilled late, and the business day ends after midnight. */
export interface Night {
  readonly name: string;
  /** 23:30 of the local clock. */
  readonly fulfilledAt: string;
  /** 04:00 of the local clock, hours later. */
  readonly closeOutAt: string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MARCH = 2;
const OCTOBER = 9;
const DAYS_OF_THE_WEEK = 7;
/** 1970-01-01 was a Thursday: three days later it is Sunday. */
const FIRST_SUNDAY_MS = 3 * DAY_MS;

/**
 * The offsets of the zone from UTC, in hours. Since 1996 summer time is from the last Sunday of
 * March to the last Sunday of October, each at 01:00 UTC (directive 2000/84/EC). Written down here
 * so that no library of the platform under test, nor this machine's, judges itself.
 */
const OFFSET_HOURS = { winter: 1, summer: 2 } as const;

/** The zone that this table is about. */
export const TABLE_ZONE = 'Europe/Berlin';

/** The last Sunday of a month of 31 days, as epoch milliseconds of its midnight in UTC. */
function lastSunday(year: number, month: number): number {
  const lastDayMs = Date.UTC(year, month, 31);
  const weeks = Math.floor((lastDayMs - FIRST_SUNDAY_MS) / (DAYS_OF_THE_WEEK * DAY_MS));
  return FIRST_SUNDAY_MS + weeks * DAYS_OF_THE_WEEK * DAY_MS;
}

function isSummer(instantMs: number): boolean {
  const year = new Date(instantMs).getUTCFullYear();
  const begins = lastSunday(year, MARCH) + HOUR_MS;
  return instantMs >= begins && instantMs < lastSunday(year, OCTOBER) + HOUR_MS;
}

/** The night before the day that begins at a midnight of UTC, with the offsets of its two ends. */
function nightBefore(
  name: string,
  dayMs: number,
  evening: keyof typeof OFFSET_HOURS,
  morning: keyof typeof OFFSET_HOURS,
): Night {
  const instant = (ms: number) => new Date(ms).toISOString();
  return {
    name,
    fulfilledAt: instant(dayMs - HOUR_MS / 2 - OFFSET_HOURS[evening] * HOUR_MS),
    closeOutAt: instant(dayMs + (4 - OFFSET_HOURS[morning]) * HOUR_MS),
  };
}

/** After that instant: a plain night, then those of the next two changes of the clock. */
export function nightsAfter(nowMs: number): readonly [Night, Night, Night] {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const year = new Date(nowMs).getUTCFullYear();
  const sundays = [0, 1, 2].flatMap((ahead) => [
    { dayMs: lastSunday(year + ahead, MARCH), isSpring: true },
    { dayMs: lastSunday(year + ahead, OCTOBER), isSpring: false },
  ]);
  const isChange = (dayMs: number) => sundays.some((sunday) => sunday.dayMs === dayMs);
  const plainDay = isChange(today + 2 * DAY_MS) ? today + 3 * DAY_MS : today + 2 * DAY_MS;
  const season = isSummer(plainDay) ? 'summer' : 'winter';
  const [one, other] = sundays
    .filter(({ dayMs }) => dayMs > plainDay)
    .map(({ dayMs, isSpring }) =>
      isSpring
        ? nightBefore('the short night of spring', dayMs, 'winter', 'summer')
        : nightBefore('the long night of autumn', dayMs, 'summer', 'winter'),
    );
  if (!one || !other) throw new Error('three years have two changes of the clock');
  return [nightBefore('a plain night', plainDay, season, season), one, other];
}
