import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backOfficeScopes, partnerScopes, roles, type Scope } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Caller } from '../../src/http/operation.ts';
import type { Place } from '../../src/reach/reach.ts';
import { createAuth } from '../../src/tokens/auth.ts';
import { logIn } from '../../src/tokens/log-in.ts';
import { listAuditEntries } from '../audit/entry-rows-store.ts';
import { idleCaches } from '../freshness/caches.ts';
import { principal, type TestAnswer } from '../request.ts';
import { insertGroup, insertPartner, insertRestaurant } from '../rows.ts';
import { findAccountTexts, insertGroupPartner } from './account-fixture-store.ts';
import { openAccountFixture, person, platformWide } from './fixture.ts';

const fixture = openAccountFixture();

type Move = 'list' | 'get' | 'create' | 'update' | 'addSecret' | 'revokeSecret' | 'revoke';
interface Call {
  readonly clientId?: string;
  readonly secretGuid?: string;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly caller?: Caller;
}

function call(move: Move, parts: Call = {}): Promise<TestAnswer> {
  const { clientId = '', secretGuid = '', body, query = {}, caller = platformWide } = parts;
  return fixture.call(`backOffice.clients.${move}`, {
    params: { clientId, secretGuid },
    body,
    query,
    caller,
  });
}

/** Makes an account of a new group; gives what its creation answered. */
async function made(body: object = {}, caller = platformWide) {
  const managementGroupGuid = await insertGroup(fixture.database.sql);
  const answer = await call('create', {
    body: { name: 'Counter', type: 'CUSTOMER', managementGroupGuid, scopes: [], ...body },
    caller,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Whether credentials log in at the time of the clock. */
async function logsIn(clientId: string, clientSecret: string): Promise<boolean> {
  const deps = { ...idleCaches(fixture.database), ...fixture };
  const state = await logIn(deps, { clientId, clientSecret }, '', fixture.clock.nowMs());
  return state !== null;
}

const of = (kind: 'group' | 'partner' | 'restaurant', guid: string): Place => ({ kind, guid });
const administrator = (guid: string, scopes: readonly Scope[] = roles.GROUP_ADMINISTRATOR.scopes) =>
  person({ scopes: new Set(scopes), place: of('group', guid) });
const developer = (guid: string) =>
  person({ scopes: new Set(roles.PARTNER_DEVELOPER.scopes), place: of('partner', guid) });

test('backOffice.clients.create 200: an account of each kind, its secret shown once', async () => {
  const { sql } = fixture.database;
  const partnerGuid = await insertPartner(sql);
  const managementGroupGuid = await insertGroup(sql);
  for (const body of [
    { type: 'PARTNER', partnerGuid, scopes: partnerScopes },
    { type: 'CUSTOMER', managementGroupGuid, scopes: ['stock:read'] },
    { type: 'BACK_OFFICE', managementGroupGuid, scopes: ['clock:read', 'clock:read'] },
    { type: 'BACK_OFFICE', scopes: backOfficeScopes },
  ]) {
    const description = 'Counts by night.';
    const { status, body: answer } = await call('create', {
      body: { name: 'Counter', description, ...body, secret: { label: 'first' } },
    });
    assert.equal(status, 200, JSON.stringify(answer));
    const { client, clientSecret, secretGuid } = answer;
    assert.deepEqual(client.scopes, [...new Set(body.scopes)].sort());
    assert.deepEqual([client.type, client.description], [body.type, description]);
    const partner = body.partnerGuid ? { guid: partnerGuid, name: 'Partner' } : null;
    assert.deepEqual(client.partner, partner);
    assert.equal(client.createdBy, (platformWide as { clientId: string }).clientId);
    const [secret] = client.secrets;
    assert.deepEqual([secret.guid, secret.label, secret.state], [secretGuid, 'first', 'LIVE']);
    assert.ok(await logsIn(client.clientId, clientSecret));
    assert.deepEqual((await call('get', client)).body, client);
    assert.ok(!JSON.stringify((await call('get', client)).body).includes(clientSecret));
  }
});

test('backOffice.clients.create 400 422: what is wrong is told, all of it', async () => {
  const { sql } = fixture.database;
  const partnerGuid = await insertPartner(sql);
  const managementGroupGuid = await insertGroup(sql);
  const missing = await call('create', { body: {} });
  assert.equal(missing.status, 400);
  assert.match(missing.body.message, /name is required.*type is required.*scopes is required/);
  const past = new Date(fixture.clock.nowMs()).toISOString();
  const partner = { name: 'Counter', type: 'PARTNER', partnerGuid, scopes: [] };
  const group = { name: 'Counter', type: 'CUSTOMER', managementGroupGuid, scopes: [] };
  const orders = { name: 'Orders', type: 'BACK_OFFICE', managementGroupGuid, scopes: [] };
  for (const [body, told] of [
    [{ ...partner, name: ' ' }, /name must have 1 to 100 characters/],
    [{ ...partner, type: 'ADMIN' }, /type must be one of PARTNER, CUSTOMER, BACK_OFFICE/],
    [{ ...partner, scopes: 'all' }, /scopes must be a list/],
    [{ ...partner, scopes: ['stock:read', 'all'] }, /scopes\[1\] must be one of .*stock:read/],
    [{ ...partner, scopes: ['clock:read'] }, /scopes\[0\] must be a scope of a PARTNER account/],
    [{ ...orders, scopes: ['stock:read'] }, /scopes\[0\] must be a scope of a BACK_OFFICE/],
    [{ ...orders, scopes: ['metrics:read'] }, /must not be metrics:read in an account of one/],
    [{ ...orders, holdsLegacyCardKey: true }, /holdsLegacyCardKey must not be true/],
    [{ ...partner, partnerGuid: null }, /partnerGuid is required for a PARTNER/],
    [{ ...partner, managementGroupGuid }, /managementGroupGuid is required for a CUSTOMER/],
    [{ ...group, managementGroupGuid: null }, /managementGroupGuid is required for a CUSTOMER/],
    [{ ...group, partnerGuid }, /partnerGuid is required for a PARTNER/],
    [
      { ...partner, partnerGuid: newGuid() },
      /partnerGuid names no partner that you have access to/,
    ],
    [{ ...group, managementGroupGuid: newGuid() }, /names no management group that you have/],
    [{ ...group, managementGroupGuid: 'x' }, /managementGroupGuid must be a GUID/],
    [{ ...group, secret: { expiresAt: past } }, /secret\.expiresAt must be in the future/],
    [{ ...group, secret: { expiresAt: 'soon' } }, /secret\.expiresAt must be an instant/],
    [{ ...group, secret: { label: '' } }, /secret\.label must have 1 to 100 characters/],
    [{ ...group, secret: { until: past } }, /secret\.until is no field here; remove/],
    [{ ...group, descrption: 'x' }, /descrption is no field .*"description"/],
    [[group], /body must be an object/],
  ] as const) {
    const { status, body: error } = await call('create', { body });
    assert.deepEqual([status, told.test(error.message)], [422, true], error.message);
  }
});

test('backOffice.clients.create 403 422: nobody hands out a place or scope he lacks', async () => {
  const { sql } = fixture.database;
  const own = await insertGroup(sql);
  const other = await insertGroup(sql);
  const partnerGuid = await insertPartner(sql);
  const machine = (scopes: readonly Scope[]) =>
    principal({ type: 'BACK_OFFICE', managementGroupGuid: own, scopes: new Set(scopes) });
  const few = ['clients:write', 'clock:read'] as const;
  const attempt = async (caller: Caller, body: object) =>
    (await call('create', { body: { name: 'Counter', scopes: [], ...body }, caller })).status;
  const orders = { type: 'BACK_OFFICE', managementGroupGuid: own };
  for (const caller of [administrator(own, few), machine(few)]) {
    assert.equal(await attempt(caller, { ...orders, scopes: ['clock:read'] }), 200);
    assert.equal(await attempt(caller, { ...orders, scopes: ['clock:write'] }), 403);
    assert.equal(await attempt(caller, { ...orders, managementGroupGuid: other }), 422);
    assert.equal(await attempt(caller, { type: 'BACK_OFFICE' }), 403, 'the whole platform');
    assert.equal(await attempt(caller, { type: 'CUSTOMER', managementGroupGuid: own }), 200);
    assert.equal(await attempt(caller, { type: 'CUSTOMER', managementGroupGuid: other }), 422);
    assert.equal(await attempt(caller, { type: 'PARTNER', partnerGuid }), 422);
  }
  // He holds a scope, but elsewhere.
  const elsewhere = person(
    { scopes: new Set(['clients:write'] as const), place: of('group', own) },
    { scopes: new Set(['clock:write'] as const), place: of('group', other) },
  );
  assert.equal(await attempt(elsewhere, { ...orders, scopes: ['clock:write'] }), 403);
  const dev = developer(partnerGuid);
  const scopes = ['stock:read'];
  assert.equal(await attempt(dev, { type: 'PARTNER', partnerGuid, scopes }), 403);
  assert.equal(await attempt(platformWide, { type: 'PARTNER', partnerGuid, scopes }), 200);
  assert.equal(await attempt(dev, { type: 'PARTNER', partnerGuid, scopes }), 200);
  const foreign = await insertPartner(sql);
  assert.equal(await attempt(dev, { type: 'PARTNER', partnerGuid: foreign, scopes }), 422);
  assert.equal(await attempt(dev, { type: 'CUSTOMER', managementGroupGuid: own }), 422);
  assert.equal(await attempt(dev, { type: 'BACK_OFFICE' }), 403);
});

test('backOffice.clients.update 200: what is named changes, the rest stays', async () => {
  const { client } = await made({ description: 'By night.', scopes: ['stock:read'] });
  const { clientId } = client;
  const edited = await call('update', { clientId, body: { description: null, scopes: [] } });
  assert.deepEqual(edited.body, { ...client, description: null, scopes: [] });
  const body = { name: ' Day ', scopes: ['stock:write'] };
  const renamed = await call('update', { clientId, body });
  assert.deepEqual([renamed.body.name, renamed.body.scopes], ['Day', ['stock:write']]);
  const legacy = await call('update', { clientId, body: { holdsLegacyCardKey: true } });
  assert.equal(legacy.body.holdsLegacyCardKey, true);
  const unknown = { scope: [] };
  for (const wrong of [
    ...[{ name: null }, { scopes: ['clock:read'] }, { scopes: null }, { name: 7 }, unknown],
  ]) {
    const { status } = await call('update', { clientId, body: wrong });
    assert.equal(status, 422, JSON.stringify(wrong));
  }
  assert.deepEqual((await call('get', { clientId })).body, legacy.body);
});

test('backOffice.clients.update 403: scopes may be taken away, but not lent', async () => {
  const { sql } = fixture.database;
  const managementGroupGuid = await insertGroup(sql);
  const { client } = await made({
    type: 'BACK_OFFICE',
    managementGroupGuid,
    scopes: ['clock:write', 'clock:read'],
  });
  const { clientId } = client;
  const caller = administrator(managementGroupGuid);
  const update = async (scopes: readonly string[]) =>
    (await call('update', { clientId, body: { scopes }, caller })).status;
  assert.equal(await update(['clock:write', 'stock.admin:read']), 200, 'it had clock:write');
  assert.equal(await update(['clock:read']), 200);
  assert.equal(await update(['clock:write', 'clock:read']), 403, 'it has it no more');
  assert.deepEqual((await call('get', { clientId })).body.scopes, ['clock:read']);
});

test('backOffice.clients.addSecret 200: old and new overlap as long as is said', async () => {
  const { client, clientSecret, secretGuid } = await made();
  const { clientId } = client;
  const endMs = fixture.clock.nowMs() + 3_600_000;
  const body = {
    label: 'second',
    expiresAt: new Date(endMs + 86_400_000).toISOString(),
    othersExpireAt: new Date(endMs).toISOString(),
  };
  const added = await call('addSecret', { clientId, body });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  assert.ok(await logsIn(clientId, clientSecret));
  assert.ok(await logsIn(clientId, added.body.clientSecret));
  fixture.clock.advance(3_600_000);
  assert.ok(!(await logsIn(clientId, clientSecret)), 'the overlap is over');
  assert.ok(await logsIn(clientId, added.body.clientSecret));
  const { secrets } = (await call('get', { clientId })).body;
  assert.deepEqual(
    secrets.map(({ guid, label, state }: Record<string, string>) => [guid, label, state]),
    [
      [added.body.secretGuid, 'second', 'LIVE'],
      [secretGuid, null, 'EXPIRED'],
    ],
  );
  fixture.clock.advance(86_400_000);
  assert.ok(!(await logsIn(clientId, added.body.clientSecret)), 'its own time is over');
});

test('backOffice.clients.addSecret 422: a slip in a name gives no secret for ever', async () => {
  const { client } = await made();
  const expireAt = new Date(fixture.clock.nowMs() + 3_600_000).toISOString();
  const { clientId } = client;
  const { status, body } = await call('addSecret', { clientId, body: { expireAt } });
  assert.deepEqual([status, /perhaps "expiresAt"/.test(body.message)], [422, true]);
  assert.equal((await call('get', { clientId })).body.secrets.length, 1);
});

test('backOffice.clients.addSecret 403 ACC-5: the caller must hold its scopes', async () => {
  const { sql } = fixture.database;
  const managementGroupGuid = await insertGroup(sql);
  const inGroup = { type: 'BACK_OFFICE', managementGroupGuid };
  const strong = (await made({ ...inGroup, scopes: ['clock:write'] })).client;
  const weak = (await made({ ...inGroup, scopes: ['clock:read'] })).client;
  const caller = administrator(managementGroupGuid);
  const refused = await call('addSecret', { clientId: strong.clientId, body: {}, caller });
  assert.deepEqual([refused.status, /clock:write/.test(refused.body.message)], [403, true]);
  assert.equal((await call('get', strong)).body.secrets.length, 1);
  const given = await call('addSecret', { clientId: weak.clientId, body: {}, caller });
  assert.equal(given.status, 200);
});

test('backOffice.clients.addSecret 409: at most ten live, however many ask at once', async () => {
  const { clientId } = (await made()).client;
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => call('addSecret', { clientId, body: {} })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [...Array(9).fill(200), ...Array(3).fill(409)]);
  const { secrets } = (await call('get', { clientId })).body;
  assert.equal(secrets.length, 10);
  await call('revokeSecret', { clientId, secretGuid: secrets[0].guid });
  assert.equal((await call('addSecret', { clientId, body: {} })).status, 200, 'room again');
});

test('backOffice.clients.revokeSecret 200 404: one ends at once, the others go on', async () => {
  const { client, clientSecret, secretGuid } = await made();
  const { clientId } = client;
  const second = (await call('addSecret', { clientId, body: {} })).body;
  const answers = await Promise.all(
    [1, 2].map(() => call('revokeSecret', { clientId, secretGuid })),
  );
  const revoked = new Set(answers.map(({ body }) => JSON.stringify(body.secrets)));
  assert.deepEqual([answers.map(({ status }) => status), revoked.size], [[200, 200], 1]);
  assert.ok(!(await logsIn(clientId, clientSecret)));
  assert.ok(await logsIn(clientId, second.clientSecret));
  const other = (await made()).client;
  for (const [id, guid] of [
    [clientId, newGuid()],
    [clientId, 'no-guid'],
    [other.clientId, secretGuid],
    ['nobody', secretGuid],
  ] as const) {
    assert.equal((await call('revokeSecret', { clientId: id, secretGuid: guid })).status, 404);
  }
  const entries = await listAuditEntries(fixture.database.sql, clientId);
  assert.deepEqual(
    entries.map(({ operation }) => operation.split('.')[2]),
    ['create', 'addSecret', 'revokeSecret'],
    'the second one changed nothing',
  );
});

test('backOffice.clients.revoke 200 AUTH-9: tokens end with the answer, for good', async () => {
  const { client, clientSecret } = await made({ scopes: ['stock:read'] });
  const { clientId } = client;
  const { database, vault, clock } = fixture;
  const auth = createAuth({
    ...idleCaches(database),
    database,
    vault,
    issuer: {
      baseUrl: () => 'https://platform.test',
      brand: 'Platform',
      tokenLifetimeSeconds: 600,
    },
  });
  await auth.signingKeys.ensure(clock.nowMs());
  const token = await tokenOf(auth, clientId, clientSecret);
  assert.equal((await auth.authenticate(token, clock.nowMs())).clientId, clientId);
  const revoked = await call('revoke', { clientId });
  assert.equal(revoked.status, 200);
  assert.equal(revoked.body.revokedAt, new Date(clock.nowMs()).toISOString());
  assert.equal(revoked.body.secrets[0].state, 'REVOKED');
  await assert.rejects(auth.authenticate(token, clock.nowMs()), { errorClass: 'unauthorized' });
  assert.ok(!(await logsIn(clientId, clientSecret)));
  clock.advance(1_000);
  assert.deepEqual((await call('revoke', { clientId })).body, revoked.body, 'a repeat');
  for (const move of ['update', 'addSecret'] as const) {
    const again = await call(move, { clientId, body: {} });
    assert.deepEqual([again.status, /revoked for good/.test(again.body.message)], [409, true]);
  }
});

test('backOffice.clients.revoke 409: an account that is to be kept', async () => {
  const { clientId } = (await made()).client;
  fixture.kept.add(clientId);
  assert.equal((await call('revoke', { clientId })).status, 409);
  assert.equal((await call('get', { clientId })).body.revokedAt, null);
});

test('backOffice.clients 404: unknown, foreign and out of reach sound the same', async () => {
  const { sql } = fixture.database;
  const own = await insertGroup(sql);
  const partnerGuid = await insertPartner(sql);
  await insertGroupPartner(sql, own, partnerGuid);
  const inGroup = (await made({ managementGroupGuid: own })).client;
  const foreign = (await made()).client;
  const ofPartner = (await made({ type: 'PARTNER', partnerGuid, managementGroupGuid: null }))
    .client;
  const platform = (await made({ type: 'BACK_OFFICE', managementGroupGuid: null })).client;
  const restaurant = await insertRestaurant(sql, { group: own });
  const atRestaurant = person({
    scopes: new Set(roles.GROUP_ADMINISTRATOR.scopes),
    place: of('restaurant', restaurant.guid),
  });
  const reached: readonly (readonly [Caller, readonly { clientId: string }[]])[] = [
    [administrator(own), [inGroup]],
    [developer(partnerGuid), [ofPartner]],
    [atRestaurant, []],
    [platformWide, [inGroup, foreign, ofPartner, platform]],
  ];
  const messages = new Set<string>();
  for (const [caller, mine] of reached) {
    const ids = mine.map(({ clientId }) => clientId);
    for (const { clientId } of [inGroup, foreign, ofPartner, platform, { clientId: 'nobody' }]) {
      const isMine = ids.includes(clientId);
      for (const [move, parts] of [
        ['get', {}],
        ['update', { body: {} }],
        ['addSecret', { body: {} }],
      ] as const) {
        const { status, body } = await call(move, { clientId, caller, ...parts });
        assert.equal(status, isMine ? 200 : 404, `${move} ${clientId}`);
        if (!isMine) messages.add(body.message);
      }
      if (isMine) continue;
      for (const move of ['revoke', 'revokeSecret'] as const) {
        const secretGuid = newGuid();
        const { status, body } = await call(move, { clientId, secretGuid, caller });
        assert.equal(status, 404, `${move} ${clientId}`);
        messages.add(body.message);
      }
    }
    const { body } = await call('list', { caller, query: { pageSize: '200' } });
    const listed = body.results.map(({ clientId }: { clientId: string }) => clientId);
    if (caller !== platformWide) assert.deepEqual(listed.sort(), [...ids].sort());
  }
  assert.equal(messages.size, 1);
  assert.equal((await call('get', { clientId: 'no\0body' })).status, 404);
});

test('backOffice.clients.list 200 400: filters, and pages that hold each one once', async () => {
  const { sql } = fixture.database;
  const managementGroupGuid = await insertGroup(sql);
  const ids: string[] = [];
  for (const name of ['Night Counter', 'Day counter', 'Orders']) {
    const type = name === 'Orders' ? 'BACK_OFFICE' : 'CUSTOMER';
    ids.push((await made({ name, type, managementGroupGuid })).client.clientId);
  }
  await call('revoke', { clientId: ids[0] ?? '' });
  const listed = async (query: Record<string, string>) => {
    const all = { managementGroupGuid, ...query };
    const { status, body } = await call('list', { query: all });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const idsOf = (page: { results: { clientId: string }[] }) =>
    page.results.map(({ clientId }) => clientId).sort();
  assert.deepEqual(idsOf(await listed({})), [...ids].sort());
  assert.deepEqual(idsOf(await listed({ type: 'BACK_OFFICE' })), [ids[2]]);
  assert.deepEqual(idsOf(await listed({ revoked: 'true' })), [ids[0]]);
  assert.deepEqual(idsOf(await listed({ revoked: 'false', name: 'COUNTER' })), [ids[1]]);
  assert.deepEqual(idsOf(await listed({ partnerGuid: newGuid() })), []);
  const seen: string[] = [];
  for (let pageToken: string | null = ''; pageToken !== null; ) {
    const page = await listed({ pageSize: '1', ...(pageToken && { pageToken }) });
    seen.push(...idsOf(page));
    pageToken = page.nextPageToken;
  }
  assert.deepEqual(seen.sort(), [...ids].sort());
  for (const query of [
    { type: 'ADMIN' },
    { revoked: 'perhaps' },
    { partnerGuid: 'x' },
    { managementGroupGuid: '' },
    { pageSize: '0' },
    { pageToken: 'x' },
    { name: 'x'.repeat(256) },
  ]) {
    assert.equal((await call('list', { query })).status, 400, JSON.stringify(query));
  }
});

test('backOffice.clients: the audit log tells all but the secrets', async () => {
  const { client, clientSecret } = await made({ scopes: ['stock:read'] });
  const { clientId, managementGroup } = client;
  await call('update', { clientId, body: {} });
  await call('update', { clientId, body: { name: 'Later' } });
  const second = (await call('addSecret', { clientId, body: { label: 'two' } })).body;
  await call('revoke', { clientId });
  const { sql } = fixture.database;
  const entries = await listAuditEntries(sql, clientId);
  assert.deepEqual(
    entries.map(({ operation, before, after }) => [
      operation.split('.')[2],
      before?.name ?? null,
      after?.name,
      after?.secrets?.length,
      after?.revokedAt !== null,
    ]),
    [
      ['create', null, 'Counter', 1, false],
      ['update', 'Counter', 'Later', 1, false],
      ['addSecret', 'Later', 'Later', 2, false],
      ['revoke', 'Later', 'Later', 2, true],
    ],
  );
  assert.ok(entries.every((entry) => entry.managementGroupGuid === managementGroup.guid));
  const stored = await findAccountTexts(sql);
  for (const secret of [clientSecret, second.clientSecret]) assert.ok(!stored.includes(secret));
  const kept = JSON.stringify(entries);
  assert.doesNotMatch(kept, /digest/);
});

/** A token of the account, from the OAuth 2.0 token endpoint. */
async function tokenOf(
  auth: ReturnType<typeof createAuth>,
  clientId: string,
  clientSecret: string,
): Promise<string> {
  const { clock } = fixture;
  const request = {
    body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
    headers: {},
    nowMs: clock.nowMs(),
  };
  const answer = await auth.handlers['auth.token'](request as never);
  return (answer.json as { access_token: string }).access_token;
}
