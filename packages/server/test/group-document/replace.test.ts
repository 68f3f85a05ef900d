import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient } from '../../src/clients/clients.ts';
import { ImportRefused } from '../../src/group-document/import-refused.ts';
import { insertLiveConnection, insertPartner } from '../rows.ts';
import { type GroupDocumentFixture, openGroupDocumentFixture } from './fixture.ts';

let fixture: GroupDocumentFixture;
let other: GroupDocumentFixture;

before(async () => {
  fixture = await openGroupDocumentFixture();
  other = await openGroupDocumentFixture();
});
after(async () => {
  await fixture.drop();
  await other.drop();
});

type Parts = Readonly<Record<string, unknown>>;

const restaurant = (name: string, configuration: Parts, more: Parts = {}) => ({
  info: { general: { name, timeZone: 'Europe/Rome', currencyCode: 'EUR' } },
  configuration,
  ...more,
});

const group = (name: string, configuration: Parts = {}, more: Parts = {}) => ({
  format: 'servery.group/1',
  managementGroup: { name },
  restaurants: [restaurant(`${name} Grill`, configuration)],
  ...more,
});

/** Replaces a group by the document; then its export must be one that can be imported anywhere. */
async function replace(document: ReturnType<typeof group>) {
  fixture.clock.advance(60_000);
  const result = await fixture.load(document, { replace: true });
  const text = await fixture.dump(document.managementGroup.name);
  await other.load(JSON.parse(text), { replace: true });
  assert.equal(await other.dump(document.managementGroup.name), text);
  return { result, now: JSON.parse(text) };
}

interface Item {
  readonly name: string;
  readonly multiLocationId: string;
  readonly archived: boolean;
}

test('import --replace: items can swap their multiLocationIds, also in a circle', async () => {
  const items = (first: string, second: string, third: string) => ({
    menuItems: [
      { name: 'Soup', multiLocationId: first },
      { name: 'Stew', multiLocationId: second },
      { name: 'Salad', multiLocationId: third },
    ],
  });
  await fixture.load(group('Swap', items('a', 'b', 'c')));
  const { result, now } = await replace(group('Swap', items('b', 'c', 'a')));
  const { menuItems } = now.restaurants[0].configuration;
  assert.deepEqual(
    new Map(menuItems.map((item: Item) => [item.name, item.multiLocationId])),
    new Map([
      ['Soup', 'b'],
      ['Stew', 'c'],
      ['Salad', 'a'],
    ]),
  );
  assert.equal(result.changedObjects, 3);
  assert.equal(await fixture.publishNumber('Swap Grill'), 2);
});

test('import --replace: an item takes over the multiLocationId of one that goes', async () => {
  await fixture.load(group('Heir', { menuItems: [{ name: 'Old', multiLocationId: 'dish' }] }));
  const successor = group('Heir', { menuItems: [{ name: 'New', multiLocationId: 'dish' }] });
  const { now } = await replace(successor);
  const items: Item[] = now.restaurants[0].configuration.menuItems;
  const live = items.filter(({ archived }) => !archived);
  assert.deepEqual(
    live.map(({ name, multiLocationId }) => [name, multiLocationId]),
    [['New', 'dish']],
  );
  assert.notEqual(items.find(({ archived }) => archived)?.multiLocationId, 'dish');
  // And back again.
  await replace(group('Heir', { menuItems: [{ name: 'Old', multiLocationId: 'dish' }] }));
});

test('import --replace: an object cannot move to another collection or restaurant', async () => {
  const guid = '7d0e65a1-5a0b-4c0e-9f66-0a4b1d5ce001';
  await fixture.load(group('Mover', { menus: [{ guid, name: 'Dinner' }] }));
  const before = await fixture.dump('Mover');
  const moved = group('Mover', { menuItems: [{ guid, name: 'Dinner' }] });
  await assert.rejects(fixture.load(moved, { replace: true }), (error: Error) => {
    assert.ok(error instanceof ImportRefused);
    assert.match(error.message, /the menuItems of "Mover Grill" .* the menus of "Mover Grill"/);
    return true;
  });
  const second = restaurant('Mover Bar', { menus: [{ guid, name: 'Dinner' }] });
  const elsewhere = { ...moved, restaurants: [restaurant('Mover Grill', {}), second] };
  await assert.rejects(fixture.load(elsewhere, { replace: true }), ImportRefused);
  assert.equal(await fixture.dump('Mover'), before);
});

test('import --replace CFG-11: a tip withholding that is left out is gone until named', async () => {
  const withTips = group('Tips', { tipWithholding: { enabled: true, percentage: 0.03 } });
  await fixture.load(withTips);
  const { now } = await replace(group('Tips'));
  assert.equal(now.restaurants[0].configuration.tipWithholding, null);
  const guid = '7d0e65a1-5a0b-4c0e-9f66-0a4b1d5ce002';
  const others = group('Tips', { tipWithholding: { guid, enabled: true, percentage: 0.05 } });
  const back = await replace(others);
  assert.equal(back.now.restaurants[0].configuration.tipWithholding.guid, guid);
});

test('import --replace CFG-6: a promotion code lives on in another discount', async () => {
  const discount = (name: string) => ({
    discounts: [
      {
        name,
        type: 'FIXED',
        amount: 5,
        selectionType: 'CHECK',
        promoCodes: [{ code: 'SPRING', name: 'Spring' }],
      },
    ],
  });
  await fixture.load(group('Codes', discount('Early')));
  const { now } = await replace(group('Codes', discount('Late')));
  const { discounts } = now.restaurants[0].configuration;
  const [one, two] = discounts;
  assert.notEqual(one.archived, two.archived);
  assert.deepEqual(one.promoCodes, two.promoCodes);
});

test('import --replace CFG-8: what changes beside the configuration publishes nothing', async () => {
  await fixture.load(group('Facts', { menuItems: [{ name: 'Soup' }] }));
  const { restaurants } = group('Facts', { menuItems: [{ name: 'Soup' }] });
  const [own] = restaurants;
  const urls = { website: 'https://facts.example' };
  const described = { ...own, info: { ...own?.info, urls } };
  const stock = [{ item: 'Soup', status: 'OUT_OF_STOCK' }];
  const { result, now } = await replace(
    group('Facts', {}, { restaurants: [{ ...described, stock }] }),
  );
  assert.equal(result.changedObjects, 0);
  assert.equal(now.restaurants[0].info.urls.website, urls.website);
  assert.equal(now.restaurants[0].stock.length, 1);
  assert.equal(await fixture.publishNumber('Facts Grill'), 1);
});

test('import --replace CFG-8: only the restaurants that change are published, each once', async () => {
  const both = (soup: string) =>
    group(
      'Pair',
      {},
      {
        restaurants: [
          restaurant('Pair East', { menuItems: [{ name: soup }], menus: [{ name: soup }] }),
          restaurant('Pair West', { menuItems: [{ name: 'Soup' }] }),
        ],
      },
    );
  await fixture.load(both('Soup'));
  const { result } = await replace(both('Broth'));
  // Two new ones, and two that are archived.
  assert.equal(result.changedObjects, 4);
  assert.equal(await fixture.publishNumber('Pair East'), 2);
  assert.equal(await fixture.publishNumber('Pair West'), 1);
});

test('import --replace AUTH-9: a partner goes with its accounts, unless shared', async () => {
  const account = (clientId: string, partner: string) => ({
    clientId,
    name: clientId,
    userAccessType: 'PARTNER',
    partner,
    scopes: ['stock:read'],
  });
  const partners = [{ name: 'Only Ours' }, { name: 'Shared Courier' }];
  const clients = [account('only-ours', 'Only Ours'), account('shared', 'Shared Courier')];
  await fixture.load(group('First', {}, { partners, clients }));
  await fixture.load(group('Second', {}, { partners: [{ name: 'Shared Courier' }] }));
  await replace(group('First', {}, { partners: [], clients: [] }));
  const live = await fixture.database.sql<{ id: string }[]>`
    select client_id as id from api_client
    where revoked_at is null and client_id in ('only-ours', 'shared')`;
  assert.deepEqual(
    live.map(({ id }) => id),
    ['shared'],
  );
  const again = group('First', {}, { partners, clients });
  await assert.rejects(
    fixture.load(again, { replace: true }),
    /a revoked account does not come back/,
  );
});

/** Connects a partner with an account to the group's restaurant, as the back office does. */
async function connectNewPartner(groupName: string, clientId: string): Promise<string> {
  const { sql } = fixture.database;
  const partnerGuid = await insertPartner(sql);
  const [own] = JSON.parse(await fixture.dump(groupName)).restaurants;
  await insertLiveConnection(sql, own.guid, partnerGuid);
  const input = { clientId, name: clientId, type: 'PARTNER', partnerGuid, scopes: [] } as const;
  await createClient({ sql, vault: fixture.vault }, input, fixture.clock.nowMs());
  return partnerGuid;
}

async function isLive(clientId: string): Promise<boolean> {
  const rows = await fixture.database.sql`
    select from api_client where client_id = ${clientId} and revoked_at is null`;
  return rows.length === 1;
}

test('export: a partner that the back office connected can be imported again', async () => {
  await fixture.load(group('Joined', {}, { clients: [] }));
  const guid = await connectNewPartner('Joined', 'joined');
  const text = await fixture.dump('Joined');
  const { partners, clients } = JSON.parse(text);
  assert.deepEqual(partners, [{ guid, name: 'Partner' }]);
  assert.equal(clients[0].clientId, 'joined');
  await other.load(JSON.parse(text));
  assert.equal(await other.dump('Joined'), text);
  for (const _time of ['unlisted until now', 'listed now']) {
    await fixture.load(JSON.parse(text), { replace: true });
    assert.equal(await fixture.dump('Joined'), text);
  }
  assert.ok(await isLive('joined'));
});

test('import --replace AUTH-9: accounts of partners it never listed, or shares, live on', async () => {
  await fixture.load(group('Older', {}, { clients: [] }));
  const guid = await connectNewPartner('Older', 'connected');
  const partners = [{ guid, name: 'Partner' }];
  await fixture.load(group('Lists', {}, { partners }));
  await fixture.load(group('Lists', {}, { partners: [], clients: [] }), { replace: true });
  assert.ok(await isLive('connected'), 'connected to another group');
  await fixture.load(group('Older', {}, { clients: [] }), { replace: true });
  assert.deepEqual(JSON.parse(await fixture.dump('Older')).connections, []);
  assert.ok(await isLive('connected'), 'never listed');
});

test('import --replace AUTH-9: a document without a list of accounts leaves them alone', async () => {
  const clients = [
    { name: 'Kitchen', userAccessType: 'CUSTOMER', scopes: ['stock:read'], clientId: 'kept' },
  ];
  await fixture.load(group('Keeper', {}, { clients }));
  await fixture.load(group('Keeper'), { replace: true });
  const exported = JSON.parse(await fixture.dump('Keeper'));
  assert.deepEqual(
    exported.clients.map(({ clientId }: { clientId: string }) => clientId),
    ['kept'],
  );
});

test('import --replace: back office accounts of a group are not in its document', async () => {
  const document = group('Staffed', {}, { clients: [] });
  await fixture.load(document);
  const managementGroupGuid = JSON.parse(await fixture.dump('Staffed')).managementGroup.guid;
  const scopes = ['payments.lifecycle:read'] as const;
  const input = { clientId: 'orders', name: 'Orders', scopes, managementGroupGuid } as const;
  const deps = { sql: fixture.database.sql, vault: fixture.vault };
  await createClient(deps, { ...input, type: 'BACK_OFFICE' }, fixture.clock.nowMs());
  assert.deepEqual(JSON.parse(await fixture.dump('Staffed')).clients, []);
  await replace(document);
  assert.ok(await isLive('orders'), 'not named, and not revoked');
  const taken = { clientId: 'orders', name: 'Mine', userAccessType: 'CUSTOMER', scopes: [] };
  const claiming = group('Staffed', {}, { clients: [taken] });
  await assert.rejects(fixture.load(claiming, { replace: true }), /belongs to somebody else/);
});

test('import --replace: a restaurant that goes is archived and keeps what it had', async () => {
  const partners = [{ name: 'Archive Courier' }];
  const two = [
    restaurant(
      'Gone',
      { menuItems: [{ name: 'Soup' }] },
      { stock: [{ item: 'Soup', status: 'OUT_OF_STOCK' }] },
    ),
    restaurant('Stays', {}),
  ];
  const connections = two.map(({ info }) => ({
    partner: 'Archive Courier',
    restaurant: info.general.name,
  }));
  await fixture.load(group('Archive', {}, { partners, connections, restaurants: two }));
  const left = { restaurants: two.slice(1), partners, connections: connections.slice(1) };
  const { now } = await replace(group('Archive', {}, left));
  const gone = now.restaurants.find(
    ({ info }: { info: { general: { name: string } } }) => info.general.name === 'Gone',
  );
  assert.equal(gone.info.general.archived, true);
  assert.equal(gone.configuration.menuItems[0].archived, false);
  assert.equal(gone.stock.length, 1);
  assert.equal(now.connections.length, 1);
});
