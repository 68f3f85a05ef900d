import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { closeOutAfter } from '../payments/due/close-out.ts';
import { businessDayOf, businessDayOn } from './business-day.ts';

const ZONES = [
  ...['UTC', 'America/New_York', 'America/St_Johns', 'America/Havana', 'America/Sao_Paulo'],
  ...['Europe/Berlin', 'Asia/Kathmandu', 'Africa/Cairo', 'Australia/Lord_Howe', 'Pacific/Apia'],
];

const restaurants = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  closeoutHour: fc.integer({ min: 0, max: 12 }),
});
const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2040, 0, 1) });
/** Close to where a zone's clock is set, where errors would be. */
const nearChanges = fc
  .tuple(restaurants, instants, fc.integer({ min: -48, max: 48 }))
  .map(([restaurant, fromMs, hours]) => {
    const from = Temporal.Instant.fromEpochMilliseconds(fromMs);
    const change = from.toZonedDateTimeISO(restaurant.timeZone).getTimeZoneTransition('next');
    const nearMs = (change?.epochMilliseconds ?? fromMs) + hours * 3_600_000 - 1;
    return { restaurant, instantMs: nearMs };
  });

test('business day property: every instant lies in one day, which ends at its close-out', () => {
  fc.assert(
    fc.property(nearChanges, ({ restaurant, instantMs }) => {
      const day = businessDayOf(instantMs, restaurant);
      assert.ok(day.fromMs <= instantMs && instantMs < day.toMs);
      assert.equal(day.toMs, closeOutAfter(instantMs, restaurant));
      assert.deepEqual(businessDayOf(day.fromMs, restaurant), day);
      assert.deepEqual(businessDayOf(day.toMs - 1, restaurant), day);
      assert.deepEqual(businessDayOn(Temporal.PlainDate.from(day.date), restaurant), day);
      assert.equal(businessDayOf(day.toMs, restaurant).fromMs, day.toMs, 'days adjoin');
    }),
    { numRuns: 500 },
  );
});

const EXAMPLES = [
  ['after midnight it is still yesterday', 'America/Chicago', 4, '2026-03-07T08:30:00Z'],
  ['at the close-out it is today', 'America/Chicago', 4, '2026-03-07T10:00:00Z'],
  ['a day of 23 hours', 'America/Chicago', 4, '2026-03-08T01:00:00Z'],
  ['a day of 25 hours', 'America/Chicago', 4, '2026-11-01T01:00:00Z'],
  ['a day that ends in the gap', 'Europe/Berlin', 2, '2026-03-29T00:30:00Z'],
  ['a day that ends in the repeated hour', 'Europe/Berlin', 2, '2026-10-25T00:30:00Z'],
  ['a day from midnight to midnight', 'UTC', 0, '2026-03-07T00:00:00Z'],
] as const;
const EXPECTED = [
  '2026-03-06 2026-03-06T10:00:00.000Z 2026-03-07T10:00:00.000Z',
  '2026-03-07 2026-03-07T10:00:00.000Z 2026-03-08T09:00:00.000Z',
  '2026-03-07 2026-03-07T10:00:00.000Z 2026-03-08T09:00:00.000Z',
  '2026-10-31 2026-10-31T09:00:00.000Z 2026-11-01T10:00:00.000Z',
  '2026-03-28 2026-03-28T01:00:00.000Z 2026-03-29T01:00:00.000Z',
  '2026-10-24 2026-10-24T00:00:00.000Z 2026-10-25T01:00:00.000Z',
  '2026-03-07 2026-03-07T00:00:00.000Z 2026-03-08T00:00:00.000Z',
];

for (const [index, [title, timeZone, closeoutHour, instant]] of EXAMPLES.entries()) {
  test(`business day example: ${title}`, () => {
    const { date, fromMs, toMs } = businessDayOf(Date.parse(instant), { timeZone, closeoutHour });
    const shown = [date, new Date(fromMs).toISOString(), new Date(toMs).toISOString()].join(' ');
    assert.equal(shown, EXPECTED[index]);
  });
}

test('business day: a date that a zone left out gives the next one', () => {
  const apia = { timeZone: 'Pacific/Apia', closeoutHour: 4 };
  const left = businessDayOn(Temporal.PlainDate.from('2011-12-30'), apia);
  const next = businessDayOn(Temporal.PlainDate.from('2011-12-31'), apia);
  assert.deepEqual([left.fromMs, left.toMs], [next.fromMs, next.toMs]);
});
