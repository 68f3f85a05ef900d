import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roles } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { restaurantAccess } from '../../src/partners/access.ts';
import type { Place } from '../../src/reach/reach.ts';
import { listAuditEntries } from '../audit/entry-rows-store.ts';
import { openAccountFixture, person, platformWide } from '../clients/fixture.ts';
import { idleCaches } from '../freshness/caches.ts';
import { principal, type TestAnswer } from '../request.ts';
import { insertPartner, insertRestaurant } from '../rows.ts';

const fixture = openAccountFixture();

type Move = 'connect' | 'update' | 'disconnect' | 'get' | 'list' | 'partners' | 'timeline';

/** A restaurant and a partner that are not connected, and what is done between them. */
async function strangers(archived = false) {
  const { sql } = fixture.database;
  const restaurant = await insertRestaurant(sql, { archived });
  const partnerGuid = await insertPartner(sql);
  const call = (move: Move, body?: unknown, rest: object = {}): Promise<TestAnswer> =>
    fixture.call(`backOffice.connections.${move}`, {
      restaurant,
      params: { partnerGuid },
      body,
      ...rest,
    });
  return { restaurant, partnerGuid, call };
}

const iso = (nowMs: number) => new Date(nowMs).toISOString();
const employee = { firstName: 'Bo', lastName: 'Ray', email: 'bo@example.com', phone: '+1 312' };

test('backOffice.connections 200: made, edited, ended and made anew, by whom is kept', async () => {
  const { restaurant, partnerGuid, call } = await strangers();
  const references = { externalGroupRef: 'G-1', externalRestaurantRef: 'R-1' };
  const made = await call('connect', { partnerGuid, ...references, employee });
  const madeAt = iso(fixture.clock.nowMs());
  const expected = {
    restaurantGuid: restaurant.guid,
    restaurantName: 'Corner Diner',
    restaurantArchived: false,
    partnerGuid,
    partnerName: 'Partner',
    state: 'CONNECTED',
    ...references,
    changedBy: employee,
    createdAt: madeAt,
    modifiedAt: madeAt,
    disconnectedAt: null,
    disconnectReason: null,
  };
  assert.deepEqual([made.status, made.body], [200, expected]);

  fixture.clock.advance(60_000);
  const editedAt = iso(fixture.clock.nowMs());
  const edited = await call('update', { externalGroupRef: null });
  const nobody = { firstName: null, lastName: null, email: null, phone: null };
  const afterEdit = {
    ...expected,
    externalGroupRef: null,
    changedBy: nobody,
    modifiedAt: editedAt,
  };
  assert.deepEqual(edited.body, afterEdit, 'a reference that is left out stays');

  fixture.clock.advance(60_000);
  const endedAt = iso(fixture.clock.nowMs());
  const ada = person({ scopes: new Set(), place: { kind: 'platform' } });
  const ended = await call('disconnect', { reason: 'We count by hand.' }, { caller: ada });
  assert.deepEqual(ended.body, {
    ...afterEdit,
    state: 'DISCONNECTED',
    changedBy: { firstName: 'Ada Mary', lastName: 'Cook', email: 'ada@example.com', phone: null },
    modifiedAt: endedAt,
    disconnectedAt: endedAt,
    disconnectReason: 'We count by hand.',
  });
  assert.deepEqual((await call('get')).body, ended.body);

  fixture.clock.advance(60_000);
  const again = await call('connect', { partnerGuid });
  const againAt = iso(fixture.clock.nowMs());
  assert.deepEqual(again.body, {
    ...expected,
    externalGroupRef: null,
    externalRestaurantRef: null,
    changedBy: nobody,
    createdAt: againAt,
    modifiedAt: againAt,
  });
});

test('backOffice.connections.timeline 200: every change with who, when and why', async () => {
  const { partnerGuid, call } = await strangers();
  await call('connect', { partnerGuid, employee });
  await call('update', { externalGroupRef: 'G-2' });
  await call('update', { externalGroupRef: 'G-2' });
  await call('disconnect', { reason: 'Enough.', employee });
  await call('disconnect', { reason: 'Again.' });
  await call('connect', { partnerGuid });
  const { body } = await call('timeline');
  assert.equal(body.nextPageToken, null);
  assert.deepEqual(
    body.results.map(({ number, kind, externalGroupRef, reason }: Record<string, unknown>) => [
      number,
      kind,
      externalGroupRef,
      reason,
    ]),
    [
      [4, 'CONNECTED', null, null],
      [3, 'DISCONNECTED', 'G-2', 'Enough.'],
      [2, 'EDITED', 'G-2', null],
      [1, 'CONNECTED', null, null],
    ],
    'repeats that change nothing leave nothing',
  );
  const { by, requestId, employee: who } = body.results[3];
  assert.equal(by, (platformWide as { clientId: string }).clientId);
  assert.match(requestId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(who, employee);
  const pages: number[] = [];
  let pageToken: string | undefined;
  do {
    const query = { pageSize: '1', ...(pageToken ? { pageToken } : {}) };
    const page = (await call('timeline', undefined, { query })).body;
    pages.push(...page.results.map(({ number }: { number: number }) => number));
    pageToken = page.nextPageToken ?? undefined;
  } while (pageToken);
  assert.deepEqual(pages, [4, 3, 2, 1]);
});

test('backOffice.connections.timeline 400: a page token of another timeline', async () => {
  const one = await strangers();
  const other = await strangers();
  for (const { call, partnerGuid } of [one, other]) {
    await call('connect', { partnerGuid });
    await call('disconnect', { reason: 'Enough.' });
  }
  const { body } = await one.call('timeline', undefined, { query: { pageSize: '1' } });
  const query = { pageSize: '1', pageToken: body.nextPageToken };
  assert.equal((await other.call('timeline', undefined, { query })).status, 400);
});

test('backOffice.connections AUTH-9: access begins and ends with the answer', async () => {
  const { restaurant, partnerGuid, call } = await strangers();
  const access = restaurantAccess({ ...idleCaches(fixture.database), database: fixture.database });
  const partner = principal({ partnerGuid });
  const outcome = async () => (await access(partner, restaurant.guid)).outcome;
  assert.equal(await outcome(), 'notGranted');
  await call('connect', { partnerGuid });
  assert.equal(await outcome(), 'granted');
  await call('disconnect', { reason: 'Enough.' });
  assert.equal(await outcome(), 'notGranted');
});

test('backOffice.connections 400 422: what is wrong is told, and nothing is changed', async () => {
  const { partnerGuid, call } = await strangers();
  const ada = person({ scopes: new Set(), place: { kind: 'platform' } });
  assert.equal((await call('connect', {})).status, 400);
  const long = 'x'.repeat(201);
  for (const [body, told] of [
    [{ partnerGuid: 'nobody' }, /partnerGuid must be a GUID/],
    [{ partnerGuid: newGuid() }, /no partner/],
    [{ partnerGuid, externalGroupRef: '' }, /externalGroupRef must have 1 to 200 characters/],
    [{ partnerGuid, externalRestaurantRef: long }, /externalRestaurantRef has 201 characters/],
    [{ partnerGuid, externalGroupRef: 7 }, /externalGroupRef must be a string/],
    [{ partnerGuid, employee: 'Ada' }, /employee must be an object/],
    [{ partnerGuid, employee: { email: ' ' } }, /employee\.email must have 1 to 254 characters/],
    [{ partnerGuid, employee: { email: 'bo at example' } }, /employee\.email must be an email/],
    [{ partnerGuid, externalGroupRe: 'G' }, /perhaps "externalGroupRef"/],
    [{ partnerGuid, employee: { mail: 'bo@example.com' } }, /employee\.mail is no field/],
    [[partnerGuid], /must be an object/],
  ] as const) {
    const { status, body: error } = await call('connect', body);
    assert.deepEqual([status, told.test(error.message)], [422, true], error.message);
  }
  const forOthers = await call('connect', { partnerGuid, employee }, { caller: ada });
  assert.match(
    forOthers.body.message,
    /employee must be left out if you are logged in as a person/,
  );
  assert.equal((await call('get')).status, 404);
  await call('connect', { partnerGuid });
  assert.equal((await call('disconnect', {})).status, 400);
  assert.equal((await call('disconnect', { reason: ' ' })).status, 422);
  assert.equal((await call('update', { externalGroupRef: long })).status, 422);
  assert.equal((await call('update', { externalGroupReff: 'G' })).status, 422);
  assert.equal((await call('disconnect', { reason: 'Enough.', why: 'x' })).status, 422);
  assert.equal((await call('list', undefined, { query: { state: 'GONE' } })).status, 400);
  assert.equal((await call('get')).body.state, 'CONNECTED');
});

test('backOffice.connections 404 409: what does not fit the state', async () => {
  const { partnerGuid, call } = await strangers();
  for (const [move, body] of [
    ['update', {}],
    ['disconnect', { reason: 'Enough.' }],
    ['timeline', undefined],
    ['get', undefined],
  ] as const) {
    assert.equal((await call(move, body)).status, 404, move);
    const params = { partnerGuid: 'no-guid' };
    assert.equal((await call(move, body, { params })).status, 404, move);
  }
  await call('connect', { partnerGuid });
  const twice = await call('connect', { partnerGuid });
  assert.equal(twice.status, 409);
  assert.match(twice.body.message, /already: edit the connection/);
  await call('disconnect', { reason: 'Enough.' });
  assert.equal((await call('update', { externalGroupRef: 'G' })).status, 409);
  const archived = await strangers(true);
  const refused = await archived.call('connect', { partnerGuid: archived.partnerGuid });
  assert.deepEqual([refused.status, /archived/.test(refused.body.message)], [409, true]);
});

test('backOffice.connections: card numbers are taken out of what people write', async () => {
  const { partnerGuid, call } = await strangers();
  await call('connect', { partnerGuid, externalGroupRef: '4111 1111 1111 1111' });
  await call('disconnect', { reason: 'Paid with 4111111111111111.' });
  const seen = JSON.stringify([(await call('get')).body, (await call('timeline')).body]);
  // Four digits alone stand in many a GUID.
  assert.doesNotMatch(seen, /4111 ?1111/);
});

test('backOffice.connections.list 200: by name and by pages, in the state asked for', async () => {
  const { sql } = fixture.database;
  const restaurant = await insertRestaurant(sql);
  const names = ['beta', 'Alpha', 'alpha', 'Gamma'];
  const partners = await Promise.all(names.map((name) => partnerCalled(name)));
  for (const [index, partnerGuid] of partners.entries()) {
    const parts = { restaurant, params: { partnerGuid } };
    await fixture.call('backOffice.connections.connect', { ...parts, body: { partnerGuid } });
    if (index !== 3) continue;
    const body = { reason: 'Enough.' };
    await fixture.call('backOffice.connections.disconnect', { ...parts, body });
  }
  const listed = async (query: Record<string, string> = {}) => {
    const { status, body } = await fixture.call('backOffice.connections.list', {
      restaurant,
      query,
    });
    assert.equal(status, 200);
    return body;
  };
  const namesOf = (page: { results: { partnerName: string }[] }) =>
    page.results.map(({ partnerName }) => partnerName.toLowerCase());
  assert.deepEqual(namesOf(await listed()), ['alpha', 'alpha', 'beta', 'gamma']);
  assert.deepEqual(namesOf(await listed({ state: 'DISCONNECTED' })), ['gamma']);
  assert.deepEqual(namesOf(await listed({ state: 'CONNECTED' })), ['alpha', 'alpha', 'beta']);
  const seen: string[] = [];
  for (let pageToken: string | null = ''; pageToken !== null; ) {
    const page = await listed({ pageSize: '1', ...(pageToken && { pageToken }) });
    seen.push(...page.results.map(({ partnerGuid }: { partnerGuid: string }) => partnerGuid));
    pageToken = page.nextPageToken;
  }
  assert.deepEqual([...seen].sort(), [...partners].sort());
});

test('backOffice.connections.partners 200 400: all of the platform, by a part of it', async () => {
  const { restaurant, partnerGuid, call } = await strangers();
  const other = await partnerCalled('Zebra Routes');
  await call('connect', { partnerGuid });
  const found = await fixture.call('backOffice.connections.partners', {
    restaurant,
    query: { name: 'ZEBRA r' },
  });
  assert.deepEqual(found.body.results, [
    { guid: other, name: 'Zebra Routes', description: null, isConnected: false },
  ]);
  const all = await fixture.call('backOffice.connections.partners', {
    restaurant,
    query: { pageSize: '200' },
  });
  const connected = all.body.results.filter((each: { isConnected: boolean }) => each.isConnected);
  assert.deepEqual(
    connected.map(({ guid }: { guid: string }) => guid),
    [partnerGuid],
  );
  for (const name of ['x'.repeat(256), 'a\0b']) {
    const query = { name };
    const { status } = await fixture.call('backOffice.connections.partners', { restaurant, query });
    assert.equal(status, 400);
  }
});

test('backOffice.connections: each change leaves one entry in the audit log', async () => {
  const { restaurant, partnerGuid, call } = await strangers();
  await call('connect', { partnerGuid, externalGroupRef: 'G-1' });
  await call('update', { externalGroupRef: 'G-1' });
  await call('update', { externalGroupRef: 'G-2' });
  await call('disconnect', { reason: 'Enough.' });
  await call('disconnect', { reason: 'Enough.' });
  const subject = `${restaurant.guid}/${partnerGuid}`;
  const entries = await listAuditEntries(fixture.database.sql, subject);
  assert.deepEqual(
    entries.map(({ operation, before, after, partnerGuid: partner }) => [
      operation,
      before?.externalGroupRef ?? null,
      after?.externalGroupRef,
      after?.removedReason,
      partner,
    ]),
    [
      ['backOffice.connections.connect', null, 'G-1', null, partnerGuid],
      ['backOffice.connections.update', 'G-1', 'G-2', null, partnerGuid],
      ['backOffice.connections.disconnect', 'G-2', 'G-2', 'Enough.', partnerGuid],
    ],
  );
});

test('backOffice.partners.connections 200: a partner sees its own, a group its part', async () => {
  const { sql } = fixture.database;
  const partnerGuid = await insertPartner(sql);
  const restaurants: RestaurantContext[] = [];
  for (let count = 0; count < 3; count += 1) {
    const restaurant = await insertRestaurant(sql);
    restaurants.push(restaurant);
    await fixture.call('backOffice.connections.connect', { restaurant, body: { partnerGuid } });
  }
  const [first] = restaurants as [RestaurantContext, ...RestaurantContext[]];
  const scopes = new Set(roles.PARTNER_DEVELOPER.scopes);
  const seenBy = async (place: Place) => {
    const { status, body } = await fixture.call('backOffice.partners.connections', {
      caller: person({ scopes, place }),
      params: { partnerGuid },
    });
    return status === 200
      ? body.results.map(({ restaurantGuid }: { restaurantGuid: string }) => restaurantGuid).sort()
      : status;
  };
  const all = restaurants.map(({ guid }) => guid).sort();
  assert.deepEqual(await seenBy({ kind: 'partner', guid: partnerGuid }), all);
  assert.deepEqual(await seenBy({ kind: 'platform' }), all);
  assert.deepEqual(await seenBy({ kind: 'group', guid: first.managementGroupGuid }), [first.guid]);
  assert.deepEqual(await seenBy({ kind: 'restaurant', guid: first.guid }), [first.guid]);
  assert.equal(await seenBy({ kind: 'partner', guid: await insertPartner(sql) }), 404);
  assert.equal(await seenBy({ kind: 'group', guid: newGuid() }), 404);
});

/** Adds a partner of that name. */
async function partnerCalled(name: string): Promise<string> {
  const { body } = await fixture.call('backOffice.partners.create', { body: { name } });
  return body.guid;
}
