import assert from 'node:assert/strict';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../src/database/database.ts';
import { migratePlatform, migrationsFolder } from '../../src/database/migrations.ts';
import type { PaymentKey } from '../../src/payments/life/store.ts';
import { createEmptyDatabase, type TestDatabase } from '../database.ts';
import { makeTestFolder } from '../test-folder.ts';
import { insertClient, insertMerchant, readEventRows, updateEventColumn } from './fixture-store.ts';

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

const FOREIGN_KEY = '23503';
const HISTORY = [
  { from: 'NEW', cause: 'submitted', to: 'PENDING', details: null },
  { from: 'PENDING', cause: 'outcomeLost', to: 'UNKNOWN', details: '{"reason":"a \\\\ b é\\n"}' },
  { from: 'UNKNOWN', cause: 'inquiryNotFound', to: 'ABORTED', details: '{ "two" :\n "lines" }' },
  { from: 'ABORTED', cause: 'submittedAgain', to: 'PENDING', details: '{}' },
  { from: 'PENDING', cause: 'declined', to: 'DENIED', details: null },
];

test('migration 0012: events that were there are chained up, and cannot be changed', async () => {
  for (const file of await readdir(migrationsFolder)) {
    if (file < '0012') await copyFile(join(migrationsFolder, file), join(folder, file));
  }
  const { database } = made;
  await migratePlatform(database, { folder });
  const { sql } = database;
  const now = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  const { guid: merchantGuid } = await insertMerchant(sql, 'USD', now);
  const clientId = await insertClient(sql, now);
  const payments = [newGuid(), newGuid()].map((paymentUuid) => ({ merchantGuid, paymentUuid }));
  for (const key of payments) {
    await insertOldEvents(sql, key, now);
    await insertOldPayment(sql, key, clientId, now);
  }
  const before = await Promise.all(payments.map((key) => readEventRows(sql, key)));
  await migratePlatform(database);
  for (const [index, key] of payments.entries()) {
    const after = await readEventRows(sql, key);
    const texts = before[index] ?? [];
    assert.equal(after.length, HISTORY.length);
    for (const [place, text] of texts.entries()) {
      assert.ok(after[place]?.startsWith(text.slice(0, -1)), 'what an event says is as it was');
    }
    for (let version = 1; version <= HISTORY.length; version += 1) {
      const changing = updateEventColumn(sql, { ...key, version }, 'details', "'[]'");
      await assert.rejects(changing, (error) => isSqlState(error, FOREIGN_KEY));
    }
  }
});

/** Inserts events as the program did before, some without a guid. */
async function insertOldEvents(
  sql: Sql,
  { merchantGuid, paymentUuid }: PaymentKey,
  now: Date,
): Promise<void> {
  for (const [index, { from, cause, to, details }] of HISTORY.entries()) {
    await sql`
      insert into payment_event (merchant_guid, payment_uuid, version, previous_version,
        from_state, cause, to_state, attempt, details, occurred_at, guid)
      values (${merchantGuid}, ${paymentUuid}, ${index + 1}, ${index === 0 ? null : index},
        ${from}, ${cause}, ${to}, 1, ${details}::text::json,
        ${new Date(now.getTime() + index)}, ${index < 2 ? null : newGuid()})`;
  }
}

async function insertOldPayment(
  sql: Sql,
  { merchantGuid, paymentUuid }: PaymentKey,
  clientId: string,
  now: Date,
): Promise<void> {
  const digest = Buffer.alloc(32);
  await sql`
    insert into payment (merchant_guid, payment_uuid, payment_id, client_id, state, version,
      attempt, content_digest, currency_code, amount_minor, tip_minor, card_number_origin,
      will_save_card, card_brand, card_first6, card_last4, card_digest, local_transaction_date,
      denial_reason, created_at, modified_at)
    values (${merchantGuid}, ${paymentUuid}, ${newGuid()}, ${clientId}, 'DENIED',
      ${HISTORY.length}, 1,
      ${digest}, 'USD', 1, 0, 'END_USER', false, 'VISA', '411111', '1111', ${digest}, '', 'no',
      ${now}, ${now})`;
}
