import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Remote } from '../back-office.ts';
import { instantOf, whenOf } from './when.ts';

const remote = { nowMs: async () => Date.UTC(2026, 0, 31, 18, 0, 0) } as Remote;

test('servery --until: tomorrow is the close-out, a duration counts from now there', async () => {
  assert.equal(await whenOf('--until', 'tomorrow', remote), 'closeOut');
  assert.equal(await whenOf('--until', 'Close-Out', remote), 'closeOut');
  assert.equal(await whenOf('--until', '2h', remote), '2026-01-31T20:00:00Z');
  assert.equal(await whenOf('--until', 'PT30M', remote), '2026-01-31T18:30:00Z');
  assert.equal(
    await whenOf('--until', '2026-02-01T09:00+01:00', remote),
    '2026-02-01T08:00:00.000Z',
  );
});

test('servery --until: what is no time is refused in words', async () => {
  await assert.rejects(
    instantOf('--expires', 'soon', remote),
    /--expires "soon" is no time: write/,
  );
  await assert.rejects(
    whenOf('--until', 'yesterday', remote),
    /"yesterday" is no time: write tomorrow \(the close-out\), how long/,
  );
  await assert.rejects(instantOf('--expires', '2026-02-01', remote), /is no instant/);
  await assert.rejects(instantOf('--expires', '5x', remote), /"5x" is no duration/);
});
