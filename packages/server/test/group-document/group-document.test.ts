import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault } from '@servery/support/secret.ts';
import type { GroupDocument } from '../../src/group-document/document.ts';
import { exportGroup, UnclearGroup } from '../../src/group-document/export.ts';
import { type ImportOptions, importGroup } from '../../src/group-document/import.ts';
import { ImportRefused } from '../../src/group-document/import-refused.ts';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import { demoGroupDocument } from '../../src/sandbox/demo/demo-group.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 30, 0, 123);
const vault = createVault(randomBytes(32));
const clock = new FixedClock(NOW_MS);
let own: TestDatabase;

before(async () => {
  own = await createTestDatabase();
});
after(() => own.drop());

const load = (text: string, options?: ImportOptions, into = own) =>
  importGroup({ database: into.database, vault, clock }, readGroupDocument(text), options);

const dump = async (group: string | null = null, from = own): Promise<string> => {
  let text = '';
  await exportGroup(from.database, group, (piece) => {
    text += piece;
  });
  return text;
};

/** A group whose every part a test may change; cast, because tests change it freely. */
const small = (name: string): GroupDocument => ({
  format: 'servery.group/1',
  managementGroup: { name },
  partners: [{ name: `${name} Delivery` }],
  clients: [
    { name: 'Own account', userAccessType: 'CUSTOMER', scopes: ['stock:read', 'config:read'] },
    {
      name: 'Courier account',
      userAccessType: 'PARTNER',
      partner: `${name} Delivery`,
      scopes: ['stock:read'],
    },
  ],
  restaurants: [
    {
      info: { general: { name: `${name} Grill`, timeZone: 'Europe/Berlin', currencyCode: 'EUR' } },
      configuration: {
        menus: [{ name: 'Dinner', groups: ['Grill'] }],
        menuGroups: [{ name: 'Grill', items: ['Nackensteak', 'Bratwurst'] }],
        menuItems: [{ name: 'Nackensteak' }, { name: 'Bratwurst' }],
      },
      stock: [{ item: 'Bratwurst', status: 'QUANTITY', quantity: 12.5 }],
    },
  ],
  connections: [{ partner: `${name} Delivery`, restaurant: `${name} Grill` }],
});

const publishNumber = async (name: string): Promise<number> => {
  const [row] = await own.database.sql<{ publishNumber: number }[]>`
    select publish_number as "publishNumber" from restaurant where name = ${name}`;
  return row?.publishNumber ?? 0;
};

test('group document: the demo group goes out, in and out as the same bytes', async () => {
  const other = await createTestDatabase();
  try {
    const result = await load(JSON.stringify(demoGroupDocument()));
    assert.equal(result.restaurants, 5);
    assert.equal(result.changedObjects, result.objects);
    const first = await dump('Wrenfield Hospitality');
    await load(first, {}, other);
    assert.equal(await dump(null, other), first);
    assert.ok(first.endsWith('\n}\n'));
    assert.deepEqual(Object.keys(JSON.parse(first)), [
      'format',
      'managementGroup',
      'partners',
      'clients',
      'restaurants',
      'connections',
    ]);
  } finally {
    await other.drop();
  }
});

test('group document: an unchanged import changes nothing, not even a publish number', async () => {
  const text = JSON.stringify(small('Quiet'));
  await load(text);
  const before = await dump('Quiet');
  clock.advance(60_000);
  const again = await load(text, { replace: true });
  assert.equal(again.changedObjects, 0);
  assert.deepEqual(again.newClients, []);
  assert.equal(await dump('Quiet'), before);
  assert.equal(await publishNumber('Quiet Grill'), 1);
});

test('group document: a group that exists is refused without --replace', async () => {
  const text = JSON.stringify(small('Twice'));
  await load(text);
  const before = await dump('Twice');
  await assert.rejects(load(text), (error: Error) => {
    assert.ok(error instanceof ImportRefused);
    assert.match(error.message, /"Twice".*exists already: add --replace/);
    return true;
  });
  assert.equal(await dump('Twice'), before);
});

test('group document CFG-8: what a replacement does not name goes, published once', async () => {
  await load(JSON.stringify(small('Turn')));
  const { clients = [], restaurants: [grill] = [], ...rest } = small('Turn');
  assert.ok(grill);
  const changed = {
    ...rest,
    clients: clients.slice(0, 1),
    restaurants: [
      {
        ...grill,
        configuration: { menuItems: [{ name: 'Nackensteak', calories: 700 }] },
        stock: [],
      },
    ],
    connections: [],
  };
  clock.advance(60_000);
  const result = await load(JSON.stringify(changed), { replace: true });
  assert.equal(result.changedObjects, 4);
  assert.equal(await publishNumber('Turn Grill'), 2);
  const now = JSON.parse(await dump('Turn'));
  const { menuItems, menus } = now.restaurants[0].configuration;
  const archived = new Map(
    menuItems.map((item: { name: string; archived: boolean }) => [item.name, item.archived]),
  );
  assert.deepEqual(
    archived,
    new Map([
      ['Nackensteak', false],
      ['Bratwurst', true],
    ]),
  );
  assert.equal(menus[0].archived, true);
  assert.equal(now.connections.length, 0);
  assert.deepEqual(now.restaurants[0].stock, []);
  assert.equal(now.clients.length, 1);
});

test('group document: what is named again is restored', async () => {
  const text = JSON.stringify(small('Phoenix'));
  await load(text);
  const before = JSON.parse(await dump('Phoenix'));
  const { restaurants: _restaurants, connections: _connections, ...bare } = small('Phoenix');
  await load(JSON.stringify(bare), { replace: true });
  assert.equal(JSON.parse(await dump('Phoenix')).restaurants[0].info.general.archived, true);
  await load(text, { replace: true });
  const after = JSON.parse(await dump('Phoenix'));
  assert.deepEqual(after.restaurants[0].info, before.restaurants[0].info);
  assert.equal(after.connections.length, 1);
});

test('group document: a fault at the end undoes everything before it', async () => {
  const document = small('Undone');
  const clash = {
    ...document,
    clients: [{ ...document.clients?.[0], clientId: 'taken-elsewhere' }],
  };
  await load(JSON.stringify({ ...small('Holder'), clients: clash.clients }));
  await assert.rejects(load(JSON.stringify(clash)), ImportRefused);
  await assert.rejects(dump('Undone'), UnclearGroup);
});

test("group document: another group's restaurant cannot be taken by its GUID", async () => {
  await load(JSON.stringify(small('Victim')));
  const [victim] = JSON.parse(await dump('Victim')).restaurants;
  const document = small('Thief');
  const [grill] = document.restaurants ?? [];
  const theft = { ...document, restaurants: [{ ...grill, guid: victim.guid }] };
  await assert.rejects(load(JSON.stringify(theft)), /of a restaurant of another group/);
});

test('group document: new accounts get a secret each, and no export has one', async () => {
  const { newClients } = await load(JSON.stringify(small('Secretive')));
  assert.equal(newClients.length, 2);
  const text = await dump('Secretive');
  for (const { clientSecret } of newClients) {
    assert.ok(clientSecret.length > 40);
    assert.ok(!text.includes(clientSecret));
  }
});

test('group document: an export of an unclear group lists those that there are', async () => {
  await assert.rejects(
    dump('Nobody'),
    /No single group matches "Nobody"; there are:\n.*Wrenfield/s,
  );
  await assert.rejects(dump(null), /Say which group with --group/);
});

test('group document: progress counts every object once', async () => {
  const seen: [number, number][] = [];
  await load(JSON.stringify(small('Counted')), {
    onProgress: (done, all) => seen.push([done, all]),
  });
  assert.deepEqual(seen, [[4, 4]]);
});
