import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DemoCallers } from './client.ts';
import { type Inventory, itemGuids, openRestaurants, wholeCollection } from './fixtures.ts';
import { platformUnderTest } from './platform.ts';
import { nth } from './values.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
// No other file of a run changes the stock of the first two.
const [restaurant, elsewhere] = openRestaurants(platform.demo);
const unknown = '7d0c8f5a-6c1e-4f0b-9a53-2f4f6c1b9e77';
const guids = await itemGuids(partner, restaurant);
const item = (index: number) => nth(guids, guids.length - 1 - index, 'menu item');

async function list(query: Record<string, string> = {}): Promise<Inventory[]> {
  const answer = await partner.call('stock.list', 200, { restaurant, query });
  return answer.json as Inventory[];
}

async function search(json: unknown): Promise<Inventory[]> {
  return (await partner.call('stock.search', 200, { restaurant, json })).json as Inventory[];
}

async function update(json: unknown): Promise<Inventory[]> {
  return (await partner.call('stock.update', 200, { restaurant, json })).json as Inventory[];
}

async function one(guid: string): Promise<Inventory> {
  return nth(await search({ guids: [guid] }), 0, 'search result');
}

const atFirst = await list();

const withGuid = (guid: string) => (element: Inventory) => element.guid === guid;

test('stock.list 200 STK-1: what is valid and not in stock, by guid', async () => {
  await update([
    { guid: item(0), status: 'OUT_OF_STOCK' },
    { guid: item(1), status: 'QUANTITY', quantity: 3 },
    { guid: item(2), status: 'IN_STOCK' },
  ]);
  const all = await list();
  assert.ok(all.length >= 2);
  assert.ok(all.every(({ itemGuidValidity }) => itemGuidValidity === 'VALID'));
  assert.ok(all.every(({ status }) => status === 'OUT_OF_STOCK' || status === 'QUANTITY'));
  const order = all.map(({ guid }) => String(guid));
  assert.deepEqual(order, [...order].sort());
  assert.ok(order.includes(item(0)) && order.includes(item(1)) && !order.includes(item(2)));
});

test('stock.list 200 STK-1: status limits the list, an empty one does not', async () => {
  const all = await list();
  const limited = (status: string) => all.filter((element) => element.status === status);
  for (const status of ['OUT_OF_STOCK', 'QUANTITY']) {
    const answer = await list({ status });
    assert.ok(answer.length > 0);
    assert.deepEqual(answer, limited(status));
  }
  assert.deepEqual(await list({ status: '' }), all);
});

test('stock.list 400 STK-1: IN_STOCK and any other text are no statuses to ask for', async () => {
  for (const status of ['IN_STOCK', 'quantity', 'OUT_OF_STOCK,QUANTITY', 'null', '0', ' ']) {
    await partner.call('stock.list', 400, { restaurant, query: { status } });
  }
});

test('stock.list 200: quantity is a number for QUANTITY alone', async () => {
  for (const { status, quantity } of await list()) {
    assert.equal(quantity === null, status !== 'QUANTITY');
    assert.ok(quantity === null || quantity > 0);
  }
});

test('stock.search 200 STK-2: one element per identifier, in order', async () => {
  const [a, b, c] = await search({ guids: [item(0), item(1), item(2)] });
  assert.ok(a && b && c);
  assert.deepEqual([a.status, b.status, c.status], ['OUT_OF_STOCK', 'QUANTITY', 'IN_STOCK']);
  const multiLocationIds = [c, a, a].map((element) => String(element.multiLocationId));
  const answer = await search({ multiLocationIds, guids: [item(1), item(0), item(1)] });
  assert.deepEqual(answer, [b, a, b, c, a, a]);
});

test('stock.search 200 STK-2: empty lists are answered by an empty list', async () => {
  assert.deepEqual(await search({ guids: [] }), []);
  assert.deepEqual(await search({ multiLocationIds: [] }), []);
  assert.deepEqual(await search({ guids: [], multiLocationIds: [] }), []);
  assert.equal((await search({ guids: [], versionIds: [], multiLocationIds: ['x'] })).length, 1);
});

test('stock.search 400 STK-2: neither list, or only versionIds, asks for nothing', async () => {
  for (const json of [{}, { versionIds: [item(0)] }, { versionIds: [] }, { surprise: [] }]) {
    await partner.call('stock.search', 400, { restaurant, json });
  }
});

test('stock.search 400: lists that are no lists of strings', async () => {
  const wrong = [{ guids: item(0) }, { guids: {} }, { guids: [7] }, { guids: [null] }];
  const more = [{ multiLocationIds: 'x' }, { multiLocationIds: [[]] }, [], null, 'text', 7];
  for (const json of [...wrong, ...more]) {
    const bytes = JSON.stringify(json);
    await partner.call('stock.search', 400, { restaurant, bytes });
  }
});

test('stock.search 200 STK-3: an unknown item keeps its identifier', async () => {
  const answer = await search({ guids: [unknown], multiLocationIds: ['no such item'] });
  const invalid = { status: 'OUT_OF_STOCK', quantity: null, itemGuidValidity: 'INVALID' };
  assert.equal(answer.length, 2);
  const [byGuid, byLocation] = answer.map(({ versionId: _, ...rest }) => rest);
  assert.deepEqual(byGuid, { guid: unknown, multiLocationId: null, ...invalid });
  assert.deepEqual(byLocation, { guid: null, multiLocationId: 'no such item', ...invalid });
});

test('stock.search 200 STK-3 STK-9: an item of another restaurant is INVALID here', async () => {
  const foreign = (await itemGuids(partner, elsewhere)).find((guid) => !guids.includes(guid));
  assert.ok(foreign);
  assert.equal((await one(foreign)).itemGuidValidity, 'INVALID');
});

test('stock.list stock.search stock.update 200 STK-4: versionId equals guid', async () => {
  const updated = await update([{ guid: item(0), status: 'OUT_OF_STOCK' }]);
  const elements = [
    ...(await list()),
    ...(await search({ guids: [item(2), unknown] })),
    ...updated,
  ];
  for (const { guid, versionId } of elements) assert.equal(versionId, guid);
});

test('stock.update 200: any status may follow any other', async () => {
  const guid = item(3);
  const steps = ['IN_STOCK', 'QUANTITY', 'OUT_OF_STOCK', 'QUANTITY', 'IN_STOCK', 'OUT_OF_STOCK'];
  for (const status of [...steps, 'IN_STOCK']) {
    const quantity = status === 'QUANTITY' ? 5 : null;
    const element = quantity === null ? { guid, status } : { guid, status, quantity };
    const [answered] = await update([element]);
    assert.deepEqual([answered?.status, answered?.quantity], [status, quantity]);
    assert.deepEqual(await one(guid), answered);
    assert.equal((await list()).some(withGuid(guid)), status !== 'IN_STOCK');
  }
});

test('stock.update 200 STK-5: in request order, unknown items INVALID', async () => {
  const answer = await update([
    { guid: item(5), status: 'QUANTITY', quantity: 2 },
    { guid: unknown, status: 'QUANTITY', quantity: 9 },
    { guid: item(4), status: 'OUT_OF_STOCK' },
    { multiLocationId: 'no such item', status: 'IN_STOCK' },
  ]);
  assert.deepEqual(
    answer.map(({ guid, multiLocationId }, index) => (index === 3 ? multiLocationId : guid)),
    [item(5), unknown, item(4), 'no such item'],
  );
  assert.deepEqual(
    answer.map(({ itemGuidValidity, status, quantity }) => [itemGuidValidity, status, quantity]),
    [
      ['VALID', 'QUANTITY', 2],
      ['INVALID', 'OUT_OF_STOCK', null],
      ['VALID', 'OUT_OF_STOCK', null],
      ['INVALID', 'OUT_OF_STOCK', null],
    ],
  );
  assert.equal((await one(item(5))).quantity, 2);
  assert.equal((await one(item(4))).status, 'OUT_OF_STOCK');
});

test('stock.update 200 STK-5: of the same item twice the last wins', async () => {
  const guid = item(6);
  const { multiLocationId } = await one(guid);
  const answer = await update([
    { guid, status: 'QUANTITY', quantity: 1 },
    { guid: item(7), status: 'OUT_OF_STOCK' },
    { multiLocationId, status: 'QUANTITY', quantity: 8 },
  ]);
  assert.deepEqual(
    answer.map(({ quantity }) => quantity),
    [8, null, 8],
  );
  assert.equal((await one(guid)).quantity, 8);
});

test('stock.update 200 STK-5: an empty list is answered by an empty list', async () => {
  assert.deepEqual(await update([]), []);
});

test('stock.update 400 STK-5: faulty elements are named by index', async () => {
  const before = await search({ guids: [item(0), item(1), item(2)] });
  const answer = await partner.call('stock.update', 400, {
    restaurant,
    json: [
      { guid: item(0), status: 'IN_STOCK' },
      { guid: item(1), status: 'QUANTITY' },
      { guid: item(2), status: 'OUT_OF_STOCK' },
      { status: 'OUT_OF_STOCK' },
      'text',
      { guid: item(2), status: 'SOLD' },
    ],
  });
  const { errors } = answer.json as { errors: { message: string }[] };
  const indexes = errors.map(({ message }) => /\b\d+\b/.exec(message)?.[0]);
  assert.deepEqual(indexes, ['1', '3', '4', '5'], JSON.stringify(errors));
  assert.deepEqual(await search({ guids: [item(0), item(1), item(2)] }), before);
});

test('stock.update 400 STK-5: every faulty element is named, with all that is wrong', async () => {
  const faulty = Array.from({ length: 3_000 }, () => ({}));
  const answer = await partner.call('stock.update', 400, { restaurant, json: faulty });
  const { errors } = answer.json as { errors: { message: string }[] };
  assert.equal(errors.length, 2 * faulty.length);
  assert.deepEqual(
    errors.slice(-2).map(({ message }) => message.split(':')[0]),
    ['[2999].status', '[2999]'],
  );
});

test('stock.update 400: a body that is no list of elements', async () => {
  for (const json of [{}, 'text', 7, null, { guid: item(0), status: 'IN_STOCK' }]) {
    await partner.call('stock.update', 400, { restaurant, bytes: JSON.stringify(json) });
  }
  for (const element of [null, 7, [], 'x']) {
    await partner.call('stock.update', 400, { restaurant, json: [element] });
  }
});

test('stock.update 400: status is required and is one of the three', async () => {
  for (const status of [undefined, null, '', 'in_stock', 'SOLD', 7, ['IN_STOCK']]) {
    await partner.call('stock.update', 400, { restaurant, json: [{ guid: item(0), status }] });
  }
});

test('stock.update 200 STK-6: what was read may be sent back as it is', async () => {
  const read = [...(await list()), await one(item(8))];
  const back = read.map((element) => ({ ...element, itemGuidValidity: 'INVALID', versionId: 'x' }));
  assert.deepEqual(await update(back), read);
  assert.deepEqual(await update(read.map((element) => ({ ...element, guid: null }))), read);
  assert.deepEqual(await update(read.map((one) => ({ ...one, multiLocationId: null }))), read);
});

test('stock.update 400 STK-6: no identifier, or two of different items', async () => {
  const { multiLocationId } = await one(item(1));
  const status = 'IN_STOCK';
  for (const element of [
    { status },
    { guid: null, multiLocationId: null, status },
    { guid: item(0), multiLocationId, status },
    { guid: item(0), multiLocationId: 'no such item', status },
  ]) {
    await partner.call('stock.update', 400, { restaurant, json: [element] });
  }
});

test('stock.update 200 STK-7: quantities are kept exactly', async () => {
  const guid = item(9);
  const taken = [0.0001, 1, 2.5, 0.3333, 12.75, 100, 123_456_789_012, 99_999_999_999.9999];
  for (const quantity of taken) {
    const [answer] = await update([{ guid, status: 'QUANTITY', quantity }]);
    assert.equal(answer?.quantity, quantity);
    assert.equal((await one(guid)).quantity, quantity);
  }
});

test('stock.update 400 STK-7: a quantity that is no quantity', async () => {
  const guid = item(9);
  const before = await one(guid);
  const refused = [undefined, null, 0, -1, -0.0001, '5', true, [], {}];
  for (const quantity of [...refused, 0.00001, 1.23456, 1_000_000_000_000, 1e15]) {
    const json = [{ guid, status: 'QUANTITY', quantity }];
    await partner.call('stock.update', 400, { restaurant, json });
  }
  assert.deepEqual(await one(guid), before);
});

test('stock.update 200 400 STK-7: with other statuses a quantity is null or absent', async () => {
  const guid = item(9);
  for (const status of ['IN_STOCK', 'OUT_OF_STOCK']) {
    await update([{ guid, status, quantity: null }]);
    for (const quantity of [1, 0, 2.5]) {
      await partner.call('stock.update', 400, { restaurant, json: [{ guid, status, quantity }] });
    }
  }
});

test('stock.search stock.update 200 400 STK-8: up to 5,000 elements', async () => {
  const many = (count: number) => Array.from({ length: count }, () => unknown);
  const elements = (count: number) =>
    many(count).map((guid) => ({ guid, status: 'IN_STOCK' as const }));
  assert.equal((await search({ guids: many(5000) })).length, 5000);
  assert.equal((await update(elements(5000))).length, 5000);
  await partner.call('stock.update', 400, { restaurant, json: elements(5001) });
  await partner.call('stock.search', 400, { restaurant, json: { guids: many(5001) } });
  const both = { guids: many(2500), multiLocationIds: many(2501) };
  await partner.call('stock.search', 400, { restaurant, json: both });
});

test('stock.search stock.update 200 STK-9: modifier item references are items too', async () => {
  const groups = await wholeCollection(partner, restaurant, 'menuOptionGroups');
  const options = groups.flatMap((group) => group.options as { guid: string }[]);
  const modifier = nth(options, 0, 'modifier').guid;
  const before = await one(modifier);
  assert.equal(before.itemGuidValidity, 'VALID');
  const [answer] = await update([{ guid: modifier, status: 'QUANTITY', quantity: 4 }]);
  assert.equal(answer?.quantity, 4);
  assert.ok((await list({ status: 'QUANTITY' })).some(withGuid(modifier)));
  await update([{ ...before, quantity: before.quantity }]);
});

test('stock.search 200 STK-9: every item of the menu is valid here, by both identifiers', async () => {
  const found = await search({ guids });
  assert.ok(found.every(({ itemGuidValidity }) => itemGuidValidity === 'VALID'));
  const multiLocationIds = found.map(({ multiLocationId }) => String(multiLocationId));
  const again = await search({ multiLocationIds });
  assert.deepEqual(again, found);
});

test('stock.search 200 STK-6: a guid is not a multiLocationId, nor the other way round', async () => {
  const found = await search({ guids });
  const identifiers = found.map(({ multiLocationId }) => String(multiLocationId));
  for (const identifier of identifiers) assert.match(identifier, /^\d+$/);
  const mixedUp = await search({ multiLocationIds: guids });
  assert.ok(mixedUp.every(({ itemGuidValidity }) => itemGuidValidity === 'INVALID'));
  const json = { guids: identifiers.slice(0, 1) };
  await partner.call('stock.search', 400, { restaurant, json });
});

test('stock.update 200 STK-5: lists at once leave no mixture', async () => {
  const chosen = [item(10), item(11), item(12), item(13)];
  const lists = Array.from({ length: 12 }, (_, index) => {
    const order = index % 2 === 0 ? chosen : [...chosen].reverse();
    return order.map((guid) => ({ guid, status: 'QUANTITY', quantity: index + 1 }));
  });
  await Promise.all(lists.map(update));
  const quantities = (await search({ guids: chosen })).map(({ quantity }) => quantity);
  assert.equal(new Set(quantities).size, 1, `quantities are ${quantities}`);
});

test('stock.list 200: every client that reaches the restaurant sees the same stock', async () => {
  const group = await callers.as('group');
  const seen = await group.call('stock.list', 200, { restaurant });
  assert.deepEqual(seen.json, await list());
});

test('stock.update 200: the stock of another restaurant stays as it is', async () => {
  const there = async () =>
    (await partner.call('stock.list', 200, { restaurant: elsewhere })).json as Inventory[];
  const before = await there();
  await update([{ guid: item(0), status: 'QUANTITY', quantity: 77 }]);
  assert.deepEqual(await there(), before);
});

// The last one: it leaves the stock as it was found, since somebody may work with the platform.
test('stock.update 200 STK-6: a whole stock can be put back as it was read', async () => {
  const changed = (await list()).map(({ guid }) => ({ guid, status: 'IN_STOCK' }));
  await update([...changed, ...atFirst]);
  assert.deepEqual(await list(), atFirst);
});
