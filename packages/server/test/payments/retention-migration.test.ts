import assert from 'node:assert/strict';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { migratePlatform, migrationsFolder } from '../../src/database/migrations.ts';
import { createEmptyDatabase, type TestDatabase } from '../database.ts';
import { makeTestFolder } from '../test-folder.ts';
import { insertClient, insertMerchant } from './fixture-store.ts';

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

test('migration 0008: guest data that were there are dated by their payment', async () => {
  for (const file of await readdir(migrationsFolder)) {
    if (file < '0008') await copyFile(join(migrationsFolder, file), join(folder, file));
  }
  const { database } = made;
  await migratePlatform(database, { folder });
  const { sql } = database;
  const createdAt = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  const { guid } = await insertMerchant(sql, 'USD', createdAt);
  const clientId = await insertClient(sql, createdAt);
  const paymentUuid = newGuid();
  const digest = Buffer.alloc(32);
  await sql`
    insert into payment_event (merchant_guid, payment_uuid, version, from_state, cause, to_state,
      attempt, occurred_at)
    values (${guid}, ${paymentUuid}, 1, 'NEW', 'riskRefused', 'DENIED', 0, ${createdAt})`;
  await sql`
    insert into payment (merchant_guid, payment_uuid, payment_id, client_id, state, version,
      attempt, content_digest, currency_code, amount_minor, tip_minor, card_number_origin,
      will_save_card, card_brand, card_first6, card_last4, card_digest, local_transaction_date,
      denial_reason, created_at, modified_at)
    values (${guid}, ${paymentUuid}, ${newGuid()}, ${clientId}, 'DENIED', 1, 0, ${digest}, 'USD',
      1, 0, 'END_USER', false, 'VISA', '411111', '1111', ${digest}, '', 'no', ${createdAt},
      ${createdAt})`;
  await sql`
    insert into payment_guest (merchant_guid, payment_uuid, guest_identifier, origin_ip_address,
      instance_id, billing_address)
    values (${guid}, ${paymentUuid}, 'guest', '8.8.4.4', 'web-1', '{}')`;
  await migratePlatform(database);
  const rows = await sql`select created_at from payment_guest`;
  assert.deepEqual([...rows], [{ created_at: createdAt }]);
});
