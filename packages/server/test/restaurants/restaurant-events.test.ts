import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { PartnerEvent } from '@servery/contract';
import { createVault } from '@servery/support/secret.ts';
import { exportGroup } from '../../src/group-document/export.ts';
import { importGroup } from '../../src/group-document/import.ts';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import { listConnectionChanges, listPartnerEvents } from '../../src/partners/change-store.ts';
import { type ConnectionDetails, findConnection } from '../../src/partners/connection-store.ts';
import { type ConnectionChange, connect, disconnect } from '../../src/partners/connections.ts';
import { origin } from '../partners/test-origin.ts';
import { insertPartner } from '../rows.ts';
import { openRestaurantFixture, type RestaurantFixture } from './fixture.ts';

let fixture: RestaurantFixture;
before(async () => {
  fixture = await openRestaurantFixture();
});
after(() => fixture.drop());

const employee = { firstName: 'Ada', lastName: 'Mensah', email: 'ada@example.com', phone: null };
type Connect = ConnectionChange & ConnectionDetails;

/** A restaurant of its own group, connected to partners; one more has left it. */
async function connected(partners: number) {
  const group = await fixture.newGroup();
  const { guid } = await fixture.newRestaurant(group);
  const { database, clock } = fixture;
  const connecting = (partnerGuid: string): Connect => ({
    ...{ restaurantGuid: guid, partnerGuid, employee, origin },
    ...{ externalGroupRef: 'G', externalRestaurantRef: 'R' },
  });
  const guids: string[] = [];
  for (let number = 0; number <= partners; number += 1) {
    const partnerGuid = await insertPartner(database.sql);
    guids.push(partnerGuid);
    await connect({ database, clock }, connecting(partnerGuid));
  }
  const left = guids.pop() ?? '';
  await disconnect({ database, clock }, { ...connecting(left), reason: 'Enough.' });
  fixture.clock.advance(1_000);
  return { guid, group, guids: guids.sort(), left };
}

async function eventsOf(partnerGuid: string) {
  const rows = await listPartnerEvents(fixture.database.sql, partnerGuid, 0, 100);
  return rows.map(({ position, body }) => {
    const { timestamp, eventType: type, details } = JSON.parse(body) as PartnerEvent;
    return { position, type, at: new Date(timestamp), details };
  });
}

async function edit(guid: string, body: object): Promise<void> {
  const { status, body: told } = await fixture.call('restaurants.update', { guid, body });
  assert.equal(status, 200, JSON.stringify(told));
}

test('partner events PTN-7: what lists tell of a restaurant is told when it changes', async () => {
  const { guid, guids, left } = await connected(2);
  const newGroup = await fixture.newGroup('Another');
  await edit(guid, { general: { name: 'Round the corner' } });
  await edit(guid, { general: { locationName: 'Pier' } });
  await edit(guid, { general: { managementGroupGuid: newGroup } });
  fixture.clock.advance(1_000);
  await fixture.call('restaurants.archive', { guid });
  await fixture.call('restaurants.archive', { guid });
  await fixture.call('restaurants.unarchive', { guid });
  for (const partnerGuid of guids) {
    const [added, ...events] = await eventsOf(partnerGuid);
    assert.equal(added?.type, 'partner_added');
    assert.deepEqual(
      events.map(({ type, details }) => [
        type,
        details.restaurantName,
        details.locationName,
        details.managementGroupGuid === newGroup,
      ]),
      [
        ['partner_updated', 'Round the corner', null, false],
        ['partner_updated', 'Round the corner', 'Pier', false],
        ['partner_updated', 'Round the corner', 'Pier', true],
        ['partner_updated', 'Round the corner', 'Pier', true],
        ['partner_updated', 'Round the corner', 'Pier', true],
      ],
    );
    for (const { at, details } of events) assert.equal(details.modifiedDate, at.getTime());
    const last = events.at(-1);
    assert.equal(last?.at.getTime(), fixture.clock.nowMs());
    assert.equal(last?.details.createdByEmailAddress, employee.email, 'who connected the partner');
    assert.equal(last?.details.externalRestaurantRef, 'R');
  }
  const types = (await eventsOf(left)).map(({ type }) => type);
  assert.deepEqual(types, ['partner_added', 'partner_removed'], 'who has left hears no more');
});

test('partner events: what no list tells of a restaurant is told to nobody', async () => {
  const { guid, guids } = await connected(1);
  await edit(guid, { general: { description: 'By the sea', closeoutHour: 5 } });
  await edit(guid, { urls: { website: 'https://corner.example' } });
  await edit(guid, { general: { name: 'Corner' } });
  const events = await eventsOf(guids[0] ?? '');
  assert.deepEqual(
    events.map(({ type }) => type),
    ['partner_added'],
  );
});

test('connections timeline: it tells who changed the restaurant, and when', async () => {
  const { guid, guids } = await connected(1);
  const key = { restaurantGuid: guid, partnerGuid: guids[0] ?? '' };
  const { sql } = fixture.database;
  const old = await findConnection(sql, key);
  await edit(guid, { general: { name: 'Renamed' } });
  const [change] = await listConnectionChanges(sql, key, null, 10);
  assert.deepEqual(
    [change?.kind, change?.number, change?.by, change?.reason],
    ['RESTAURANT_EDITED', 2, 'operator', null],
  );
  const now = new Date(fixture.clock.nowMs());
  const entries = await fixture.changesOf(`${guid}/${key.partnerGuid}`);
  assert.equal(entries.at(-1)?.operation, 'backOffice.restaurants.update');
  assert.deepEqual(await findConnection(sql, key), {
    ...old,
    restaurantName: 'Renamed',
    modifiedAt: now,
  });
});

test('partner events: many changes of a restaurant at once stand in one row', async () => {
  const { guids, guid } = await connected(3);
  const changes = Array.from({ length: 8 }, (_, number) =>
    edit(guid, { general: { name: `Name ${number}` } }),
  );
  await Promise.all(changes);
  for (const partnerGuid of guids) {
    const events = await eventsOf(partnerGuid);
    assert.deepEqual(
      events.map(({ position }) => position),
      Array.from({ length: 9 }, (_, index) => index + 1),
    );
    const names = events.slice(1).map(({ details }) => details.restaurantName);
    assert.equal(new Set(names).size, 8);
  }
});

async function load(text: string): Promise<void> {
  const { database, clock } = fixture;
  const vault = createVault(randomBytes(32));
  await importGroup({ database, vault, clock }, readGroupDocument(text), { replace: true });
}

interface GroupText {
  restaurants: { info: { general: { name: string; archived?: boolean } } }[];
  connections: { modifiedDate?: string; createdDate?: string }[];
}

async function documentOf(group: string): Promise<GroupText> {
  let text = '';
  await exportGroup(fixture.database, group, (piece) => {
    text += piece;
  });
  return JSON.parse(text);
}

test('import --replace PTN-7: a restaurant it renames or archives dates its connections', async () => {
  const { guid, group, guids } = await connected(1);
  const key = { restaurantGuid: guid, partnerGuid: guids[0] ?? '' };
  const { sql } = fixture.database;
  const told = async () => {
    const modifiedMs = (await findConnection(sql, key))?.modifiedAt.getTime();
    return [(await eventsOf(key.partnerGuid)).length, modifiedMs];
  };
  const document = await documentOf(group);
  const [restaurant] = document.restaurants;
  const [connection] = document.connections;
  assert.ok(restaurant && connection);
  const dated = Date.parse(connection.modifiedDate ?? '');
  await load(JSON.stringify(document));
  assert.deepEqual(await told(), [1, dated], 'what is so already is told to nobody');
  // The document says when the connection changed: that holds, and the partner is told even so.
  restaurant.info.general.name = 'Renamed';
  fixture.clock.advance(1_000);
  await load(JSON.stringify(document));
  assert.deepEqual(await told(), [2, dated]);
  delete connection.modifiedDate;
  restaurant.info.general.archived = true;
  fixture.clock.advance(1_000);
  const archivedMs = fixture.clock.nowMs();
  await load(JSON.stringify(document));
  assert.deepEqual(await told(), [3, archivedMs]);
  fixture.clock.advance(1_000);
  await load(JSON.stringify(document));
  assert.deepEqual(await told(), [3, archivedMs], 'a second time it changes nothing');
  const [last] = (await eventsOf(key.partnerGuid)).slice(-1);
  assert.deepEqual([last?.type, last?.details.restaurantName], ['partner_updated', 'Renamed']);
  const changes = await listConnectionChanges(sql, key, null, 10);
  assert.deepEqual(
    changes.map(({ kind, by }) => [kind, by]),
    [
      ['RESTAURANT_EDITED', 'system:import'],
      ['RESTAURANT_EDITED', 'system:import'],
      ['CONNECTED', 'system:test'],
    ],
  );
});
