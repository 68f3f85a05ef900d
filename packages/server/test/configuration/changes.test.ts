import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type CollectionName,
  type PublishedChangePage,
  partnerCollections,
  partnerReferences,
} from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import { importGroup } from '../../src/group-document/import.ts';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import type { RestaurantContext } from '../../src/http/operation.ts';
import {
  type Configuration,
  type DraftFixture,
  groupDocument,
  openDraftFixture,
} from './fixture.ts';

let fixture: DraftFixture;
before(async () => {
  fixture = await openDraftFixture();
});
after(() => fixture.drop());

/** Every field that refers to other objects refers to one. */
const LINKED: Configuration = {
  menus: [{ name: 'Dinner', groups: ['Mains'] }],
  menuGroups: [
    { name: 'Mains', items: ['Risotto'], subgroups: ['Rice'], optionGroups: ['Toppings'] },
    { name: 'Rice', parent: 'Mains' },
  ],
  menuItems: [{ name: 'Risotto', optionGroups: ['Toppings'] }, { name: 'Truffle' }],
  menuOptionGroups: [{ name: 'Toppings', options: ['Truffle'] }],
  taxRates: [{ name: 'VAT', rate: 0.1, roundingType: 'HALF_UP' }],
  serviceCharges: [
    {
      name: 'Cover',
      amountType: 'FIXED',
      amount: 2,
      taxable: true,
      applicableTaxes: ['VAT'],
      criteria: { dineIn: true },
    },
  ],
  printers: [{ name: 'Kitchen' }],
  cashDrawers: [{ key: 'till', printer: 'Kitchen' }],
  preModifierGroups: [{ name: 'Amounts' }],
  preModifiers: [{ name: 'Extra', parent: 'Amounts', basePrice: 1 }],
  revenueCenters: [{ name: 'Dining room' }],
  serviceAreas: [{ name: 'Terrace', revenueCenter: 'Dining room' }],
  tables: [{ name: 'T1', serviceArea: 'Terrace', revenueCenter: 'Dining room' }],
};

const BOTH_PRINTERS: Configuration = { printers: [{ name: 'Bar' }, { name: 'Kitchen' }] };

const instant = () => new Date(fixture.clock.nowMs()).toISOString();

async function opened(configuration: Configuration): Promise<RestaurantContext> {
  const [restaurant] = await fixture.open(configuration);
  assert.ok(restaurant);
  return restaurant;
}

async function read(
  restaurant: RestaurantContext,
  query: Readonly<Record<string, string>> = {},
): Promise<PublishedChangePage> {
  const { status, body } = await fixture.changes(restaurant, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** The cursor after everything that was published until now. */
async function cursorOf(restaurant: RestaurantContext): Promise<string> {
  const { nextCursor, hasMore } = await read(restaurant, { pageSize: '1000' });
  assert.equal(hasMore, false);
  return nextCursor;
}

const linesOf = ({ results }: Pick<PublishedChangePage, 'results'>) =>
  results.map(({ publishNumber, collection, guid, kind }) =>
    [publishNumber, `${collection}/${guid}`, kind].join(' '),
  );

async function apply(restaurant: RestaurantContext, configuration: Configuration): Promise<void> {
  await fixture.done(restaurant, 'apply', { body: { document: { configuration } } });
}

test('platform.changes.list 200 CFG-12 CFG-13: archiving hides no change from a partner', async () => {
  const restaurant = await opened(LINKED);
  const unseen = new Set(
    partnerCollections.flatMap(({ name }) =>
      partnerReferences(name).map(({ field, target }) => `${name}.${field} ${target}`),
    ),
  );
  let after = await cursorOf(restaurant);
  let old = await fixture.servedObjects(restaurant);
  for (const key of [...old.keys()].filter((each) => !each.startsWith('tipWithholding/'))) {
    const [collection = '', guid = ''] = key.split('/');
    for (const step of ['archive', 'unarchive']) {
      const since = instant();
      fixture.clock.advance(60_000);
      await fixture.done(restaurant, `objects.${step}`, { collection, guid });
      const { number } = await fixture.done(restaurant, 'publications.publish', { body: {} });
      const young = await fixture.servedObjects(restaurant);
      const different = [...young].filter(([each, text]) => old.get(each) !== text);
      for (const [each, text] of different) {
        const name = each.split('/')[0] as CollectionName;
        const [one, other] = [JSON.parse(old.get(each) ?? '{}'), JSON.parse(text)];
        for (const { field, target } of partnerReferences(name)) {
          if (target !== collection) continue;
          if (JSON.stringify(one[field]) === JSON.stringify(other[field])) continue;
          unseen.delete(`${name}.${field} ${target}`);
        }
      }
      const listed = await fixture.servedObjects(restaurant, since);
      const modified = [...listed.keys()].filter((each) => !each.startsWith('tipWithholding/'));
      const places = different.map(([each]) => each).toSorted();
      assert.deepEqual(modified.toSorted(), places, `${step} ${key}: lastModified`);

      const own = step === 'archive' ? 'REMOVED' : 'CREATED';
      const expected = [...places.filter((each) => each !== key), key]
        .toSorted()
        .map((each) => `${number} ${each} ${each === key ? own : 'CHANGED'}`);
      const page = await read(restaurant, { after });
      assert.deepEqual(linesOf(page), expected, `${step} ${key}: changes`);
      after = page.nextCursor;
      old = young;
    }
  }
  assert.deepEqual([...unseen], [], 'each field that refers to an object changed once');
});

test('platform.changes.list 200 CFG-13: a partner that begins gets every object once', async () => {
  const restaurant = await opened({ ...LINKED, noSaleReasons: [{ name: 'Old', archived: true }] });
  const objects = await fixture.servedObjects(restaurant);
  const keys = [...objects.keys()].filter((each) => !each.startsWith('tipWithholding/'));
  const { results, hasMore } = await read(restaurant);
  assert.equal(hasMore, false);
  assert.deepEqual(
    linesOf({ results }),
    keys.toSorted().map((key) => `1 ${key} CREATED`),
  );
  const { publishedAt } = (await fixture.done(restaurant, 'publications.get', { number: 1 })) as {
    publishedAt: string;
  };
  assert.deepEqual(new Set(results.map((change) => change.publishedAt)), new Set([publishedAt]));
});

test('platform.changes.list 200 CFG-13: pages of any size lose and repeat nothing', async () => {
  const restaurant = await opened(BOTH_PRINTERS);
  for (const name of ['Terrace', 'Cellar', 'Bar']) {
    await apply(restaurant, { printers: [{ name, key: name }], noSaleReasons: [{ name }] });
  }
  const whole = linesOf(await read(restaurant));
  assert.equal(whole.length, 7);
  assert.deepEqual(
    whole.map((line) => Number(line.split(' ')[0])),
    whole.map((line) => Number(line.split(' ')[0])).toSorted((one, other) => one - other),
  );
  for (const pageSize of [1, 2, 3, whole.length - 1, whole.length, 1000]) {
    const lines: string[] = [];
    let query: Record<string, string> = { pageSize: String(pageSize) };
    for (;;) {
      const page = await read(restaurant, query);
      assert.ok(page.results.length <= pageSize);
      lines.push(...linesOf(page));
      query = { ...query, after: page.nextCursor };
      if (!page.hasMore) break;
    }
    assert.deepEqual(lines, whole, `pages of ${pageSize}`);
  }
});

test('platform.changes.list 200 CFG-13: a cursor goes on where it was, whatever is new', async () => {
  const restaurant = await opened(BOTH_PRINTERS);
  const first = await read(restaurant, { pageSize: '1' });
  assert.equal(first.hasMore, true);
  await apply(restaurant, { printers: [{ name: 'Terrace' }] });
  const rest = await read(restaurant, { after: first.nextCursor });
  assert.deepEqual(
    rest.results.map(({ publishNumber, kind }) => [publishNumber, kind]),
    [
      [1, 'CREATED'],
      [2, 'CREATED'],
    ],
  );
  // Nothing is new: an empty page, and the same cursor.
  const nothing = { results: [], nextCursor: rest.nextCursor, hasMore: false };
  assert.deepEqual(await read(restaurant, { after: rest.nextCursor }), nothing);
  const empty = await opened({});
  const { nextCursor, ...page } = await read(empty);
  assert.deepEqual(page, { results: [], hasMore: false });
  assert.deepEqual(await read(empty, { after: nextCursor }), { ...page, nextCursor });
  await apply(empty, { printers: [{ name: 'Bar' }] });
  assert.equal((await read(empty, { after: nextCursor })).results.length, 1);
});

test('platform.changes.list 200 CFG-13: a partner that polls while others publish misses nothing', async () => {
  const restaurant = await opened(BOTH_PRINTERS);
  const names = Array.from({ length: 12 }, (_, index) => `Printer ${index}`);
  let isOver = false;
  const publishing = Promise.all(
    names.map((name) => apply(restaurant, { printers: [{ name }], noSaleReasons: [{ name }] })),
  ).finally(() => {
    isOver = true;
  });
  const lines: string[] = [];
  let after = '';
  for (let isLast = false; !isLast; ) {
    isLast = isOver;
    const page = await read(restaurant, { after, pageSize: '1000' });
    lines.push(...linesOf(page));
    after = page.nextCursor;
  }
  await publishing;
  assert.equal(lines.length, 2 + 2 * names.length);
  assert.deepEqual(lines, linesOf(await read(restaurant)));
});

test('platform.changes.list 200 CFG-8: drafts and archived objects are no change', async () => {
  const restaurant = await opened({ printers: [{ name: 'Bar' }, { name: 'Old', archived: true }] });
  const after = await cursorOf(restaurant);
  const guid = await fixture.guidOf(restaurant, 'printers', 'Old');
  const place = { collection: 'printers', guid };
  await fixture.done(restaurant, 'objects.update', { ...place, body: { name: 'Older' } });
  await fixture.done(restaurant, 'objects.create', {
    collection: 'printers',
    body: { name: 'Drafted' },
  });
  assert.deepEqual((await read(restaurant, { after })).results, []);
  const body = { objects: [place] };
  await fixture.done(restaurant, 'publications.publish', { body });
  assert.deepEqual((await read(restaurant, { after })).results, []);
});

test('platform.changes.list 200 CFG-11: the tip withholding is never created or removed', async () => {
  const restaurant = await opened({});
  const body = { enabled: true, percentage: 0.03 };
  await fixture.done(restaurant, 'tipWithholding.set', { body });
  await fixture.done(restaurant, 'publications.publish', { body: {} });
  await fixture.done(restaurant, 'publications.rollBack', { number: 1, body: {} });
  const set = await opened({ tipWithholding: body });
  for (const [place, numbers] of [
    [restaurant, [2, 3]],
    [set, [1]],
  ] as const) {
    const { results } = await read(place);
    assert.deepEqual(
      results.map(({ publishNumber, collection, kind }) => [publishNumber, collection, kind]),
      numbers.map((number) => [number, 'tipWithholding', 'CHANGED']),
    );
  }
});

test('platform.changes.list 200 CFG-13: an import tells what it changes, whatever its dates', async () => {
  const vault = createVault(Buffer.alloc(32, 1));
  const load = (items: readonly object[]) => {
    const modifiedDate = '2025-01-02T03:04:05.678Z';
    const menuGroups = [{ name: 'Soups', items: ['Minestrone'], modifiedDate }];
    const document = groupDocument('Imported', [{ menuItems: items, menuGroups }]);
    const contents = readGroupDocument(JSON.stringify(document));
    const { database, clock } = fixture;
    return importGroup({ database, vault, clock }, contents, { replace: true });
  };
  await load([{ name: 'Minestrone' }, { name: 'Gone' }]);
  const [row] = await fixture.database.sql<{ guid: string; groupGuid: string }[]>`
    select guid, management_group_guid as "groupGuid" from restaurant
    where name = 'Imported restaurant 0'`;
  assert.ok(row);
  const restaurant = { ...(await opened({})), guid: row.guid, managementGroupGuid: row.groupGuid };
  const after = await cursorOf(restaurant);
  const guids = await Promise.all(
    (
      [
        ['menuGroups', 'Soups'],
        ['menuItems', 'Gone'],
        ['menuItems', 'Minestrone'],
      ] as const
    ).map(async ([collection, name]) => {
      return `2 ${collection}/${await fixture.guidOf(restaurant, collection, name)}`;
    }),
  );
  await load([{ name: 'Minestrone', archived: true }]);
  assert.deepEqual(
    linesOf(await read(restaurant, { after })).toSorted(),
    guids
      .map((line) => `${line} ${line.includes('menuGroups') ? 'CHANGED' : 'REMOVED'}`)
      .toSorted(),
  );
});

test('platform.changes.list 200 CFG-13: nobody reads the changes of another restaurant', async () => {
  const guid = newGuid();
  const one = await opened({ printers: [{ guid, name: 'Bar' }] });
  const other = await opened({ printers: [{ guid, name: 'Bar' }] });
  const after = await cursorOf(other);
  const body = { name: 'Terrace' };
  await fixture.done(one, 'objects.update', { collection: 'printers', guid, body });
  await fixture.done(one, 'publications.publish', { body: {} });
  assert.equal((await read(one)).results.length, 2);
  assert.equal((await read(other)).results.length, 1);
  assert.deepEqual((await read(other, { after })).results, []);
});

test('platform.changes.list 400 CFG-13: a cursor from elsewhere loses no change silently', async () => {
  const restaurant = await opened(BOTH_PRINTERS);
  const after = await cursorOf(restaurant);
  const elsewhere = await cursorOf(await opened(BOTH_PRINTERS));
  const changed = `${after.slice(0, -2)}${after.endsWith('AA') ? 'BA' : 'AA'}`;
  for (const cursor of ['41.0', 'yesterday', `${after}A`, changed, elsewhere]) {
    const { status, body } = await fixture.changes(restaurant, { after: cursor });
    assert.equal(status, 400, cursor);
    assert.match(body.message, /^after does not come from this list/);
  }
  assert.deepEqual(await read(restaurant, { after: '' }), await read(restaurant));
  for (const pageSize of ['0', '1001', 'many']) {
    const { status, body } = await fixture.changes(restaurant, { pageSize });
    assert.equal(status, 400);
    assert.match(body.message, /pageSize/);
  }
});

test('platform.changes.list 400 CFG-13: a cursor from before a restore is refused', async () => {
  const restaurant = await opened(BOTH_PRINTERS);
  await apply(restaurant, { printers: [{ name: 'Terrace' }] });
  const after = await cursorOf(restaurant);
  const { sql } = fixture.database;
  const forget = async (table: 'published_change' | 'publication_change' | 'publication') => {
    await sql.unsafe(`delete from ${table} where restaurant_guid = '${restaurant.guid}'
      and number = 2`);
  };
  await forget('published_change');
  await forget('publication_change');
  await forget('publication');
  await sql`update restaurant set publish_number = 1 where guid = ${restaurant.guid}`;
  const refused = async () => {
    const { status, body } = await fixture.changes(restaurant, { after });
    assert.equal(status, 400);
    assert.match(body.message, /restored or reset/);
  };
  await refused();
  // The number is given out again: without the refusal the partner would miss this publication.
  fixture.clock.advance(1_000);
  await apply(restaurant, { printers: [{ name: 'Attic' }] });
  await refused();
});
