import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVault, type Vault } from '@servery/support/secret.ts';
import { calculateJwkThumbprint, type JSONWebKeySet } from 'jose';
import { connectDatabase } from '../../src/database/database.ts';
import { createAuth } from '../../src/tokens/auth.ts';
import { makeSigningKeyPair } from '../../src/tokens/signing-key-pair.ts';
import { listSigningKeys } from '../../src/tokens/signing-key-store.ts';
import { SigningKeys, signingKeyState } from '../../src/tokens/signing-keys.ts';
import { createTestDatabase } from '../database.ts';
import {
  type AuthFixture,
  addClient,
  call,
  DAY_MS,
  jwtPart,
  logIn,
  START_MS,
  startAuth,
  useAuthDatabase,
} from './fixture.ts';
import { countRows } from './fixture-store.ts';

useAuthDatabase();

async function publishedKids(fixture: AuthFixture): Promise<string[]> {
  const { keys } = (await call(fixture, 'auth.jwks')).json as JSONWebKeySet;
  return keys.map((key) => key.kid ?? '');
}

async function states(fixture: AuthFixture): Promise<string[]> {
  const keys = await listSigningKeys(fixture.database.sql);
  return keys.map((key) => signingKeyState(key, keys, fixture.clock.nowMs()));
}

test('auth.jwks 200 AUTH-6: a key id is the RFC 7638 thumbprint of its key', async (t) => {
  const fixture = await startAuth(t);
  const { keys } = (await call(fixture, 'auth.jwks')).json as JSONWebKeySet;
  for (const key of keys) assert.equal(key.kid, await calculateJwkThumbprint(key));
});

test('auth.jwks 200 AUTH-6: processes that start at once agree on one key', async (t) => {
  const { url, database, drop } = await createTestDatabase();
  t.after(drop);
  const second = connectDatabase({ url });
  t.after(() => second.close());
  const vault = createVault(Buffer.alloc(32, 7));
  const processes = [database, second, database].map(
    (either) => new SigningKeys({ database: either, vault }),
  );
  await Promise.all(processes.map((keys) => keys.ensure(START_MS)));
  const current = await Promise.all(processes.map((keys) => keys.current(START_MS)));
  assert.equal(new Set(current.map((key) => key.kid)).size, 1);
  assert.equal((await countRows(database.sql)).signingKeys, 1);
});

test('auth.login 200 AUTH-6: old tokens outlive a rotation, logins get new ones', async (t) => {
  const fixture = await startAuth(t);
  const { auth, clock } = fixture;
  const credentials = await addClient(fixture);
  const old = (await logIn(fixture, credentials)).accessToken;
  const oldKid = String(jwtPart(old, 0).kid);
  await auth.signingKeys.rotate(clock.nowMs(), 0);
  assert.deepEqual(await states(fixture), ['retired', 'active']);
  const next = (await logIn(fixture, credentials)).accessToken;
  assert.notEqual(jwtPart(next, 0).kid, oldKid);
  assert.equal((await publishedKids(fixture)).length, 2);
  clock.advance(DAY_MS - 1);
  for (const service of [auth, createAuth(fixture.parts)]) {
    await service.authenticate(old, clock.nowMs());
  }
  assert((await publishedKids(fixture)).includes(oldKid));
  // The promise of a key is rounded up to the hour.
  clock.advance(3_600_000);
  await assert.rejects(auth.authenticate(old, clock.nowMs()), /expired/);
  assert.deepEqual(await states(fixture), ['expired', 'active']);
  assert(!(await publishedKids(fixture)).includes(oldKid));
});

test('auth.jwks 200 AUTH-6: a successor is published a day before it signs', async (t) => {
  const fixture = await startAuth(t);
  const { auth, clock } = fixture;
  const credentials = await addClient(fixture);
  const before = (await logIn(fixture, credentials)).accessToken;
  await auth.signingKeys.rotate(clock.nowMs());
  assert.deepEqual(await states(fixture), ['active', 'pending']);
  assert.equal((await publishedKids(fixture)).length, 2);
  assert.equal((await logIn(fixture, credentials)).accessToken, before);
  clock.advance(DAY_MS - 1);
  assert.deepEqual(await states(fixture), ['active', 'pending']);
  clock.advance(1);
  assert.deepEqual(await states(fixture), ['retired', 'active']);
  const after = (await logIn(fixture, credentials)).accessToken;
  assert.equal(jwtPart(after, 0).kid, (await publishedKids(fixture))[1]);
});

test('auth.login 200 AUTH-6: keys rotate by age without a timer, a login is enough', async (t) => {
  const fixture = await startAuth(t);
  const { clock } = fixture;
  const credentials = await addClient(fixture);
  const [firstKid] = await publishedKids(fixture);
  clock.advance(89 * DAY_MS - 1);
  await logIn(fixture, credentials);
  assert.deepEqual(await publishedKids(fixture), [firstKid]);
  // Now it nears its age: asking for the signing key publishes a successor.
  clock.advance(DAY_MS / 2);
  await fixture.auth.signingKeys.ensure(clock.nowMs());
  const [, secondKid] = await publishedKids(fixture);
  assert(secondKid);
  assert.equal(jwtPart((await logIn(fixture, credentials)).accessToken, 0).kid, firstKid);
  clock.advance(DAY_MS);
  const { accessToken } = await logIn(fixture, credentials);
  assert.equal(jwtPart(accessToken, 0).kid, secondKid);
  // A year asleep: the old key signs for one day more, while its successor is published.
  clock.advance(365 * DAY_MS);
  const asleep = await logIn(fixture, credentials);
  assert.equal(jwtPart(asleep.accessToken, 0).kid, secondKid);
  assert.equal((await publishedKids(fixture)).length, 2);
  assert.equal((await countRows(fixture.database.sql)).signingKeys, 3);
});

test('auth.login 200 AUTH-6: 32 logins that find a key due make one key', async (t) => {
  const fixture = await startAuth(t);
  const clients = await Promise.all(Array.from({ length: 32 }, () => addClient(fixture)));
  let keysMade = 0;
  const vault: Vault = {
    ...fixture.vault,
    seal: (plaintext, context) => {
      keysMade += 1;
      return fixture.vault.seal(plaintext, context);
    },
  };
  const { clock } = fixture;
  const own = connectDatabase({ url: fixture.databaseUrl });
  t.after(() => own.close());
  // It is made once all of them have found it due, which a slow one may else do when it is there.
  const newSigningKeyPair = async () => {
    const isAsked = () => {
      const { held, busy, waitingStatements, waitingTransactions } = own.pool();
      return held + busy + waitingStatements + waitingTransactions > 0;
    };
    do await countRows(fixture.database.sql);
    while (isAsked());
    return await makeSigningKeyPair();
  };
  const auth = createAuth({ ...fixture.parts, database: own, vault, newSigningKeyPair });
  clock.advance(100 * DAY_MS);
  await Promise.all(clients.map((credentials) => logIn({ auth, clock }, credentials)));
  assert.equal((await countRows(fixture.database.sql)).signingKeys, 2);
  assert.equal(keysMade, 1);
});

test('auth.login 200 AUTH-6: a clock before the first key still signs with it', async (t) => {
  const fixture = await startAuth(t);
  fixture.clock.advance(-400 * DAY_MS);
  const { accessToken } = await logIn(fixture, await addClient(fixture));
  await fixture.auth.authenticate(accessToken, fixture.clock.nowMs());
  assert.deepEqual(await states(fixture), ['active']);
});

test('auth.login 500 AUTH-6: another master key is noticed at start', async (t) => {
  const fixture = await startAuth(t);
  const vault = createVault(Buffer.alloc(32, 8));
  const { signingKeys } = createAuth({ ...fixture.parts, vault });
  await assert.rejects(signingKeys.ensure(fixture.clock.nowMs()));
});
