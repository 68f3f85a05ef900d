import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backOfficeScopes, partnerScopes, type Scope } from '@servery/contract';
import { addSecret, revokeClient, revokeSecret, setScopes } from '../../src/clients/clients.ts';
import {
  addClient,
  GROUP_GUID,
  jwtPart,
  logIn,
  PARTNER_GUID,
  refusal,
  startAuth,
  useAuthDatabase,
} from '../tokens/fixture.ts';
import { insertRawClient } from '../tokens/fixture-store.ts';

useAuthDatabase();

const UNKNOWN_GUID = '11111111-1111-4111-8111-111111111111';

test('auth.login 200 AUTH-8: accounts hold scopes of the contract, once and in order', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture, {
    scopes: [...partnerScopes, ...partnerScopes].reverse(),
  });
  const { accessToken } = await logIn(fixture, credentials);
  assert.equal(jwtPart(accessToken, 1).scope, [...partnerScopes].sort().join(' '));
  const unknown = ['stock:read', 'STOCK:READ'] as unknown as Scope[];
  await assert.rejects(addClient(fixture, { scopes: unknown }), /violates check/);
  const change = setScopes(fixture.database, credentials.clientId, unknown);
  await assert.rejects(change, /violates check/);
});

test('auth.login 200 AUTH-7: an account has the one owner that its type asks for', async (t) => {
  const fixture = await startAuth(t);
  const wrong = [
    { type: 'PARTNER', partnerGuid: null },
    { type: 'PARTNER', managementGroupGuid: GROUP_GUID },
    { type: 'CUSTOMER', managementGroupGuid: null },
    { type: 'CUSTOMER', partnerGuid: PARTNER_GUID },
    { type: 'PARTNER', partnerGuid: UNKNOWN_GUID },
    { type: 'CUSTOMER', managementGroupGuid: UNKNOWN_GUID },
    { type: 'BACK_OFFICE', partnerGuid: PARTNER_GUID, scopes: [] },
    { type: 'BACK_OFFICE', managementGroupGuid: UNKNOWN_GUID, scopes: [] },
  ] as const;
  for (const input of wrong) {
    await assert.rejects(addClient(fixture, input), /violates (check|foreign key)/);
  }
});

test('auth.login 200: scopes of a partner and of the back office do not mix', async (t) => {
  const fixture = await startAuth(t);
  const { database } = fixture;
  const mixed = ['clock:read', 'stock:read'] as const;
  for (const type of ['PARTNER', 'CUSTOMER', 'BACK_OFFICE'] as const) {
    await assert.rejects(addClient(fixture, { type, scopes: mixed }), /scopes_check/);
  }
  const partner = await addClient(fixture);
  const backOffice = await addClient(fixture, { type: 'BACK_OFFICE', scopes: ['clock:read'] });
  for (const [{ clientId }, scope] of [
    [partner, 'clock:read'],
    [backOffice, 'stock:read'],
  ] as const) {
    await assert.rejects(setScopes(database, clientId, [scope]), /scopes_check/);
  }
  await setScopes(database, backOffice.clientId, backOfficeScopes);
  const { accessToken } = await logIn(fixture, backOffice);
  assert.equal(jwtPart(accessToken, 1).scope, [...backOfficeScopes].sort().join(' '));
});

test('auth.login 401 AUTH-7: the database refuses wrong owners and unknown scopes', async (t) => {
  const { database } = await startAuth(t);
  const good = { type: 'PARTNER', partnerGuid: PARTNER_GUID, groupGuid: null, scopes: '' };
  const backOffice = { ...good, type: 'BACK_OFFICE', partnerGuid: null };
  const wrong = [
    { ...good, partnerGuid: null },
    { ...good, groupGuid: GROUP_GUID },
    { ...good, type: 'CUSTOMER' },
    { ...good, type: 'ROBOT' },
    { ...good, scopes: 'stock:read admin' },
    { ...good, partnerGuid: UNKNOWN_GUID },
    { ...good, scopes: 'clock:read' },
    { ...backOffice, scopes: 'clock:read stock:read' },
    { ...backOffice, partnerGuid: PARTNER_GUID },
    { ...backOffice, groupGuid: UNKNOWN_GUID },
    { ...backOffice, holdsLegacyCardKey: true },
  ];
  for (const client of wrong) {
    await assert.rejects(insertRawClient(database.sql, client), /violates (check|foreign key)/);
  }
  // The lists in the migrations and those in the contract are the same.
  await insertRawClient(database.sql, { ...good, scopes: partnerScopes.join(' ') });
  const all = backOfficeScopes.join(' ');
  await insertRawClient(database.sql, { ...backOffice, clientId: 'platform', scopes: all });
  await insertRawClient(database.sql, { ...backOffice, clientId: 'group', groupGuid: GROUP_GUID });
});

test('auth.login 401 AUTH-1: ids and secrets cannot be guessed, ids are unique', async (t) => {
  const fixture = await startAuth(t);
  const first = await addClient(fixture);
  const second = await addClient(fixture);
  assert.match(first.clientId, /^[0-9a-f]{32}$/);
  assert.match(first.clientSecret, /^svs_[\w-]{43}$/);
  assert.notEqual(first.clientId, second.clientId);
  assert.notEqual(first.clientSecret, second.clientSecret);
  const taken = await refusal(addClient(fixture, { clientId: first.clientId }));
  assert.equal(taken.errorClass, 'conflict');
  assert.equal((await logIn(fixture, first)).expiresIn, 86_400);
  for (const clientId of ['', 'a b', 'a:b', 'ä', 'a\0', 'x'.repeat(129)]) {
    await assert.rejects(addClient(fixture, { clientId }), /violates check|byte sequence/);
  }
  const chosen = 'b6a1b8a2-9f1e-5c3c-8d1a-0a4a2f8f7c01';
  assert.equal((await addClient(fixture, { clientId: chosen })).clientId, chosen);
});

test('auth.login 401 AUTH-9: an account that is unknown or revoked cannot be changed', async (t) => {
  const fixture = await startAuth(t);
  const { database, vault, clock } = fixture;
  const { clientId } = await addClient(fixture);
  await revokeClient(database, clientId, clock.nowMs());
  for (const id of [clientId, 'unknown']) {
    const changes = [
      () => revokeClient(database, id, clock.nowMs()),
      () => setScopes(database, id, []),
      () => addSecret({ sql: database.sql, vault }, id, clock.nowMs()),
      () => revokeSecret(database, id, UNKNOWN_GUID, clock.nowMs()),
    ];
    for (const change of changes) {
      assert.equal((await refusal(change())).errorClass, 'notFound');
    }
  }
});

test('auth.login 401 AUTH-9: an account of a transaction that was rolled back never was', async (t) => {
  const fixture = await startAuth(t);
  let credentials = { clientId: '', clientSecret: '' };
  const failed = fixture.database.transaction(async (sql) => {
    credentials = await addClient({ ...fixture, database: { ...fixture.database, sql } });
    throw new Error('the import failed');
  });
  await assert.rejects(failed, /the import failed/);
  assert.equal((await refusal(logIn(fixture, credentials))).errorClass, 'unauthorized');
});
