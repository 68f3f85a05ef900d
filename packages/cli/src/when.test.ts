import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@servery/client/back-office';
import type { Value } from './command.ts';
import { text } from './values.ts';
import { since, until, untilCloseOut } from './when.ts';

const payload = btoa(JSON.stringify({ exp: Date.UTC(2026, 0, 31, 18, 1) / 1_000 }));
const client = new Client({
  baseUrl: 'http://platform.example',
  credentials: { clientId: 'one', clientSecret: 'svs_x' },
  fetch: async () => Response.json({ access_token: `a.${payload}.c`, expires_in: 60 }),
});
const at = { client, demo: null, given: {}, flag: '' };
const own = text('<when>', 'a time');

/** What an option is in the request, by how it was written. */
const sent = async ({ read, find }: Value, written: string) =>
  await find?.(read?.(written, '--until ') as never, at);

test('servery --until: tomorrow is the closeout, a duration counts from now there', async () => {
  const untilOf = (written: string) => sent(untilCloseOut(own, null), written);
  assert.equal(await untilOf('tomorrow'), 'closeOut');
  assert.equal(await untilOf('Close-Out'), 'closeOut');
  assert.equal(await untilOf('2h'), '2026-01-31T20:00:00Z');
  assert.equal(await untilOf('PT30M'), '2026-01-31T18:30:00Z');
  assert.equal(await untilOf('2026-02-01T09:00+01:00'), '2026-02-01T08:00:00.000Z');
  assert.equal(await sent(since(own, null), '2h'), '2026-01-31T16:00:00Z');
});

test('servery --until: what is not a time is refused before the platform is asked', () => {
  const refused = ({ read }: Value, written: string, told: RegExp) =>
    assert.throws(() => read?.(written, '--until '), told);
  refused(until(own, null), 'soon', /--until "soon" is not a time\. Use a duration/);
  refused(untilCloseOut(own, null), 'yesterday', /not a time\. Use tomorrow \(the closeout\), a/);
  refused(until(own, null), '2026-02-01', /is a date without a time\. Add one/);
  refused(until(own, null), '5x', /"5x" is not a duration/);
});
