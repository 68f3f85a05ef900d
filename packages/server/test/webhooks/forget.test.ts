import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  deleteOldEvents,
  deleteOldExtras,
  type ForgottenPlace,
} from '../../src/webhooks/delivery/forget-store.ts';
import { replayEvents } from '../../src/webhooks/delivery/replay.ts';
import { authority, openWebhookFixture, type WebhookFixture } from './fixture.ts';

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

/** A walk in steps of two; gives what each step but the last came to. */
async function walk(forget: typeof deleteOldEvents): Promise<number[]> {
  const { sql } = fixture.database;
  const cutoff = new Date(fixture.clock.nowMs());
  const places: number[] = [];
  let place: ForgottenPlace | null = null;
  do {
    place = await forget(sql, { cutoff, after: place, limit: 2 });
    if (place) places.push(place.number);
  } while (place && places.length < 10);
  return places;
}

test('forget: what is kept is looked at once, and what comes behind it goes', async () => {
  const { sql } = fixture.database;
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/kept');
  // Queued, and all in one millisecond.
  await partner.events(5);
  const selection = { kind: 'range', from: 1, to: 5 } as const;
  const asked = { endpointGuid: endpoint.guid, selection, expectedCount: 5 };
  await replayEvents(fixture.manage, asked, authority(fixture));
  // The last one is sent by nobody anymore, and the one before it only by its replay.
  await sql`delete from webhook_delivery where place = 4 or (place = 5 and extra in (0, 5))`;
  assert.deepEqual(await walk(deleteOldExtras), [2, 4]);
  assert.deepEqual(await walk(deleteOldEvents), [2, 4]);
  const [left] = await sql`
    select (select array_agg(number order by number)::text from webhook_extra) as extras,
      (select array_agg(position order by position)::text from partner_event) as events`;
  assert.deepEqual({ ...left }, { extras: '{1,2,3,4}', events: '{1,2,3,4}' });
});
