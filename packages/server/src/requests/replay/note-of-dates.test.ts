import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedInstant } from './instants.ts';
import { noteOfDates } from './note-of-dates.ts';

const at = '2026-01-31T18:30:00.000Z';
const HOUR_MS = 3_600_000;
const order = { promisedDate: '2026-01-31T20:00:00.000+0000', checks: [{ openedDate: at }] };

test('noteOfDates: names the dates that stay when the clock is elsewhere', () => {
  const noted = (laterMs: number, ...places: string[]) => {
    const rebuilt = { body: order, card: null };
    return noteOfDates({ logged: { at }, rebuilt, places }, Date.parse(at) + laterMs).join();
  };
  for (const laterMs of [HOUR_MS, -HOUR_MS]) {
    assert.match(noted(laterMs), /as they were: promisedDate, checks\[0\]\.openedDate\. The clock/);
  }
  assert.match(noted(HOUR_MS), /at 2026-01-31T18:30:00\.000Z .* at 2026-01-31T19:30:00\.000Z/);
  assert.match(noted(HOUR_MS, 'promisedDate'), /as they were: checks\[0\]\.openedDate\./);
  assert.equal(noted(HOUR_MS, 'promisedDate', 'checks[0]'), '');
  assert.equal(noted(HOUR_MS, 'The body'), '');
  assert.equal(noted(1_000), '');
});

test('movedInstant: keeps the time zone', () => {
  assert.equal(
    movedInstant('2026-01-31T23:30:00.000-05:00', HOUR_MS),
    '2026-02-01T00:30:00.000-05:00',
  );
  assert.equal(movedInstant('2026-02-01T00:15:00+0530', -HOUR_MS), '2026-01-31T23:15:00.000+0530');
  assert.equal(movedInstant('2026-01-31T18:30:00Z', HOUR_MS), '2026-01-31T19:30:00.000Z');
  assert.equal(movedInstant('2026-02-31T18:30:00Z', HOUR_MS), null);
  assert.equal(movedInstant('tomorrow', HOUR_MS), null);
});
