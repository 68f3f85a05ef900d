import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Database } from '../../src/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openStockFixture, type StockFixture } from './fixture.ts';

const HOUR_MS = 3_600_000;

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

/** The newest change of an item. */
async function newest(fixture: StockFixture, item: string): Promise<string> {
  const [change] = await fixture.changes({ item, pageSize: '1' });
  return String(change?.guid);
}

test('backOffice.stock.undo 200: the item is as it was before, until included', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  await fixture.put(guid, 'QUANTITY', { quantity: 0.1 });
  await fixture.put(guid, 'OUT_OF_STOCK', { until: 'closeOut' });
  await fixture.put(guid, 'IN_STOCK');
  const back = await fixture.undo(await newest(fixture, guid));
  assert.equal(back.status, 200);
  assert.deepEqual(
    [back.body.status, back.body.until, back.body.lastChange.cause],
    ['OUT_OF_STOCK', '2026-03-02T10:00:00.000Z', 'UNDO'],
  );
  const [undo, set] = await fixture.changes();
  assert.deepEqual([undo?.undoes, set?.undoneBy], [set?.guid, undo?.guid]);
  assert.deepEqual([undo?.undoneBy, set?.undoes], [null, null]);
});

test('backOffice.stock.undo 200: an undo can be undone, and that too', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  await fixture.put(guid, 'QUANTITY', { quantity: 7.25 });
  const states: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    assert.equal((await fixture.undo(await newest(fixture, guid))).status, 200);
    states.push(await fixture.state(guid));
  }
  assert.deepEqual(states, ['IN_STOCK', 'QUANTITY 7.25', 'IN_STOCK', 'QUANTITY 7.25']);
});

test('backOffice.stock.undo 200: what a partner, the clock and an import did as well', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  await fixture.partnerUpdate([{ guid, status: 'OUT_OF_STOCK' }]);
  await fixture.undo(await newest(fixture, guid));
  assert.equal(await fixture.state(guid), 'IN_STOCK');
  await fixture.put(guid, 'OUT_OF_STOCK', { until: '2026-03-01T13:00:00.000Z' });
  fixture.clock.advance(HOUR_MS);
  await fixture.restore();
  await fixture.undo(await newest(fixture, guid));
  assert.equal(await fixture.state(guid), 'OUT_OF_STOCK', 'its until has passed: it stays out');
  assert.deepEqual(await fixture.restore(), []);
});

test('backOffice.stock.undo 409: once the item changed since, it says how it is now', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  await fixture.put(guid, 'OUT_OF_STOCK');
  const first = await newest(fixture, guid);
  await fixture.partnerUpdate([{ guid, status: 'QUANTITY', quantity: 3 }]);
  const refused = await fixture.undo(first);
  assert.equal(refused.status, 409);
  const by = fixture.partner.type === 'PERSON' ? '' : fixture.partner.clientId;
  const change = await newest(fixture, guid);
  assert.equal(
    refused.body.message,
    `The stock of the item has changed since: it is QUANTITY 3 now, by change ${change} of ${by} ` +
      'at 2026-03-01T12:00:00.000Z. Undo that one, or set the item.',
  );
  await fixture.put(guid, 'OUT_OF_STOCK');
  assert.equal((await fixture.undo(first)).status, 409, 'it is alike again, but others did that');
  const again = await newest(fixture, guid);
  assert.equal((await fixture.undo(again)).status, 200);
  assert.equal((await fixture.undo(again)).status, 409, 'a change is undone once');
  assert.equal(await fixture.state(guid), 'QUANTITY 3');
});

test('backOffice.stock.undo 409: an item that is archived stays as it is', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  await fixture.put(guid, 'OUT_OF_STOCK');
  await fixture.archive(guid);
  const { status, body } = await fixture.undo(await newest(fixture, guid));
  assert.equal(status, 409);
  assert.match(body.message, /archived and its stock is OUT_OF_STOCK/);
  assert.equal(await fixture.state(guid), 'OUT_OF_STOCK');
});

test('backOffice.stock.undo 409: nothing is left of an until that has passed', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  await fixture.put(guid, 'OUT_OF_STOCK', { until: '2026-03-01T13:00:00.000Z' });
  await fixture.put(guid, 'OUT_OF_STOCK');
  fixture.clock.advance(HOUR_MS);
  const { status, body } = await fixture.undo(await newest(fixture, guid));
  assert.equal(status, 409);
  assert.match(body.message, /^Nothing is left to undo/);
});

test('backOffice.stock.undo 404: unknown changes and those of other restaurants', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const other = await openStockFixture(testDatabase.database);
  const guid = await other.item('Elsewhere');
  await other.put(guid, 'OUT_OF_STOCK');
  const malformed = await fixture.undo('soup');
  assert.equal(malformed.status, 404);
  assert.match(malformed.body.message, /^changeGuid must be a GUID, .*\. Check the path\.$/);
  const answers = [await fixture.undo(newGuid()), await fixture.undo(await newest(other, guid))];
  for (const { status, body } of answers) {
    assert.equal(status, 404);
    assert.equal(body.message, answers[0]?.body.message);
  }
  assert.equal(await other.state(guid), 'OUT_OF_STOCK');
});

test('backOffice.stock.undo race: of many at once exactly one counts', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  await fixture.put(guid, 'OUT_OF_STOCK');
  const change = await newest(fixture, guid);
  const answers = await Promise.all(Array.from({ length: 8 }, () => fixture.undo(change)));
  const statuses = answers.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
  assert.equal(await fixture.state(guid), 'IN_STOCK');
  assert.equal((await fixture.changes()).length, 2);
});

test('backOffice.stock.set race: sets at once follow each other', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  for (let round = 0; round < 5; round += 1) {
    const values = [1, 2, 3, 4].map((part) => round * 4 + part);
    await Promise.all(values.map((quantity) => fixture.put(guid, 'QUANTITY', { quantity })));
  }
  const changes = (await fixture.changes({ item: guid })).toSorted(
    (one, other) => one.version - other.version,
  );
  assert.equal(changes.length, 20);
  let before: unknown = { status: 'IN_STOCK', quantity: null, until: null };
  for (const [index, change] of changes.entries()) {
    assert.equal(change.version, index + 1);
    assert.deepEqual(change.before, before, 'each begins where the one before ended');
    before = change.after;
  }
  assert.equal(await fixture.state(guid), `QUANTITY ${changes.at(-1)?.after.quantity}`);
});

/** The database, but the answer to each COMMIT is lost; `keeps` tells whether it happened. */
function losingCommits(keeps: boolean): Database {
  const { database } = testDatabase;
  const lost = new CommitUnknownError(new Error('connection lost'));
  const transaction: Database['transaction'] = async (run, options) => {
    const happens = database.transaction(async (sql) => {
      const result = await run(sql);
      if (!keeps) throw lost;
      return result;
    }, options);
    await happens;
    throw lost;
  };
  return { ...database, transaction };
}

test('backOffice.stock.set 200 503: a lost COMMIT is read back, never assumed', async () => {
  for (const [keeps, status] of [
    [true, 200],
    [false, 503],
  ] as const) {
    const fixture = await openStockFixture(losingCommits(keeps));
    const guid = await fixture.item('Soup');
    const answer = await fixture.set([{ guid, status: 'OUT_OF_STOCK' }]);
    assert.equal(answer.status, status);
    assert.equal(await fixture.state(guid), keeps ? 'OUT_OF_STOCK' : 'IN_STOCK');
    assert.equal((await fixture.set([])).status, 200, 'nothing can be lost of nothing');
    if (keeps) assert.equal((await fixture.undo(await newest(fixture, guid))).status, 200);
    else assert.match(answer.body.message, /send it again/);
  }
});
