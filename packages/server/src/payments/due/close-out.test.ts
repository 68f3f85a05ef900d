import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { captureTime, closeOutAfter } from './close-out.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Zones with whole, half and quarter hours, gaps of 30 min, 1 h, 2 h and a day, and none. */
const ZONES = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Sao_Paulo',
  'America/Caracas',
  'Europe/Berlin',
  'Europe/Dublin',
  'Atlantic/Azores',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Asia/Pyongyang',
  'Asia/Tehran',
  'Asia/Kolkata',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Australia/Lord_Howe',
  'Australia/Adelaide',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kwajalein',
  'Pacific/Kiritimati',
];

/** A wall clock's reading as a number that compares like it: yyyyMMddHHmm. */
function wallClock(timeZone: string): (instantMs: number) => number {
  // Swedes write year, month and day in this order, and hours from 00 to 23.
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (instantMs) => Number(format.format(instantMs).replaceAll(/\D/g, ''));
}

/**
 * The model: it watches the restaurant's clock minute by minute. On each date the close-out is the
 * last minute that reads the hour; when none does, the first minute of the date that reads more.
 */
function watchedCloseOut(instantMs: number, timeZone: string, closeoutHour: number): number {
  const read = wallClock(timeZone);
  const fromMs = Math.floor(instantMs / MINUTE_MS) * MINUTE_MS - 30 * HOUR_MS;
  const closeOuts = new Map<number, { atMs: number; isExact: boolean }>();
  for (let atMs = fromMs; atMs < fromMs + 110 * HOUR_MS; atMs += MINUTE_MS) {
    const reading = read(atMs);
    const date = Math.floor(reading / 10_000);
    const time = reading % 10_000;
    const isExact = time === closeoutHour * 100;
    if (isExact) closeOuts.set(date, { atMs, isExact });
    const isFirstMore = time > closeoutHour * 100 && !closeOuts.has(date);
    if (isFirstMore) closeOuts.set(date, { atMs, isExact });
  }
  // What the watch began in the middle of is not the first minute of anything.
  closeOuts.delete(Math.floor(read(fromMs) / 10_000));
  const later = [...closeOuts.values()].map(({ atMs }) => atMs).filter((atMs) => atMs > instantMs);
  return Math.min(...later);
}

/** The instants at which a zone's clock is set, where errors would be. */
function changesOf(timeZone: string): number[] {
  const found: number[] = [];
  const start = Temporal.Instant.from('1990-01-01T00:00Z').toZonedDateTimeISO(timeZone);
  let change = start.getTimeZoneTransition('next');
  while (change !== null && change.year < 2040) {
    found.push(change.epochMilliseconds);
    change = change.getTimeZoneTransition('next');
  }
  return found;
}

const changes = new Map(ZONES.map((timeZone) => [timeZone, changesOf(timeZone)]));

const cases = fc
  .record({ timeZone: fc.constantFrom(...ZONES), closeoutHour: fc.integer({ min: 0, max: 12 }) })
  .chain(({ timeZone, closeoutHour }) => {
    const anywhere = fc.integer({ min: Date.UTC(1990), max: Date.UTC(2040) });
    const known = changes.get(timeZone) ?? [];
    const near = fc
      .tuple(fc.nat(), fc.integer({ min: -30 * 60, max: 30 * 60 }))
      .map(([at, minutes]) => (known[at % known.length] ?? 0) + minutes * MINUTE_MS);
    const instantMs = known.length > 0 ? fc.oneof(anywhere, near, near) : anywhere;
    return fc.record({
      instantMs,
      timeZone: fc.constant(timeZone),
      closeoutHour: fc.constant(closeoutHour),
    });
  });

test('close-out property: it is what someone sees who watches the clock of the restaurant', () => {
  fc.assert(
    fc.property(cases, ({ instantMs, timeZone, closeoutHour }) => {
      const closeOutMs = closeOutAfter(instantMs, { timeZone, closeoutHour });
      assert.equal(
        new Date(closeOutMs).toISOString(),
        new Date(watchedCloseOut(instantMs, timeZone, closeoutHour)).toISOString(),
      );
    }),
    { numRuns: 40 },
  );
});

test('close-out property: business days follow one another without a gap', () => {
  fc.assert(
    fc.property(cases, ({ instantMs, ...restaurant }) => {
      const closeOutMs = closeOutAfter(instantMs, restaurant);
      assert.ok(closeOutMs > instantMs);
      // The last instant of the day belongs to it, and the close-out itself to the next day.
      assert.equal(closeOutAfter(closeOutMs - 1, restaurant), closeOutMs);
      const nextMs = closeOutAfter(closeOutMs, restaurant);
      assert.ok(nextMs > closeOutMs + 19 * HOUR_MS, 'a day lasts 19 hours at least');
      assert.ok(nextMs < closeOutMs + 29 * HOUR_MS, 'a day lasts 29 hours at most');
    }),
    { numRuns: 1_000 },
  );
});

const EXAMPLES: readonly [string, string, number, string, string][] = [
  ['late evening', 'America/Denver', 4, '2026-07-17T23:30-06:00', '2026-07-18T04:00-06:00'],
  ['a minute before', 'America/Denver', 4, '2026-07-18T03:59-06:00', '2026-07-18T04:00-06:00'],
  ['the hour itself', 'America/Denver', 4, '2026-07-18T04:00-06:00', '2026-07-19T04:00-06:00'],
  ['midnight', 'America/Denver', 0, '2026-07-17T23:30-06:00', '2026-07-18T00:00-06:00'],
  ['half an hour of offset', 'Asia/Kolkata', 4, '2026-07-17T23:30+05:30', '2026-07-18T04:00+05:30'],
  ['the night of spring', 'America/Denver', 4, '2026-03-07T23:30-07:00', '2026-03-08T04:00-06:00'],
  ['the night of autumn', 'America/Denver', 4, '2026-10-31T23:30-06:00', '2026-11-01T04:00-07:00'],
  ['in the gap', 'America/Denver', 2, '2026-03-07T23:30-07:00', '2026-03-08T03:00-06:00'],
  [
    'in a gap of 30 min',
    'Australia/Lord_Howe',
    2,
    '2026-10-03T23:00+10:30',
    '2026-10-04T02:30+11:00',
  ],
  ['in a gap of 2 h', 'Antarctica/Troll', 2, '2026-03-28T23:00+00:00', '2026-03-29T03:00+02:00'],
  ['before both', 'America/Denver', 1, '2026-10-31T23:30-06:00', '2026-11-01T01:00-07:00'],
  ['at the first of both', 'America/Denver', 1, '2026-11-01T01:00-06:00', '2026-11-01T01:00-07:00'],
  ['between both', 'America/Denver', 1, '2026-11-01T01:30-06:00', '2026-11-01T01:00-07:00'],
  [
    'at the second of both',
    'America/Denver',
    1,
    '2026-11-01T01:00-07:00',
    '2026-11-02T01:00-07:00',
  ],
  ['before a day left out', 'Pacific/Apia', 4, '2011-12-29T23:30-10:00', '2011-12-31T04:00+14:00'],
];

for (const [title, timeZone, closeoutHour, from, to] of EXAMPLES) {
  test(`close-out example: ${title} in ${timeZone} at ${closeoutHour}`, () => {
    const closeOutMs = closeOutAfter(Date.parse(from), { timeZone, closeoutHour });
    assert.equal(new Date(closeOutMs).toISOString(), new Date(to).toISOString());
  });
}

test('close-out: a capture waits for a close-out an hour before its deadline, or earlier', () => {
  const bar = { timeZone: 'America/Denver', closeoutHour: 4 };
  const fulfilledMs = Date.parse('2026-07-17T23:30-06:00');
  const closeOutMs = Date.parse('2026-07-18T04:00-06:00');
  assert.equal(captureTime(fulfilledMs, fulfilledMs + 6 * DAY_MS, bar), closeOutMs);
  assert.equal(captureTime(fulfilledMs, closeOutMs + HOUR_MS, bar), closeOutMs);
});

test('close-out PAY-I3: a close-out in the last hour before the deadline comes too late', () => {
  const bar = { timeZone: 'America/Denver', closeoutHour: 4 };
  const fulfilledMs = Date.parse('2026-07-17T23:30-06:00');
  const closeOutMs = Date.parse('2026-07-18T04:00-06:00');
  const deadlineMs = closeOutMs + MINUTE_MS;
  assert.equal(captureTime(fulfilledMs, deadlineMs, bar), deadlineMs - HOUR_MS);
});

test('close-out: a capture that cannot wait goes an hour before its deadline, or at once', () => {
  const bar = { timeZone: 'America/Denver', closeoutHour: 4 };
  const fulfilledMs = Date.parse('2026-07-17T23:30-06:00');
  const closeOutMs = Date.parse('2026-07-18T04:00-06:00');
  assert.equal(captureTime(fulfilledMs, closeOutMs, bar), closeOutMs - HOUR_MS);
  const deadlineMs = fulfilledMs + 3 * HOUR_MS;
  assert.equal(captureTime(fulfilledMs, deadlineMs, bar), deadlineMs - HOUR_MS);
  assert.equal(captureTime(fulfilledMs, fulfilledMs + 20 * MINUTE_MS, bar), fulfilledMs);
});
