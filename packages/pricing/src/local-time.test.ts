import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInForce, localTime } from './local-time.ts';

const holds = (days: string[], start: string, end: string, at: string) =>
  isInForce({ days, timeRanges: [{ start, end }] }, localTime(Date.parse(at), 'America/New_York'));

test('pricing MENU-14: a range over midnight belongs to the day on which it starts', () => {
  const friday = (at: string) => holds(['FRIDAY'], '22:00', '01:59', at);
  assert.equal(friday('2026-03-06T21:59:59-05:00'), false);
  assert.equal(friday('2026-03-06T22:00:00-05:00'), true);
  assert.equal(friday('2026-03-07T01:59:59-05:00'), true);
  assert.equal(friday('2026-03-07T02:00:00-05:00'), false);
  assert.equal(friday('2026-03-06T01:00:00-05:00'), false);
});

test('pricing MENU-14: midnight to midnight is the whole day, and no other', () => {
  const monday = (at: string) => holds(['MONDAY'], '00:00', '00:00', at);
  assert.equal(monday('2026-03-02T00:00:00-05:00'), true);
  assert.equal(monday('2026-03-02T23:59:59-05:00'), true);
  assert.equal(monday('2026-03-03T00:00:00-05:00'), false);
});

test('pricing MENU-14: schedules go by local time, also after the clocks change', () => {
  const lunch = (at: string) => holds(['SUNDAY'], '12:00', '12:59', at);
  assert.equal(lunch('2026-03-01T17:30:00Z'), true);
  assert.equal(lunch('2026-03-08T16:30:00Z'), true);
  assert.equal(lunch('2026-03-08T17:30:00Z'), false);
});
