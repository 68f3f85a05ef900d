import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isSqlState } from '../../src/db/database.ts';
import { moves } from '../../src/payments/lifecycle.ts';
import { newRandomId } from '../../src/support/ids.ts';
import { type Desk, openDesk } from './desk.ts';
import {
  deleteEvents,
  insertRawEvent,
  listTransitions,
  updateEventStates,
  updateStateAlone,
  updateVersionAlone,
} from './fixture-store.ts';

let desk: Desk;
before(async () => {
  desk = await openDesk();
});
after(() => desk.close());

const FOREIGN_KEY = '23503';
const CHECK = '23514';
const UNIQUE = '23505';

async function assertRefused(work: Promise<unknown>, sqlState: string): Promise<void> {
  await assert.rejects(work, (error) => isSqlState(error, sqlState));
}

test('creditCards.authorize I5: the database holds exactly the legal moves', async () => {
  const sorted = (rows: readonly object[]) =>
    rows.map((row) => JSON.stringify(row, ['from', 'cause', 'to'])).sort();
  assert.deepEqual(sorted(await listTransitions(desk.database.sql)), sorted(moves));
});

test('creditCards.authorize I5: no change of state without its event', async () => {
  const { sql } = desk.database;
  await desk.put();
  await assertRefused(updateStateAlone(sql, desk.merchant.guid, 'VOID_PENDING'), FOREIGN_KEY);
  await assertRefused(updateVersionAlone(sql, desk.merchant.guid), FOREIGN_KEY);
});

test('creditCards.authorize I5: events cannot be changed or removed', async () => {
  const { sql } = desk.database;
  await desk.put();
  await assertRefused(updateEventStates(sql, desk.merchant.guid, 'DENIED'), FOREIGN_KEY);
  await assertRefused(deleteEvents(sql, desk.merchant.guid), FOREIGN_KEY);
});

test('creditCards.authorize I5: the database refuses illegal moves and gaps', async () => {
  const { sql } = desk.database;
  const paymentUuid = newRandomId();
  await desk.put({ paymentUuid });
  const key = { merchantGuid: desk.merchant.guid, paymentUuid };
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
