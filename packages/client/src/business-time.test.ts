import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  businessDate,
  currentOpening,
  nextOpening,
  openingHours,
  type RestaurantTimes,
} from './business-time.ts';

const service = (name: string, startTime: string, endTime: string, overnight = false) => ({
  ...{ name, overnight },
  hours: { startTime: `${startTime}:00.000`, endTime: `${endTime}:00.000` },
});

/** A bar in New York that closes after midnight, and on Mondays altogether. */
const bar = {
  general: { timeZone: 'America/New_York', closeoutHour: 4 },
  schedules: {
    daySchedules: {
      '1': {
        services: [service('Lunch', '11:30', '15:00'), service('Late', '22:00', '02:00', true)],
      },
      '2': {
        services: [service('Early', '01:00', '03:30', true), service('Day', '05:00', '00:00')],
      },
    },
    weekSchedule: {
      ...{ monday: null, tuesday: '1', wednesday: '1', thursday: '1', friday: '1' },
      ...{ saturday: '1', sunday: '2' },
    },
  },
} as unknown as RestaurantTimes;

const at = (text: string) => new Date(text);
const spans = (date: number) =>
  openingHours(bar, date).map(({ name, opens, closes }) => [
    name,
    opens.toISOString(),
    closes.toISOString(),
  ]);

test('business date: before the closeout hour it is that of the day before', () => {
  assert.equal(businessDate(bar, at('2026-07-02T03:59:59-04:00')), 20260701);
  assert.equal(businessDate(bar, at('2026-07-02T04:00:00-04:00')), 20260702);
  assert.equal(businessDate(bar, at('2026-01-01T03:00:00-05:00')), 20251231);
  const midnight = { general: { ...bar.general, closeoutHour: 0 } };
  assert.equal(businessDate(midnight, at('2026-07-02T00:00:00-04:00')), 20260702);
});

test('opening hours: what begins or ends after midnight belongs to the evening before', () => {
  assert.deepEqual(spans(20260701), [
    ['Lunch', '2026-07-01T15:30:00.000Z', '2026-07-01T19:00:00.000Z'],
    ['Late', '2026-07-02T02:00:00.000Z', '2026-07-02T06:00:00.000Z'],
  ]);
  assert.deepEqual(spans(20260705), [
    ['Early', '2026-07-06T05:00:00.000Z', '2026-07-06T07:30:00.000Z'],
    ['Day', '2026-07-05T09:00:00.000Z', '2026-07-06T04:00:00.000Z'],
  ]);
  assert.deepEqual(spans(20260706), []);
});

test('opening hours: the clock changes in the night', () => {
  // 2:00 does not exist on March 8, and is there twice on November 1.
  assert.deepEqual(spans(20260307)[1], [
    ...['Late', '2026-03-08T03:00:00.000Z', '2026-03-08T07:00:00.000Z'],
  ]);
  assert.deepEqual(spans(20261031)[1], [
    ...['Late', '2026-11-01T02:00:00.000Z', '2026-11-01T07:00:00.000Z'],
  ]);
  const early = openingHours(bar, 20261025).map(({ opens }) => opens.toISOString());
  assert.equal(early[0], '2026-10-26T05:00:00.000Z');
});

test('next opening: the one that begins after an instant, over closed days', () => {
  const isNow = (text: string) => currentOpening(bar, at(text))?.name ?? null;
  assert.equal(isNow('2026-07-02T01:59:59-04:00'), 'Late');
  assert.equal(isNow('2026-07-02T02:00:00-04:00'), null);
  assert.equal(isNow('2026-07-01T11:30:00-04:00'), 'Lunch');
  const next = nextOpening(bar, at('2026-07-06T12:00:00-04:00'));
  assert.deepEqual([next?.name, next?.businessDate], ['Lunch', 20260707]);
  assert.equal(nextOpening(bar, at('2026-07-01T11:30:00-04:00'))?.name, 'Late');
  const closed = { ...bar, schedules: { ...bar.schedules, daySchedules: {} } };
  assert.equal(nextOpening(closed, at('2026-07-01T11:30:00-04:00')), null);
});

test('opening hours: what is no date is refused', () => {
  assert.throws(() => openingHours(bar, 2026), { name: 'InvalidInput', field: 'date' });
});
