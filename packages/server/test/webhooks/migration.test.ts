import assert from 'node:assert/strict';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { migratePlatform, migrationsFolder } from '../../src/database/migrations.ts';
import { eventBody } from '../../src/webhooks/events/event-body.ts';
import { createEmptyDatabase, type TestDatabase } from '../database.ts';
import { insertPartner, insertRestaurant } from '../rows.ts';
import { makeTestFolder } from '../test-folder.ts';

let made: TestDatabase;
let folder: string;
before(async () => {
  made = await createEmptyDatabase();
  folder = await makeTestFolder();
});
after(async () => {
  await made.drop();
  await rm(folder, { recursive: true });
});

test('migration 0022: the bodies of older events are what would be written today', async () => {
  for (const file of await readdir(migrationsFolder)) {
    if (file < '0022') await copyFile(join(migrationsFolder, file), join(folder, file));
  }
  const { sql } = made.database;
  await migratePlatform(made.database, { folder });
  const { guid: restaurantGuid } = await insertRestaurant(sql);
  const partnerGuid = await insertPartner(sql);
  const first = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6));
  const instants = [first, new Date(Date.UTC(2026, 11, 31))];
  const details = { restaurantName: 'Größe "1" \\ \u2028', modifiedDate: 1_767_323_045_006 };
  await sql`
    insert into connection (restaurant_guid, partner_guid, created_at, modified_at)
    values (${restaurantGuid}, ${partnerGuid}, ${first}, ${first})`;
  const events = instants.map((at, index) => ({ at, guid: newGuid(), position: index + 1 }));
  for (const { at, guid, position } of events) {
    await sql`
      insert into connection_change (restaurant_guid, partner_guid, number, kind, at, actor)
      values (${restaurantGuid}, ${partnerGuid}, ${position}, 'EDITED', ${at}, 'system:test')`;
    await sql`
      insert into partner_event (partner_guid, position, guid, type, restaurant_guid,
        change_number, at, payload)
      values (${partnerGuid}, ${position}, ${guid}, 'partner_updated', ${restaurantGuid},
        ${position}, ${at}, ${sql.json(details)})`;
  }
  await migratePlatform(made.database);
  const rows = await sql<{ body: string }[]>`
    select body from partner_event where partner_guid = ${partnerGuid} order by position`;
  const type = 'partner_updated' as const;
  assert.deepEqual(
    rows.map(({ body }) => body),
    events.map(({ at, guid }) => eventBody({ at, guid, type, details: details as never })),
  );
});
