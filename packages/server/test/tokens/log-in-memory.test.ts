import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { updateClientRevoked } from '../../src/clients/client-store.ts';
import { updateOtherSecretsExpiry } from '../../src/clients/client-view-store.ts';
import type { LoginState } from '../../src/clients/grant-store.ts';
import { Cache } from '../../src/freshness/cache.ts';
import { logIn } from '../../src/tokens/log-in.ts';
import { alwaysFresh } from '../freshness/caches.ts';
import { addClient, startAuth, useAuthDatabase } from './fixture.ts';

useAuthDatabase();

/** An account that has logged in, so that it is let in from memory. */
async function startRemembering(t: TestContext) {
  const fixture = await startAuth(t);
  const { database, vault, clock } = fixture;
  const freshness = alwaysFresh(database);
  const logins = new Cache<LoginState>({ freshness, maxBytes: 1_000_000, bytesOf: () => 1 });
  const credentials = await addClient(fixture);
  const enter = (given: Partial<typeof credentials> = {}) =>
    logIn({ database, vault, logins }, { ...credentials, ...given }, '', clock.nowMs());
  assert.ok(await enter());
  assert.ok(await enter());
  assert.equal(logins.use().hits, 1, 'the second was let in from memory');
  return { ...fixture, credentials, enter };
}

test('auth.login 401 AUTH-1: a wrong secret is let in from nowhere', async (t) => {
  const { enter } = await startRemembering(t);
  assert.equal(await enter({ clientSecret: 'wrong' }), null);
  assert.equal(await enter({ clientId: 'another' }), null);
  assert.ok(await enter());
});

test('auth.login 401 AUTH-9: a revoked account is let in from nowhere', async (t) => {
  const { enter, database, credentials } = await startRemembering(t);
  assert.ok(await updateClientRevoked(database.sql, credentials.clientId, 1, null));
  assert.equal(await enter(), null);
});

test('auth.login 401 AUTH-9: the end of a secret holds in memory, by the clock', async (t) => {
  const { enter, database, credentials, clock } = await startRemembering(t);
  const { clientId } = credentials;
  const none = { clientId, guid: '00000000-0000-4000-8000-000000000000' };
  await updateOtherSecretsExpiry(database.sql, none, new Date(clock.nowMs() + 1_000));
  clock.advance(999);
  assert.ok(await enter());
  clock.advance(1);
  assert.equal(await enter(), null);
  clock.advance(-1);
  assert.ok(await enter());
});
