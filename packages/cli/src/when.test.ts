import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@servery/client';
import { since, until, untilCloseOut } from './when.ts';

const payload = btoa(JSON.stringify({ exp: Date.UTC(2026, 0, 31, 18, 1) / 1_000 }));
const client = new Client({
  baseUrl: 'http://platform.example',
  credentials: { clientId: 'one', clientSecret: 'svs_x' },
  fetch: async () => Response.json({ access_token: `a.${payload}.c`, expires_in: 60 }),
});
const at = { client, demo: null, given: {}, flag: '--until ' };

test('servery --until: tomorrow is the close-out, a duration counts from now there', async () => {
  assert.equal(await untilCloseOut('tomorrow', at), 'closeOut');
  assert.equal(await untilCloseOut('Close-Out', at), 'closeOut');
  assert.equal(await untilCloseOut('2h', at), '2026-01-31T20:00:00Z');
  assert.equal(await untilCloseOut('PT30M', at), '2026-01-31T18:30:00Z');
  assert.equal(await untilCloseOut('2026-02-01T09:00+01:00', at), '2026-02-01T08:00:00.000Z');
  assert.equal(await since('2h', at), '2026-01-31T16:00:00Z');
});

test('servery --until: what is not a time is refused', async () => {
  const refused = async (asked: Promise<unknown>, told: RegExp) =>
    await assert.rejects(asked, told);
  await refused(until('soon', at), /--until "soon" is not a time\. Use a duration/);
  await refused(untilCloseOut('yesterday', at), /not a time\. Use tomorrow \(the close-out\), a/);
  await refused(until('2026-02-01', at), /is not a time\. Use ISO 8601/);
  await refused(until('5x', at), /"5x" is not a duration/);
});
