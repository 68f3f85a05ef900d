import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roles } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Caller } from '../../src/http/operation.ts';
import type { Place } from '../../src/reach/reach.ts';
import { listAuditEntries } from '../audit/entry-rows-store.ts';
import { insertGroupPartner } from '../clients/account-fixture-store.ts';
import { openAccountFixture, person, platformWide } from '../clients/fixture.ts';
import { principal, type TestAnswer } from '../request.ts';
import { insertGroup, insertPartner, insertRestaurant } from '../rows.ts';

const fixture = openAccountFixture();

type Move = 'list' | 'get' | 'create' | 'update';
interface Call {
  readonly partnerGuid?: string;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly caller?: Caller;
}

function call(move: Move, parts: Call = {}): Promise<TestAnswer> {
  const { partnerGuid = '', body, query = {}, caller = platformWide } = parts;
  const rest = { params: { partnerGuid }, body, query, caller };
  return fixture.call(`backOffice.partners.${move}`, rest);
}

const developer = (guid: string) =>
  person({ scopes: new Set(roles.PARTNER_DEVELOPER.scopes), place: { kind: 'partner', guid } });
const at = (place: Place) => person({ scopes: new Set(roles.GROUP_ADMINISTRATOR.scopes), place });

test('backOffice.partners 200: added, edited and read; a change leaves one entry', async () => {
  const made = await call('create', { body: { name: ' Larder Counts ' } });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { guid } = made.body;
  const createdAt = new Date(fixture.clock.nowMs()).toISOString();
  assert.deepEqual(made.body, { guid, name: 'Larder Counts', description: null, createdAt });
  const description = 'Counts what is in the larder.';
  const edited = await call('update', { partnerGuid: guid, body: { description } });
  assert.deepEqual(edited.body, { ...made.body, description });
  await call('update', { partnerGuid: guid, body: { name: 'Larder Counts' } });
  assert.deepEqual((await call('get', { partnerGuid: guid })).body, edited.body);
  const entries = await listAuditEntries(fixture.database.sql, guid);
  assert.deepEqual(
    entries.map(({ operation, before, after, partnerGuid }) => [
      operation,
      before?.description,
      after?.description,
      partnerGuid,
    ]),
    [
      ['backOffice.partners.create', undefined, null, guid],
      ['backOffice.partners.update', null, description, guid],
    ],
  );
});

test('backOffice.partners 400 422: what is wrong is told', async () => {
  assert.equal((await call('create', { body: {} })).status, 400);
  const partnerGuid = await insertPartner(fixture.database.sql);
  for (const [body, told] of [
    [{ name: '' }, /name must have 1 to 100 characters/],
    [{ name: 'x'.repeat(101) }, /name has 101 characters; at most 100 are allowed/],
    [{ name: 'Larder', description: 7 }, /description must be a string/],
    [{ name: 'Larder', description: 'x'.repeat(1_001) }, /description has 1001 characters/],
    [{ name: 'Larder', descrption: 'x' }, /descrption is no field .*"description"/],
    ['Larder', /must be an object/],
  ] as const) {
    for (const move of ['create', 'update'] as const) {
      const { status, body: error } = await call(move, { partnerGuid, body });
      assert.deepEqual([status, told.test(error.message)], [422, true], error.message);
    }
  }
  assert.equal((await call('get', { partnerGuid })).body.name, 'Partner');
});

test('backOffice.partners 403 404: who adds and who edits a partner', async () => {
  const { sql } = fixture.database;
  const managementGroupGuid = await insertGroup(sql);
  const partnerGuid = await insertPartner(sql);
  await insertGroupPartner(sql, managementGroupGuid, partnerGuid);
  const body = { name: 'Renamed' };
  const inGroup = principal({ type: 'BACK_OFFICE', managementGroupGuid });
  const administrator = at({ kind: 'group', guid: managementGroupGuid });
  for (const caller of [inGroup, administrator]) {
    assert.equal((await call('create', { body, caller })).status, 403);
    assert.equal((await call('get', { partnerGuid, caller })).status, 200);
    assert.equal((await call('update', { partnerGuid, body, caller })).status, 403);
  }
  assert.equal((await call('create', { body, caller: developer(partnerGuid) })).status, 403);
  const stranger = developer(await insertPartner(sql));
  assert.equal((await call('update', { partnerGuid, body, caller: stranger })).status, 404);
  assert.equal((await call('get', { partnerGuid, caller: stranger })).status, 404);
  assert.equal((await call('get', { partnerGuid })).body.name, 'Partner');
  const own = await call('update', { partnerGuid, body, caller: developer(partnerGuid) });
  assert.deepEqual([own.status, own.body.name], [200, 'Renamed']);
  assert.equal((await call('get', { partnerGuid: newGuid() })).status, 404);
  assert.equal((await call('get', { partnerGuid: 'no-guid' })).status, 404);
});

test('backOffice.partners.list 200: those within reach, by name and by pages', async () => {
  const { sql } = fixture.database;
  const restaurant = await insertRestaurant(sql);
  const { managementGroupGuid } = restaurant;
  const listed = await insertPartner(sql);
  const connected = await insertPartner(sql);
  const stranger = await insertPartner(sql);
  await insertGroupPartner(sql, managementGroupGuid, listed);
  const body = { partnerGuid: connected };
  await fixture.call('backOffice.connections.connect', { restaurant, body });
  const seenBy = async (caller: Caller, query: Record<string, string> = {}) => {
    const page = (await call('list', { caller, query: { pageSize: '200', ...query } })).body;
    return page.results.map(({ guid }: { guid: string }) => guid).sort();
  };
  const both = [listed, connected].sort();
  assert.deepEqual(await seenBy(at({ kind: 'group', guid: managementGroupGuid })), both);
  assert.deepEqual(await seenBy(at({ kind: 'restaurant', guid: restaurant.guid })), [connected]);
  assert.deepEqual(await seenBy(developer(stranger)), [stranger]);
  assert.deepEqual(await seenBy(at({ kind: 'group', guid: await insertGroup(sql) })), []);
  const all = await seenBy(platformWide);
  for (const guid of [listed, connected, stranger]) assert.ok(all.includes(guid));
  assert.deepEqual(await seenBy(platformWide, { name: 'no partner is called this' }), []);
  const seen: string[] = [];
  for (let pageToken: string | null = ''; pageToken !== null; ) {
    const query: Record<string, string> = { pageSize: '2', ...(pageToken && { pageToken }) };
    const page: TestAnswer['body'] = (await call('list', { query })).body;
    seen.push(...page.results.map(({ guid }: { guid: string }) => guid));
    pageToken = page.nextPageToken;
  }
  assert.deepEqual(seen.sort(), all);
  for (const query of [{ pageSize: '0' }, { pageToken: 'x' }, { name: 'a\0b' }]) {
    assert.equal((await call('list', { query })).status, 400);
  }
});
