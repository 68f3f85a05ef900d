import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OperationId, Scope } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Caller, Person, Principal } from '../../src/http/operation.ts';
import { restaurantAccess } from '../../src/partners/access.ts';
import type { WhoAmIDeps } from '../../src/whoami/describe-caller.ts';
import { officeWhoamiHandler } from '../../src/whoami/office/whoami.ts';
import { partnerWhoamiHandler } from '../../src/whoami/partner/whoami.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { idleCaches } from '../freshness/caches.ts';
import { callOperation, principal } from '../request.ts';
import { insertLiveConnection, insertPartner, insertRestaurant } from '../rows.ts';

const whoamiHandlers = (deps: WhoAmIDeps) => ({
  'backOffice.whoami': officeWhoamiHandler(deps),
  'platform.whoami': partnerWhoamiHandler(deps),
});

let testDatabase: TestDatabase;
let handlers: ReturnType<typeof whoamiHandlers>;
before(async () => {
  testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const access = restaurantAccess({ ...idleCaches(database), database });
  handlers = whoamiHandlers({ database, access, config: { brand: 'Acme', kind: 'sandbox' } });
});
after(() => testDatabase.drop());

/** Calls the whoami operation of the caller. */
function ask(caller: Caller, query: Readonly<Record<string, string>> = {}) {
  const isOfBackOffice = caller.type === 'BACK_OFFICE' || caller.type === 'PERSON';
  const id = isOfBackOffice ? 'backOffice.whoami' : 'platform.whoami';
  return callOperation(handlers, id, { principal: caller as Principal, query });
}

/** The message of the refusal that is foreseen; null when none is. */
async function foreseen(
  caller: Caller,
  operation: OperationId,
  restaurantGuid?: string,
): Promise<{ status: number; message: string } | null> {
  const where = restaurantGuid === undefined ? {} : { restaurantGuid };
  const { status, body } = await ask(caller, { operation, ...where });
  assert.equal(status, 200, JSON.stringify(body));
  return body.call.refusal;
}

const scopes = (...held: Scope[]) => new Set<Scope>(held);

test('platform.whoami 200: a partner learns its scopes and its restaurants', async () => {
  const { sql } = testDatabase.database;
  const partnerGuid = await insertPartner(sql);
  const connected = await insertRestaurant(sql, { columns: { name: 'Alder' } });
  await insertRestaurant(sql, { columns: { name: 'Beech' } });
  await insertLiveConnection(sql, connected.guid, partnerGuid);
  const caller = principal({ partnerGuid, scopes: scopes('stock:read') });
  const { body } = await ask(caller);
  assert.deepEqual([body.type, body.id, body.email], ['PARTNER', caller.clientId, null]);
  assert.deepEqual(body.restaurants, [{ guid: connected.guid, name: 'Alder', archived: false }]);
  assert.equal(body.restaurants.length, 1);
  const [grant] = body.grants;
  assert.deepEqual([grant.place, grant.guid], ['partner', partnerGuid]);
  assert.deepEqual(grant.scopes, [{ scope: 'stock:read', allows: 'Read stock.' }]);
  assert.equal(body.call, null);
});

test('backOffice.whoami 200: what a group, and what the platform reaches', async () => {
  const { sql } = testDatabase.database;
  const one = await insertRestaurant(sql, { columns: { name: 'Cedar' } });
  const { managementGroupGuid } = one;
  const orders = principal({ type: 'BACK_OFFICE', managementGroupGuid });
  const { body } = await ask(orders);
  assert.deepEqual(
    body.restaurants.map(({ name }: { name: string }) => name),
    ['Cedar'],
  );
  assert.deepEqual([body.grants[0].place, body.grants[0].name], ['group', 'Group']);
  const all = (await ask(principal({ type: 'BACK_OFFICE' }))).body;
  assert.deepEqual([all.grants[0].place, all.grants[0].guid], ['platform', null]);
  assert.ok(all.restaurants.length > 1);
  assert.equal(all.hasMoreRestaurants, false);
});

test('backOffice.whoami 200: a person learns what each role allows, and where', async () => {
  const { guid } = await insertRestaurant(testDatabase.database.sql);
  const person: Person = {
    ...{ type: 'PERSON', personGuid: newGuid(), name: 'Ada', email: 'ada@example.com' },
    ...{ sessionGuid: newGuid() },
    grants: [{ place: { kind: 'restaurant', guid }, scopes: scopes('stock.admin:read') }],
  };
  const { body } = await ask(person);
  assert.deepEqual([body.type, body.id, body.email], ['PERSON', person.personGuid, person.email]);
  assert.equal(body.restaurants.length, 1);
  assert.equal(await foreseen(person, 'backOffice.payments.list').then((one) => one?.status), 403);
  const words = await foreseen(person, 'stock.list', guid);
  assert.match(words?.message ?? '', /A session can use only the back office interface/);
});

test('platform.whoami 200: each refusal is foreseen in its own words', async () => {
  const { sql } = testDatabase.database;
  const partnerGuid = await insertPartner(sql);
  const own = await insertRestaurant(sql);
  const closed = await insertRestaurant(sql, { archived: true });
  await insertLiveConnection(sql, own.guid, partnerGuid);
  await insertLiveConnection(sql, closed.guid, partnerGuid);
  const caller = principal({ partnerGuid, scopes: scopes('stock:read', 'restaurants:read') });
  assert.equal(await foreseen(caller, 'stock.list', own.guid), null);
  const lacking = await foreseen(caller, 'stock.update', own.guid);
  assert.equal(lacking?.status, 403);
  assert.match(lacking?.message ?? '', /lacks the scope stock:write, which stock\.update needs/);
  const far = await foreseen(caller, 'stock.list', newGuid());
  assert.match(far?.message ?? '', /is not connected to this client: check the GUID/);
  assert.equal((await foreseen(caller, 'stock.list', closed.guid))?.status, 403);
  assert.equal(await foreseen(caller, 'restaurants.get', closed.guid), null, 'archived, yet its');
  const missing = await foreseen(caller, 'creditCards.authorize', newGuid());
  assert.equal(missing?.status, 404);
  const kind = await foreseen(caller, 'backOffice.payments.get', own.guid);
  assert.match(kind?.message ?? '', /The back office interface is for BACK_OFFICE clients/);
  assert.equal(await foreseen(caller, 'auth.login'), null, 'nobody needs a token for it');
});

test('backOffice.whoami 200: that the clock of production does not move is foreseen', async () => {
  const { database } = testDatabase;
  const access = restaurantAccess({ ...idleCaches(database), database });
  const inProduction = { brand: 'Acme', kind: 'production' } as const;
  const caller = principal({ type: 'BACK_OFFICE' });
  const query = { operation: 'backOffice.clock.freeze' };
  assert.equal(await foreseen(caller, 'backOffice.clock.freeze'), null);
  const { body } = await callOperation(
    whoamiHandlers({ database, access, config: inProduction }),
    'backOffice.whoami',
    { principal: caller, query },
  );
  assert.equal(body.call.refusal.status, 403);
});

test('platform.whoami 400: an operation that is none, and no restaurant', async () => {
  const caller = principal({ partnerGuid: newGuid() });
  const refused = async (query: Readonly<Record<string, string>>) => {
    const { status, body } = await ask(caller, query);
    assert.equal(status, 400);
    return body.message;
  };
  assert.match(await refused({ operation: 'stock.guess' }), /operation must be the id of an op/);
  assert.match(await refused({ operation: 'stock.list' }), /stock\.list works on one restaurant/);
  const guid = { restaurantGuid: 'here' };
  assert.match(await refused({ operation: 'stock.list', ...guid }), /must be a GUID/);
  assert.match(await refused({ restaurantGuid: newGuid() }), /operation is missing/);
});

test('platform.whoami 200: of more than 100 restaurants, 100 are listed', async () => {
  const { sql } = testDatabase.database;
  const partnerGuid = await insertPartner(sql);
  const ask101 = () => ask(principal({ partnerGuid, scopes: scopes('stock:read') }));
  for (let number = 1; number <= 101; number += 1) {
    const { guid } = await insertRestaurant(sql);
    await insertLiveConnection(sql, guid, partnerGuid);
    if (number === 100) assert.equal((await ask101()).body.hasMoreRestaurants, false);
  }
  const { body } = await ask101();
  assert.equal(body.restaurants.length, 100);
  assert.equal(body.hasMoreRestaurants, true);
});
