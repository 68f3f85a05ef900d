import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errorClasses } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { deriveMultiLocationId } from '../../src/configuration/document/identity.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import type { TestAnswer } from '../request.ts';
import { openStockFixture } from './fixture.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

const OUT = { status: 'OUT_OF_STOCK' };

const faultsOf = ({ body }: TestAnswer): string[] =>
  body.errors.map(({ message }: { message: string }) => message);

test('backOffice.stock.set 200: an item is named in any way, or in several', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const multiLocationId = 'soup everywhere';
  const fields = { sku: 'SOUP-01', plu: '4011' };
  const soup = await fixture.item('Tomato Soup', fields, { multiLocationId });
  await fixture.item('Bread', { sku: 'BREAD-01', plu: '4012' });
  const ways = [
    { guid: soup },
    { guid: soup.toUpperCase() },
    { multiLocationId },
    { sku: 'SOUP-01' },
    { plu: '4011' },
    { name: 'Tomato Soup' },
    { name: '  tomato   SOUP ' },
    { guid: soup, multiLocationId, sku: 'SOUP-01', plu: '4011', name: 'Tomato Soup' },
    { guid: null, sku: null, plu: '4011', name: null },
  ];
  for (const [index, way] of ways.entries()) {
    const quantity = index + 1;
    const { status, body } = await fixture.set([{ ...way, status: 'QUANTITY', quantity }]);
    assert.equal(status, 200, JSON.stringify(way));
    assert.equal(body[0].guid, soup);
    assert.equal(await fixture.state(soup), `QUANTITY ${quantity}`);
  }
});

test('backOffice.stock.set 200: the answer is the items as they are then, in order', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const soup = await fixture.item('Soup', { sku: 'SOUP-01', plu: '4011' });
  const bread = await fixture.item('Bread');
  const { body } = await fixture.set([
    { guid: bread, status: 'QUANTITY', quantity: 2.5 },
    { name: 'soup', ...OUT, until: '2026-03-01T19:00:00+01:00' },
    { guid: bread, status: 'IN_STOCK' },
  ]);
  assert.deepEqual(
    body.map(({ guid }: { guid: string }) => guid),
    [bread, soup, bread],
  );
  assert.deepEqual(
    body.map(({ status }: { status: string }) => status),
    ['IN_STOCK', 'OUT_OF_STOCK', 'IN_STOCK'],
    'of one item twice the last counts, and both say so',
  );
  const { lastChange, ...item } = body[1];
  assert.deepEqual(item, {
    ...{
      guid: soup,
      multiLocationId: deriveMultiLocationId(soup),
      name: 'Soup',
      sku: 'SOUP-01',
      plu: '4011',
    },
    ...{ status: 'OUT_OF_STOCK', quantity: null, until: '2026-03-01T18:00:00.000Z' },
  });
  assert.equal(lastChange.cause, 'SET');
  assert.equal(lastChange.at, '2026-03-01T12:00:00.000Z');
  assert.equal(body[0].lastChange, null, 'bread is as it was');
});

test('backOffice.stock.set 422: several items of a name are told, none is set', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const [one, other] = [await fixture.item('Cola', { sku: 'COLA-03' }), await fixture.item('cola')];
  const water = await fixture.item('Water');
  const answer = await fixture.set([
    { guid: water, ...OUT },
    { name: 'COLA', ...OUT },
  ]);
  assert.equal(answer.status, 422);
  const [fault = ''] = faultsOf(answer);
  assert.match(fault, /^changes\[1\]\.name: names 2 items: send the guid of one/);
  assert.ok(fault.includes(`${one} "Cola" sku COLA-03`) && fault.includes(`${other} "cola"`));
  assert.match(answer.body.message, /Nothing was changed/);
  assert.equal(await fixture.state(water), 'IN_STOCK');
  assert.equal((await fixture.set([{ name: 'cola', sku: 'COLA-03', ...OUT }])).status, 200);
  assert.equal(await fixture.state(one), 'OUT_OF_STOCK');
  assert.equal(await fixture.state(other), 'IN_STOCK');
});

test('backOffice.stock.set 422: of many candidates ten are shown', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  for (let count = 0; count < 12; count += 1) await fixture.item('Cola');
  const answer = await fixture.set([{ name: 'Cola', ...OUT }]);
  assert.match(faultsOf(answer)[0] ?? '', /names 12 items: .*; and 2 more$/);
});

test('backOffice.stock.set 422: archived, unknown and foreign items cannot be set', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const elsewhere = await (await openStockFixture(testDatabase.database)).item('Elsewhere');
  const old = await fixture.item('Old', { sku: 'OLD-01' });
  const again = await fixture.item('Again');
  const before = await fixture.item('Again');
  await fixture.archive(old);
  await fixture.archive(before);
  const answer = await fixture.set([
    { guid: old, ...OUT },
    { sku: 'OLD-01', ...OUT },
    { guid: newGuid(), ...OUT },
    { guid: elsewhere, ...OUT },
    { name: 'Elsewhere', ...OUT },
    { multiLocationId: 'nothing', ...OUT },
    { name: 'Again', sku: 'OLD-01', ...OUT },
  ]);
  assert.equal(answer.status, 422);
  const archived = 'names an item that is archived: it has no stock until it is published again';
  const unknown = 'names no item that is published at this restaurant: check it';
  assert.deepEqual(faultsOf(answer), [
    `changes[0].guid: ${archived}`,
    `changes[1].sku: ${archived}`,
    `changes[2].guid: ${unknown}`,
    `changes[3].guid: ${unknown}`,
    `changes[4].name: ${unknown}`,
    `changes[5].multiLocationId: ${unknown}`,
    `changes[6].sku: ${archived}`,
  ]);
  const { unprocessable, unknownItem } = errorClasses;
  assert.deepEqual(
    answer.body.errors.map(({ code }: { code: number }) => code === unknownItem.code),
    [false, false, true, true, true, true, false],
    'programs suggest items for these only',
  );
  assert.equal(answer.body.code, unprocessable.code);
  const named = await fixture.set([{ name: 'Again', ...OUT }]);
  assert.equal(named.status, 200, 'the archived one of the same name is none');
  assert.equal(named.body[0].guid, again);
});

test('backOffice.stock.set 422: two ways that do not agree name no item', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const soup = await fixture.item('Soup');
  await fixture.item('Bread', { plu: '7' });
  const answer = await fixture.set([{ guid: soup, plu: '7', ...OUT }]);
  const told = 'changes[0]: guid and plu do not name the same item: send one of them';
  assert.deepEqual(faultsOf(answer), [told]);
});

test('backOffice.stock.set 400 422: all faults of a list are told at once', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  const wrong = [
    { guid, status: 'QUANTITY', quantity: -1 },
    { guid, status: 'SOLD' },
    { name: 'Nothing', status: 'IN_STOCK', quantity: 2 },
    { guid: 'soup', ...OUT },
    { sku: 7, ...OUT },
    { name: ' ', ...OUT },
    { guid, status: 'IN_STOCK', until: 'closeOut' },
    { guid, ...OUT, until: 'tomorrow' },
    { guid, ...OUT, until: '2026-02-30T10:00:00Z' },
    { guid, ...OUT, until: '2026-03-01T12:00:00.000Z' },
    { guid, ...OUT, until: 7 },
    'soup',
  ];
  const answer = await fixture.set(wrong);
  assert.equal(answer.status, 422);
  const places = faultsOf(answer).map((fault) => fault.slice(0, fault.indexOf(':')));
  assert.deepEqual(places.toSorted(), [
    ...['changes[0].quantity', 'changes[10].until', 'changes[11]', 'changes[1].status'],
    ...['changes[2].name', 'changes[2].quantity', 'changes[3].guid', 'changes[4].sku'],
    ...['changes[5].name', 'changes[6].until', 'changes[7].until', 'changes[8].until'],
    'changes[9].until',
  ]);
  const missing = await fixture.set([...wrong, { status: 'IN_STOCK' }, { guid }]);
  assert.equal(missing.status, 400, 'what is missing comes first');
  assert.equal(faultsOf(missing).length, 15);
  assert.equal(await fixture.state(guid), 'IN_STOCK');
  assert.deepEqual(await fixture.changes(), []);
});

test('backOffice.stock.set 400 422: a body that holds no list', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  assert.equal((await fixture.set(undefined)).status, 400);
  assert.equal((await fixture.set(null)).status, 422);
  assert.equal((await fixture.set({})).status, 422);
  const many = Array.from({ length: 5_001 }, () => ({ guid: newGuid(), ...OUT }));
  const tooMany = await fixture.set(many);
  assert.equal(tooMany.status, 422);
  assert.match(tooMany.body.message, /^changes has 5001 elements; at most 5000 are allowed/);
  assert.deepEqual([(await fixture.set([])).status, (await fixture.set([])).body], [200, []]);
});

test('backOffice.stock.set 200 422: a long list by name or by GUID is set whole or not', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const names = Array.from({ length: 1_200 }, (_, index) => `Item ${index}`);
  const guids = await Promise.all(names.map((name) => fixture.item(name)));
  const byName = names.map((name) => ({ name, ...OUT }));
  const unknown = { name: 'Nothing of ours', ...OUT };
  assert.equal((await fixture.set([...byName, unknown])).status, 422);
  assert.deepEqual(await fixture.changes(), []);
  const byGuid = guids.map((guid) => ({ guid, status: 'QUANTITY', quantity: 3 }));
  for (const [changes, state] of [
    [byName, 'OUT_OF_STOCK'] as const,
    [byGuid, 'QUANTITY 3'] as const,
  ]) {
    const { status, body } = await fixture.set(changes);
    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ guid }: { guid: string }) => guid),
      guids,
    );
    assert.equal(await fixture.state(guids.at(-1) ?? ''), state);
  }
});

test('backOffice.stock.set 200 422 STK-7: quantities keep the rules of partners', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  const set = (quantity: number) => fixture.set([{ guid, status: 'QUANTITY', quantity }]);
  for (const quantity of [0, -1, 0.00001, 1e12]) assert.equal((await set(quantity)).status, 422);
  assert.equal((await set(99_999_999_999.9999)).body[0].quantity, 99_999_999_999.9999);
  const strict = await openStockFixture(testDatabase.database, { zeroQuantity: 'outOfStock' });
  const bread = await strict.item('Bread');
  const until = '2026-03-02T12:00:00.000Z';
  await strict.set([{ guid: bread, status: 'QUANTITY', quantity: 0, until }]);
  assert.equal(await strict.state(bread), `OUT_OF_STOCK ${until}`);
});

test('backOffice.stock.set 200: what was read can be sent back', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup', { sku: 'SOUP-01' });
  await fixture.item('Bread');
  await fixture.put(guid, 'OUT_OF_STOCK', { until: 'closeOut' });
  const { body: read } = await fixture.list();
  const written = await fixture.set(read.results);
  assert.equal(written.status, 200, JSON.stringify(written.body));
  assert.deepEqual(written.body, read.results);
  assert.equal((await fixture.changes()).length, 1, 'nothing changed');
});

test('backOffice.stock.set 200: a call that changes something is one entry', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const [soup, bread] = [await fixture.item('Soup'), await fixture.item('Bread')];
  const entries = () => testDatabase.database.sql<Record<string, unknown>[]>`
    select actor, operation, subject_kind as kind, subject_id as subject, before, after, request_id
    from audit_entry where restaurant_guid = ${fixture.restaurant.guid} order by guid`;
  await fixture.set([
    { guid: soup, ...OUT },
    { guid: bread, status: 'IN_STOCK' },
  ]);
  await fixture.set([{ guid: soup, ...OUT }]);
  await fixture.partnerUpdate([{ guid: soup, status: 'QUANTITY', quantity: 3 }]);
  const [first, second, ...more] = await entries();
  assert.deepEqual(more, []);
  const out = { status: 'OUT_OF_STOCK', quantity: null, until: null };
  const { request_id: requestId, ...entry } = first ?? {};
  assert.ok(requestId);
  assert.deepEqual(entry, {
    ...{ actor: fixture.operator.type !== 'PERSON' && fixture.operator.clientId },
    ...{ operation: 'backOffice.stock.set', kind: 'stock', subject: fixture.restaurant.guid },
    before: { [soup]: { status: 'IN_STOCK', quantity: null, until: null } },
    after: { [soup]: out },
  });
  assert.equal(second?.operation, 'stock.update');
  assert.deepEqual(second?.before, { [soup]: out });
});

test('backOffice.stock.set 422: a mistyped field is told and nothing is set', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const soup = await fixture.item('Soup');
  const slip = await fixture.set([{ guid: soup, ...OUT, untl: 'closeOut' }]);
  assert.equal(slip.status, 422);
  const [told = ''] = faultsOf(slip);
  assert.equal(told, 'changes[0].untl: is no field here; perhaps "until" is meant');
  const number = await fixture.set([{ guid: soup, ...OUT, '4111111111111111': 1 }]);
  assert.equal(number.status, 422);
  // Of the ids that are drawn for requests one in 4,096 has 4111 as its third part.
  assert.doesNotMatch(JSON.stringify(number.body), /4111111/);
  assert.deepEqual(await fixture.changes(), []);
});
