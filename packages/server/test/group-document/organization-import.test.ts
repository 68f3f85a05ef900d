import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createVault } from '@servery/support/secret.ts';
import { exportGroup } from '../../src/group-document/export.ts';
import { importGroup } from '../../src/group-document/import.ts';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import {
  everyField,
  openRestaurantFixture,
  type RestaurantFixture,
} from '../restaurants/fixture.ts';

let fixture: RestaurantFixture;
before(async () => {
  fixture = await openRestaurantFixture();
});
after(() => fixture.drop());

async function load(text: string): Promise<void> {
  const { database, clock } = fixture;
  const vault = createVault(randomBytes(32));
  await importGroup({ database, vault, clock }, readGroupDocument(text), { replace: true });
}

async function dump(group: string): Promise<string> {
  let text = '';
  await exportGroup(fixture.database, group, (piece) => {
    text += piece;
  });
  return text;
}

const read = async (guid: string) => (await fixture.call('restaurants.get', { guid })).body;

test('import --replace: what the back office made is exported and imported', async () => {
  const group = await fixture.newGroup('There and back');
  const { general, ...sections } = everyField;
  const made = await fixture.newRestaurant(group, general, sections);
  const text = await dump(group);
  fixture.clock.advance(60_000);
  await load(text);
  assert.deepEqual(await read(made.guid), made);
  assert.equal((await fixture.call('managementGroups.get', { guid: group })).body.version, 1);
  assert.equal(await dump(group), text);
});

test('import --replace: what it changes raises the version', async () => {
  const group = await fixture.newGroup('Changed behind');
  const made = await fixture.newRestaurant(group);
  const text = (await dump(group)).replace('"Corner"', '"Round the corner"');
  fixture.clock.advance(60_000);
  await load(text.replace('"Changed behind"', '"Changed"'));
  const now = await read(made.guid);
  assert.deepEqual([now.version, now.general.name], [2, 'Round the corner']);
  const body = { version: 1, general: { name: 'Mine' } };
  assert.equal((await fixture.call('restaurants.update', { guid: made.guid, body })).status, 409);
  const renamed = (await fixture.call('managementGroups.get', { guid: group })).body;
  assert.deepEqual([renamed.version, renamed.name], [2, 'Changed']);
  assert.equal(Date.parse(renamed.modifiedAt), fixture.clock.nowMs());
});

test('import --replace ORD-56: the approval of orders changes alone, and without it is auto', async () => {
  const group = await fixture.newGroup('Approving');
  const { guid } = await fixture.newRestaurant(group);
  const document = JSON.parse(await dump(group));
  const standing = async () => {
    const { version, orders } = await read(guid);
    return [version, orders.approval];
  };
  document.restaurants[0].info.orders.approval = 'manual';
  await load(JSON.stringify(document));
  assert.deepEqual(await standing(), [2, 'manual']);
  assert.equal(JSON.parse(await dump(group)).restaurants[0].info.orders.approval, 'manual');
  await load(JSON.stringify(document));
  assert.deepEqual(await standing(), [2, 'manual']);
  delete document.restaurants[0].info.orders;
  await load(JSON.stringify(document));
  assert.deepEqual(await standing(), [3, 'auto']);
});

test('import --replace: an archived group comes back, the unnamed go', async () => {
  const group = await fixture.newGroup('Back again');
  const [kept, gone] = [await fixture.newRestaurant(group), await fixture.newRestaurant(group)];
  const document = JSON.parse(await dump(group));
  for (const { guid } of [kept, gone]) await fixture.call('restaurants.archive', { guid });
  await fixture.call('managementGroups.archive', { guid: group });
  await load(JSON.stringify(document));
  const back = (await fixture.call('managementGroups.get', { guid: group })).body;
  assert.deepEqual([back.archived, back.version], [false, 3]);
  assert.equal((await read(gone.guid)).general.archived, false);
  const { restaurants } = document;
  const named = restaurants.filter(({ guid }: { guid: string }) => guid === kept.guid);
  await load(JSON.stringify({ ...document, restaurants: named }));
  const archived = await read(gone.guid);
  assert.deepEqual([archived.general.archived, archived.version], [true, 4]);
  assert.equal((await read(kept.guid)).general.archived, false);
  const last = (await fixture.changesOf(gone.guid)).at(-1);
  assert.deepEqual([last?.operation, last?.before], ['import', { archived: false }]);
  assert.deepEqual([last?.after, last?.managementGroupGuid], [{ archived: true }, group]);
});
