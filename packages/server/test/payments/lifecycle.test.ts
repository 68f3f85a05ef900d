import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isRefusal, isSqlState } from '@servery/postgres/postgres-error.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { migratePlatform } from '../../src/database/migrations.ts';
import { moves } from '../../src/payments/life/lifecycle.ts';
import { listTransitions, type PaymentKey } from '../../src/payments/life/store.ts';
import { createEmptyDatabase } from '../database.ts';
import { insertRestaurant } from '../rows.ts';
import { OPENED_MS, openPaymentFixture, type PaymentFixture } from './fixture.ts';
import {
  deleteEvents,
  insertEventCopy,
  insertRawEvent,
  listEventColumns,
  readEventRows,
  truncateEvents,
  updateEventColumn,
  updateEventsLike,
  updateStateAlone,
  updateVersionAlone,
} from './fixture-store.ts';
import { beginLife } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const FOREIGN_KEY = '23503';
const CHECK = '23514';
const UNIQUE = '23505';
const NO_RIGHT = '42501';
/** Of TRUNCATE, when a foreign key refers to the table. */
const REFERRED_TO = '0A000';

async function assertRefused(work: Promise<unknown>, sqlState: string): Promise<void> {
  await assert.rejects(work, (error) => isSqlState(error, sqlState));
}

test('creditCards.authorize PAY-I5: the database holds exactly the legal moves', async () => {
  const sorted = (rows: readonly object[]) =>
    rows.map((row) => JSON.stringify(row, ['from', 'cause', 'to'])).sort();
  assert.deepEqual(sorted(await listTransitions(fixture.database.sql)), sorted(moves));
});

test('creditCards.authorize PAY-I5: no change of state without its event', async () => {
  const { sql } = fixture.database;
  await fixture.put();
  await assertRefused(updateStateAlone(sql, fixture.merchant.guid, 'VOID_PENDING'), FOREIGN_KEY);
  await assertRefused(updateVersionAlone(sql, fixture.merchant.guid), FOREIGN_KEY);
});

/** Another value for each column; of the cause a legal one, which only its digest tells apart. */
const otherValues: Readonly<Record<string, string>> = {
  merchant_guid: 'gen_random_uuid()',
  payment_uuid: 'gen_random_uuid()',
  version: 'version + 100',
  previous_version: 'previous_version + 100',
  from_state: "'DENIED'",
  cause: "'captureTimeReached'",
  to_state: "'DENIED'",
  attempt: 'attempt + 1',
  details: `'{"by":"somebody else"}'`,
  occurred_at: "occurred_at + interval '1 millisecond'",
  guid: 'gen_random_uuid()',
  previous_digest: "sha256('another')",
};

/** A payment that was captured because somebody asked: six events. */
async function capturedPayment(): Promise<PaymentKey> {
  const life = beginLife(fixture);
  await life.put();
  await life.apply();
  await life.fulfil();
  await life.capture();
  assert.equal((await life.causes()).at(-2), 'captureRequested');
  return life.key;
}

async function tryToChange(
  event: PaymentKey & { readonly version: number },
  column: string,
  value: string,
): Promise<'changed' | 'said so already' | 'refused'> {
  try {
    const isOther = await updateEventColumn(fixture.database.sql, event, column, value);
    return isOther ? 'changed' : 'said so already';
  } catch (error) {
    if (isRefusal(error)) return 'refused';
    throw error;
  }
}

test('payment_event PAY-I5: no column of any event of a payment can get another value', async () => {
  const { sql } = fixture.database;
  const key = await capturedPayment();
  const before = await readEventRows(sql, key);
  assert.equal(before.length, 6);
  for (const column of await listEventColumns(sql)) {
    const other = otherValues[column];
    assert.ok(other, `${column} is new: put it into the digest, and another value of it here`);
    const outcomes: string[] = [];
    for (let version = 1; version <= before.length; version += 1) {
      outcomes.push(await tryToChange({ ...key, version }, column, other));
      outcomes.push(await tryToChange({ ...key, version }, column, 'null'));
    }
    assert.ok(outcomes.includes('refused'), column);
    assert.ok(!outcomes.includes('changed'), `${column}: ${outcomes}`);
  }
  assert.deepEqual(await readEventRows(sql, key), before);
});

test('payment_event PAY-I5: a history cannot be changed as a whole, with all its digests', async () => {
  const { sql } = fixture.database;
  const key = await capturedPayment();
  const before = await readEventRows(sql, key);
  for (let changed = 1; changed <= before.length; changed += 1) {
    // A chain that is sound in itself: only one event of it says another instant.
    const forgedUuid = newRandomId();
    for (let version = 1; version <= before.length; version += 1) {
      await insertEventCopy(sql, { ...key, version }, forgedUuid, version === changed ? 1 : 0);
    }
    await assertRefused(updateEventsLike(sql, key, forgedUuid), FOREIGN_KEY);
  }
  assert.deepEqual(await readEventRows(sql, key), before);
});

test('payment_event PAY-I5: no events of a payment can be removed while it stands', async () => {
  const { sql } = fixture.database;
  const key = await capturedPayment();
  const before = await readEventRows(sql, key);
  for (let from = 1; from <= before.length; from += 1) {
    for (let to = from; to <= before.length; to += 1) {
      await assertRefused(deleteEvents(sql, key, { from, to }), FOREIGN_KEY);
    }
  }
  await assertRefused(truncateEvents(sql), REFERRED_TO);
  assert.deepEqual(await readEventRows(sql, key), before);
});

test('payment_event PAY-I5: no role but a superuser may change or remove any event', async () => {
  const { sql, key, drop } = await openRestricted();
  try {
    // Nothing refers to the second one, so that no foreign key would mind.
    const newest = { ...key, version: 2 };
    for (const column of await listEventColumns(sql)) {
      if (column === 'merchant_guid') continue;
      const changing = updateEventColumn(sql, newest, column, `${otherValues[column]}`);
      await assertRefused(changing, NO_RIGHT);
    }
    const moved = updateEventColumn(sql, newest, 'merchant_guid', 'gen_random_uuid()');
    await assertRefused(moved, FOREIGN_KEY);
    await assertRefused(deleteEvents(sql, key, { from: 2, to: 2 }), NO_RIGHT);
    await assertRefused(truncateEvents(sql, 'cascade'), NO_RIGHT);
  } finally {
    await drop();
  }
});

/** A database whose migrations a role without special rights applied, with two events. */
async function openRestricted() {
  const made = await createEmptyDatabase();
  const role = `role_${newRandomId().replaceAll('-', '')}`;
  const database = connectDatabase({ url: made.url, poolSize: 1 });
  const { sql } = database;
  const drop = async () => {
    await database.close();
    await made.database.sql.unsafe(`drop owned by ${role}; drop role ${role}`);
    await made.drop();
  };
  await made.database.sql.unsafe(
    `create role ${role}; grant create, usage on schema public to ${role}`,
  );
  try {
    await sql.unsafe(`set role ${role}`);
    await migratePlatform(database);
    const { guid: merchantGuid } = await insertRestaurant(sql, { createdAt: new Date(OPENED_MS) });
    const key = { merchantGuid, paymentUuid: newRandomId() };
    const submitted = { from: 'NEW', cause: 'submitted', to: 'PENDING', attempt: 1 };
    await insertRawEvent(sql, key, { ...submitted, version: 1, previous: null });
    const declined = { from: 'PENDING', cause: 'declined', to: 'DENIED', attempt: 1 };
    await insertRawEvent(sql, key, { ...declined, version: 2, previous: 1 });
    return { sql, key, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

test('creditCards.authorize PAY-I5: the database refuses illegal moves and gaps', async () => {
  const { sql } = fixture.database;
  const paymentUuid = newRandomId();
  await fixture.put({ paymentUuid });
  const key = { merchantGuid: fixture.merchant.guid, paymentUuid };
  const sound = {
    ...{ version: 3, previous: 2, from: 'AUTHORIZED', cause: 'appliedToCheck', to: 'APPLIED' },
    attempt: 1,
  };
  const illegal = { ...sound, cause: 'captureAcknowledged', to: 'CAPTURED' };
  await assertRefused(insertRawEvent(sql, key, illegal), FOREIGN_KEY);
  const gap = { ...sound, version: 4, previous: 3 };
  await assertRefused(insertRawEvent(sql, key, gap), FOREIGN_KEY);
  await assertRefused(insertRawEvent(sql, key, { ...sound, version: 4 }), CHECK);
  const unchained = { ...sound, from: 'PENDING', cause: 'declined', to: 'DENIED' };
  await assertRefused(insertRawEvent(sql, key, unchained), FOREIGN_KEY);
  const again = { ...sound, version: 1, previous: null, from: 'NEW', cause: 'submitted' };
  await assertRefused(insertRawEvent(sql, key, { ...again, to: 'PENDING' }), UNIQUE);
  await assertRefused(insertRawEvent(sql, key, { ...sound, previous: null }), CHECK);
  await insertRawEvent(sql, key, sound);
});
