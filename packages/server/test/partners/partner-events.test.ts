import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PartnerEventEntry, validatorFor } from '@servery/contract';
import { connectDatabase } from '../../src/database/database.ts';
import { importGroup } from '../../src/group-document/import.ts';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { updatePartnerCounter } from '../../src/partners/change-store.ts';
import { connect } from '../../src/partners/connections.ts';
import type { Place } from '../../src/reach/reach.ts';
import { profileContents } from '../../src/sandbox/profile.ts';
import { listAuditEntries } from '../audit/entry-rows-store.ts';
import { updateHistory } from '../clients/account-fixture-store.ts';
import { openAccountFixture, person } from '../clients/fixture.ts';
import { insertPartner, insertRestaurant } from '../rows.ts';
import { at, origin } from './test-origin.ts';

const fixture = openAccountFixture();

async function change(
  name: 'connect' | 'update' | 'disconnect',
  restaurant: RestaurantContext,
  partnerGuid: string,
  body: object,
) {
  const params = { partnerGuid };
  return await fixture.call(`backOffice.connections.${name}`, { restaurant, params, body });
}

async function eventsOf(partnerGuid: string, after = 0, pageSize = 200) {
  const { status, body } = await fixture.call('backOffice.partners.events', {
    params: { partnerGuid },
    query: { after: String(after), pageSize: String(pageSize) },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body as { results: PartnerEventEntry[]; lastPosition: number };
}

const location = {
  address1: '1 Old Pier',
  address2: '',
  city: 'Boston',
  stateCode: 'MA',
  administrativeArea: 'Massachusetts',
  zipCode: '02110',
  country: 'USA',
  phone: '6175550100',
  latitude: 42.3601,
  longitude: -71.0489,
};
const employee = { firstName: 'Ada', lastName: 'Mensah', email: 'ada@example.com', phone: '617' };

test('partner events PTN-7: each change writes one, with all that the contract asks for', async () => {
  const { sql } = fixture.database;
  const columns = { name: 'Harbor Kitchen', location_name: 'Old Pier', location };
  const restaurant = await insertRestaurant(sql, { columns });
  const partnerGuid = await insertPartner(sql);
  const nowMs = fixture.clock.nowMs();
  await change('connect', restaurant, partnerGuid, {
    partnerGuid,
    externalGroupRef: 'G-1',
    externalRestaurantRef: 'R-1',
    employee,
  });
  fixture.clock.advance(1_000);
  await change('update', restaurant, partnerGuid, { externalRestaurantRef: null, employee });
  await change('update', restaurant, partnerGuid, { externalRestaurantRef: null });
  fixture.clock.advance(1_000);
  await change('disconnect', restaurant, partnerGuid, { reason: 'Enough.', employee });
  await change('disconnect', restaurant, partnerGuid, { reason: 'Enough.' });
  const { results, lastPosition } = await eventsOf(partnerGuid);
  assert.deepEqual(
    results.map(({ position, event }) => [position, event.eventType, event.timestamp]),
    [
      [1, 'partner_added', new Date(nowMs).toISOString()],
      [2, 'partner_updated', new Date(nowMs + 1_000).toISOString()],
      [3, 'partner_removed', new Date(nowMs + 2_000).toISOString()],
    ],
  );
  assert.equal(lastPosition, 3);
  for (const { event } of results) {
    assert.deepEqual(validatorFor('PartnerEvent')(event), []);
    assert.equal(event.guid[14], '7', 'a time-ordered identifier');
  }
  assert.deepEqual(results[0]?.event.details, {
    restaurantGuid: restaurant.guid,
    managementGroupGuid: restaurant.managementGroupGuid,
    restaurantName: 'Harbor Kitchen',
    locationName: 'Old Pier',
    externalGroupRef: 'G-1',
    externalRestaurantRef: 'R-1',
    modifiedDate: nowMs,
    createdDate: nowMs,
    isoModifiedDate: new Date(nowMs).toISOString(),
    isoCreatedDate: new Date(nowMs).toISOString(),
    createdByFirstName: 'Ada',
    createdByLastName: 'Mensah',
    createdByEmailAddress: 'ada@example.com',
    createdByPhoneNumber: '617',
    restaurantPhoneNumber: '6175550100',
    restaurantAddressLine1: '1 Old Pier',
    restaurantAddressLine2: null,
    restaurantCity: 'Boston',
    restaurantState: 'MA',
    restaurantZipCode: '02110',
    restaurantLatitude: '42.3601',
    restaurantLongitude: '-71.0489',
    restaurantCountryCode: 'US',
    restaurantTimezone: 'America/Chicago',
  });
  const connectionAt = (index: number) => {
    const event = results[index]?.event;
    return event?.eventCategory === 'partner' ? event.details : null;
  };
  assert.equal(connectionAt(1)?.externalRestaurantRef, null);
  assert.equal(connectionAt(2)?.modifiedDate, nowMs + 2_000);
});

test('partner events: two who disconnect at once leave one event and one reason', async () => {
  const { sql } = fixture.database;
  const restaurant = await insertRestaurant(sql);
  const partnerGuid = await insertPartner(sql);
  await change('connect', restaurant, partnerGuid, { partnerGuid });
  const answers = await Promise.all(
    ['one', 'two', 'three', 'four'].map((reason) =>
      change('disconnect', restaurant, partnerGuid, { reason }),
    ),
  );
  const reasons = new Set(answers.map(({ body }) => body.disconnectReason));
  assert.deepEqual([answers.map(({ status }) => status), reasons.size], [[200, 200, 200, 200], 1]);
  const { results } = await eventsOf(partnerGuid);
  assert.deepEqual(
    results.map(({ event }) => event.eventType),
    ['partner_added', 'partner_removed'],
  );
});

test('partner events: positions have no gap, and come to be seen in their order', async () => {
  const { sql } = fixture.database;
  const partnerGuid = await insertPartner(sql);
  const restaurants = await Promise.all(Array.from({ length: 12 }, () => insertRestaurant(sql)));
  let isDone = false;
  const seen: number[] = [];
  // A reader that follows meanwhile, as a delivery will, must miss nothing.
  const follow = async () => {
    for (let after = 0; !isDone || after < restaurants.length; ) {
      const { results, lastPosition } = await eventsOf(partnerGuid, after, 3);
      seen.push(...results.map(({ position }) => position));
      after = lastPosition;
    }
  };
  const following = follow();
  const changes = restaurants.flatMap((restaurant) => [
    change('connect', restaurant, partnerGuid, { partnerGuid }),
    // Of the two one is refused; its place in the row must not stay empty.
    change('connect', restaurant, partnerGuid, { partnerGuid }),
  ]);
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  isDone = true;
  await following;
  assert.equal(statuses.filter((status) => status === 200).length, restaurants.length);
  assert.deepEqual(
    seen,
    restaurants.map((_, index) => index + 1),
  );
});

test('partner events: an event waits for the one before, and a rollback gives back', async () => {
  const { sql } = fixture.database;
  const restaurant = await insertRestaurant(sql);
  const partnerGuid = await insertPartner(sql);
  const other = connectDatabase({ url: fixture.databaseUrl, poolSize: 1 });
  const isTaken = Promise.withResolvers<void>();
  const isOver = Promise.withResolvers<void>();
  const holder = other
    .transaction(async (held) => {
      assert.equal(await updatePartnerCounter(held, partnerGuid, 'EDITED'), 1);
      isTaken.resolve();
      await isOver.promise;
      throw new Error('rolled back on purpose');
    })
    .catch((error: Error) => error.message);
  await isTaken.promise;
  const waiting = change('connect', restaurant, partnerGuid, { partnerGuid });
  assert.deepEqual((await eventsOf(partnerGuid)).results, []);
  isOver.resolve();
  assert.equal(await holder, 'rolled back on purpose');
  assert.equal((await waiting).status, 200);
  assert.deepEqual(
    (await eventsOf(partnerGuid)).results.map(({ position }) => position),
    [1],
  );
  await other.close();
});

test('partner events: the log is read by partner and platform, and by nobody else', async () => {
  const { sql } = fixture.database;
  const restaurant = await insertRestaurant(sql);
  const partnerGuid = await insertPartner(sql);
  await change('connect', restaurant, partnerGuid, { partnerGuid });
  const scopes = new Set(['connections:read'] as const);
  const read = async (place: Place, query = {}) => {
    const params = { partnerGuid };
    const caller = person({ scopes, place });
    return (await fixture.call('backOffice.partners.events', { caller, params, query })).status;
  };
  assert.equal(await read({ kind: 'partner', guid: partnerGuid }), 200);
  assert.equal(await read({ kind: 'platform' }), 200);
  assert.equal(await read({ kind: 'group', guid: restaurant.managementGroupGuid }), 404);
  assert.equal(await read({ kind: 'restaurant', guid: restaurant.guid }), 404);
  assert.equal(await read({ kind: 'partner', guid: await insertPartner(sql) }), 404);
  for (const after of ['-1', '1.5', 'x', '9'.repeat(17)]) {
    assert.equal(await read({ kind: 'platform' }, { after }), 400, after);
  }
});

test('partner events: what was written of connections cannot be changed', async () => {
  const { database } = fixture;
  const restaurant = await insertRestaurant(database.sql);
  const partnerGuid = await insertPartner(database.sql);
  const details = { externalGroupRef: null, externalRestaurantRef: null };
  const employee = { firstName: null, lastName: null, email: null, phone: null };
  const key = { restaurantGuid: restaurant.guid, partnerGuid };
  await connect(at(database), { ...key, ...details, employee, origin });
  const [{ isSuperuser } = { isSuperuser: false }] = await database.sql<
    { isSuperuser: boolean }[]
  >`select rolsuper as "isSuperuser" from pg_roles where rolname = current_user`;
  // A superuser may everything, and is what tests connect as on some machines.
  if (!isSuperuser) await assert.rejects(updateHistory(database.sql), { code: '42501' });
});

test('partner events: an import tells partners what it changed, and nothing else', async () => {
  const { database, vault, clock } = fixture;
  const { restaurants, ...head } = profileContents('demo');
  const contents = { ...head, restaurants: restaurants.slice(0, 2) };
  const guids = new Set(contents.restaurants.map(({ guid }) => guid));
  const connections = contents.connections.filter((each) => guids.has(each.restaurantGuid));
  const [first, ...others] = connections;
  assert.ok(first && others.length > 0);
  const load = async (wanted: typeof connections) =>
    await importGroup(
      { database, vault, clock },
      { ...contents, connections: wanted },
      { replace: true },
    );
  const typesOf = async () => {
    const { results } = await eventsOf(first.partnerGuid);
    return results
      .filter(({ event }) => event.details.restaurantGuid === first.restaurantGuid)
      .map(({ event }) => event.eventType);
  };
  await load(connections);
  await load(connections);
  assert.deepEqual(await typesOf(), ['partner_added'], 'an unchanged import tells nothing');
  clock.advance(1_000);
  const changed = { ...first, externalGroupRef: 'changed', modifiedMs: null };
  await load([changed, ...others]);
  clock.advance(1_000);
  await load(others);
  const { results } = await eventsOf(first.partnerGuid);
  const own = results.filter(({ event }) => event.details.restaurantGuid === first.restaurantGuid);
  assert.deepEqual(
    own.map(({ event }) => event.eventType),
    ['partner_added', 'partner_updated', 'partner_removed'],
  );
  const last = own[2]?.event;
  assert.ok(last?.eventCategory === 'partner');
  assert.equal(last.details.modifiedDate, clock.nowMs());
  const params = { partnerGuid: first.partnerGuid };
  const restaurant = { guid: first.restaurantGuid } as RestaurantContext;
  const { body } = await fixture.call('backOffice.connections.timeline', { restaurant, params });
  assert.deepEqual(
    body.results.map(({ by, reason }: { by: string; reason: string }) => [by, reason]),
    [
      ['system:import', 'The group document does not name it.'],
      ['system:import', null],
      ['system:import', null],
    ],
  );
  const subject = `${first.restaurantGuid}/${first.partnerGuid}`;
  const entries = await listAuditEntries(database.sql, subject);
  assert.deepEqual(
    entries.map(({ actor, operation }) => [actor, operation]),
    Array.from({ length: 3 }, () => ['system:import', 'import']),
  );
});

test('partners.connectedRestaurants.list PTN-2: the kept totals are those that a count gives', async () => {
  const { sql } = fixture.database;
  // After everything that the tests before have connected, ended, edited, and imported.
  const rows = await sql<{ kept: number; counted: number }[]>`
    select coalesce(counter.connections, 0) as kept, count(connection.partner_guid)::int as counted
    from partner
    left join partner_counter as counter on counter.partner_guid = partner.guid
    left join connection on connection.partner_guid = partner.guid and removed_at is null
    group by partner.guid, counter.connections`;
  assert.ok(rows.some(({ counted }) => counted > 1));
  for (const { kept, counted } of rows) assert.equal(kept, counted);
});
