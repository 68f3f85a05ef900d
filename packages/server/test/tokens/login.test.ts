import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Vault } from '@servery/support/secret.ts';
import fc from 'fast-check';
import { anyCharacter } from '../../../support/test/any-character.ts';
import { addSecret, revokeClient, revokeSecret, setScopes } from '../../src/clients/clients.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { createAuth } from '../../src/tokens/auth.ts';
import {
  addClient,
  BASE_URL,
  jwtPart,
  logIn,
  refusal,
  startAuth,
  useAuthDatabase,
} from './fixture.ts';
import { countRows, findEverythingStored, updateClientName } from './fixture-store.ts';

useAuthDatabase();

test('auth.login 401 AUTH-1: wrong id, wrong secret, revoked: one and the same', async (t) => {
  const fixture = await startAuth(t);
  const live = await addClient(fixture);
  const gone = await addClient(fixture);
  await revokeClient(fixture.database, gone.clientId, fixture.clock.nowMs());
  const wrong = [
    { ...live, clientId: 'unknown' },
    { ...live, clientSecret: 'wrong' },
    { ...live, clientSecret: `${live.clientSecret} ` },
    { ...live, clientId: live.clientId.toUpperCase() },
    { clientId: live.clientId, clientSecret: gone.clientSecret },
    gone,
    { clientId: 'a\0b', clientSecret: 'x\0y' },
    { clientId: "' or 1=1 --", clientSecret: "' or 1=1 --" },
    { clientId: 'ä'.repeat(255), clientSecret: '\ud800'.repeat(1_000) },
    { clientId: '-', clientSecret: 'x' },
    { clientId: '__proto__', clientSecret: 'constructor' },
  ];
  const seen = new Set<string>();
  for (const credentials of wrong) {
    const error = await refusal(logIn(fixture, credentials));
    seen.add(JSON.stringify([error.errorClass, error.message, error.faults, error.headers]));
    assert.equal(error.errorClass, 'unauthorized');
    assert.match(error.headers['www-authenticate'] ?? '', /^Bearer /);
  }
  assert.equal(seen.size, 1);
});

test('auth.login 401 AUTH-1: any text as id and secret is a 401, never another failure', async (t) => {
  const fixture = await startAuth(t);
  const text = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 255 });
  await fc.assert(
    fc.asyncProperty(text, text, async (clientId, clientSecret) => {
      const error = await refusal(logIn(fixture, { clientId, clientSecret }));
      assert.equal(error.errorClass, 'unauthorized');
    }),
    { numRuns: 60 },
  );
});

test('auth.login 401 AUTH-1: a wrong id costs the same work as a wrong secret', async (t) => {
  const fixture = await startAuth(t);
  const { clientId } = await addClient(fixture);
  let digests = 0;
  let statements = 0;
  const vault: Vault = {
    ...fixture.vault,
    digest: (purpose, data) => {
      digests += 1;
      return fixture.vault.digest(purpose, data);
    },
  };
  const sql = new Proxy(fixture.database.sql, {
    apply: (target, self, parts) => {
      statements += 1;
      return Reflect.apply(target as never, self, parts);
    },
  });
  const auth = createAuth({ ...fixture.parts, vault, database: { ...fixture.database, sql } });
  const work: string[] = [];
  for (const id of [clientId, 'unknown', 'a\0b', 'x'.repeat(255)]) {
    digests = 0;
    statements = 0;
    const credentials = { clientId: id, clientSecret: 'wrong' };
    await refusal(logIn({ auth, clock: fixture.clock }, credentials));
    assert(statements > 0);
    work.push(`${digests} digests, ${statements} statements and fragments of them`);
  }
  assert.equal(new Set(work).size, 1, work.join('; '));
  assert.match(work[0] ?? '', /^1 digests/);
});

test('auth.login 200 AUTH-1: several secrets live side by side, each its time', async (t) => {
  const fixture = await startAuth(t);
  const { clock, database, vault } = fixture;
  const first = await addClient(fixture);
  const deps = { sql: database.sql, vault };
  const second = await addSecret(deps, first.clientId, clock.nowMs(), {
    expiresAt: new Date(clock.nowMs() + 1_000),
  });
  const third = await addSecret(deps, first.clientId, clock.nowMs());
  const tokens = new Set<string>();
  for (const credentials of [first, second, third]) {
    assert(Buffer.from(credentials.clientSecret.slice(4), 'base64url').length === 32);
    tokens.add((await logIn(fixture, credentials)).accessToken);
  }
  assert.equal(tokens.size, 3, 'a token belongs to its secret (AUTH-10)');
  clock.advance(1_000);
  assert.equal((await refusal(logIn(fixture, second))).errorClass, 'unauthorized');
  await revokeSecret(database, first.clientId, third.secretGuid, clock.nowMs());
  assert.equal((await refusal(logIn(fixture, third))).errorClass, 'unauthorized');
  assert.equal((await logIn(fixture, first)).expiresIn, 86_399);
});

test('auth.login 200 AUTH-3: the same token again until its last 60 s', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const first = await logIn(fixture, credentials);
  assert.equal(first.expiresIn, 86_400);
  fixture.clock.advance(3_600_500);
  assert.deepEqual(await logIn(fixture, credentials), { ...first, expiresIn: 82_800 });
  fixture.clock.advance((82_800 - 61) * 1_000 - 500);
  assert.deepEqual(await logIn(fixture, credentials), { ...first, expiresIn: 61 });
  fixture.clock.advance(1_000);
  const next = await logIn(fixture, credentials);
  assert.notEqual(next.accessToken, first.accessToken);
  assert.equal(next.expiresIn, 86_400);
  const { clientId } = await fixture.auth.authenticate(first.accessToken, fixture.clock.nowMs());
  assert.equal(clientId, credentials.clientId);
});

test('auth.login 200 AUTH-3: 64 first logins at once in two processes give one token', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const database = connectDatabase({ url: fixture.databaseUrl });
  t.after(() => database.close());
  const other = { auth: createAuth({ ...fixture.parts, database }), clock: fixture.clock };
  const logins = await Promise.all(
    Array.from({ length: 64 }, (_, index) => logIn(index % 2 ? fixture : other, credentials)),
  );
  assert.equal(new Set(logins.map((login) => login.accessToken)).size, 1);
  // And again where every one of them wants to replace the same token.
  fixture.clock.advance(86_400_000 - 30_000);
  const later = await Promise.all(
    Array.from({ length: 64 }, (_, index) => logIn(index % 2 ? fixture : other, credentials)),
  );
  assert.equal(new Set(later.map((login) => login.accessToken)).size, 1);
  assert.notEqual(later[0]?.accessToken, logins[0]?.accessToken);
  assert.equal((await countRows(fixture.database.sql)).grants, 1);
});

test('auth.login 200 AUTH-3: changed scopes, name, lifetime or address give a new token', async (t) => {
  const fixture = await startAuth(t);
  const { database, clock, parts } = fixture;
  const credentials = await addClient(fixture);
  const tokens = [(await logIn(fixture, credentials)).accessToken];
  await setScopes(database, credentials.clientId, ['stock:read']);
  tokens.push((await logIn(fixture, credentials)).accessToken);
  await updateClientName(database.sql, credentials.clientId, 'Larder Counts, renamed');
  tokens.push((await logIn(fixture, credentials)).accessToken);
  for (const change of [{ tokenLifetimeSeconds: 7_200 }, { baseUrl: () => `${BASE_URL}:8443` }]) {
    const auth = createAuth({ ...parts, issuer: { ...parts.issuer, ...change } });
    tokens.push((await logIn({ auth, clock }, credentials)).accessToken);
  }
  assert.equal(new Set(tokens).size, tokens.length);
  assert.equal(jwtPart(tokens[1] ?? '', 1).scope, 'stock:read');
});

test('auth.login 200 AUTH-3: a token from the future is not given out', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const first = await logIn(fixture, credentials);
  fixture.clock.advance(-3_600_000);
  const second = await logIn(fixture, credentials);
  assert.notEqual(second.accessToken, first.accessToken);
  assert.equal(second.expiresIn, 86_400);
});

test('auth.login 200 AUTH-3: no secret, token or private key is in the database', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const { accessToken } = await logIn(fixture, credentials);
  const stored = await findEverythingStored(fixture.database.sql);
  assert(stored.includes(credentials.clientId));
  assert(!stored.includes(credentials.clientSecret));
  assert(!stored.includes(Buffer.from(credentials.clientSecret).toString('hex')));
  assert(!stored.includes(accessToken.split('.')[2] ?? '?'));
  // The first bytes of a PKCS #8 RSA key: version, and the algorithm rsaEncryption.
  assert(!stored.includes('020100300d06092a864886f70d010101'));
});
