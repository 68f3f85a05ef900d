import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { updateOtherSecretsExpiry } from '../../src/clients/client-view-store.ts';
import { addSecret, revokeClient, revokeSecret, setScopes } from '../../src/clients/clients.ts';
import type { LoginState } from '../../src/clients/grant-store.ts';
import { Cache } from '../../src/freshness/cache.ts';
import type { Answer } from '../../src/http/operation.ts';
import { createAuth } from '../../src/tokens/auth.ts';
import { alwaysFresh } from '../freshness/caches.ts';
import { addClient, basic, call, startAuth, useAuthDatabase } from './fixture.ts';

useAuthDatabase();

/** An account that has logged in, on a service that remembers logins. */
async function startRepeating(t: TestContext) {
  const fixture = await startAuth(t);
  const { database, vault, clock } = fixture;
  const freshness = alwaysFresh(database);
  const logins = new Cache<LoginState>({ freshness, maxBytes: 1_000_000, bytesOf: () => 1 });
  const noted: number[] = [];
  const secretUses = {
    noteSecret: (_clientId: string, _digest: Buffer, nowMs: number) => void noted.push(nowMs),
  };
  const auth = createAuth({ ...fixture.parts, logins, secretUses });
  const credentials = await addClient(fixture);
  const body = { ...credentials, userAccessType: 'PLATFORM_MACHINE_CLIENT' };
  const enter = (given = {}) =>
    call({ auth, clock }, 'auth.login', { body: { ...body, ...given } });
  // The first makes the grant, and what was read before it is of no use anymore.
  await enter();
  const { repeat } = await enter();
  assert.ok(repeat);
  const again = () => repeat(clock.nowMs());
  assert.ok(again());
  noted.length = 0;
  return { ...fixture, vault, auth, credentials, enter, again, noted };
}

/** What a client sees of an answer. */
const seen = ({ json, headers }: Answer) => ({ json, headers });

test('auth.login 200 AUTH-3: a repeated login is answered as the whole way answers it', async (t) => {
  const { enter, again, clock, noted } = await startRepeating(t);
  for (const ms of [0, 1, 999, 86_400_000 - 64_000, 1_000]) {
    clock.advance(ms);
    noted.length = 0;
    const answer = again();
    assert.ok(answer);
    assert.equal(again(), answer, 'it is made once in a second');
    assert.deepEqual(noted, [clock.nowMs(), clock.nowMs()]);
    assert.deepEqual(seen(answer), seen(await enter()));
  }
  clock.advance(-3_600_000);
  assert.deepEqual(seen(again() as Answer), seen(await enter()), 'a clock that was put back');
});

test('auth.login 200 AUTH-3: a token in its last minute is not given out again', async (t) => {
  const { again, clock, noted } = await startRepeating(t);
  clock.advance(86_400_000 - 61_000);
  assert.ok(again());
  clock.advance(1_000);
  noted.length = 0;
  assert.equal(again(), null);
  assert.deepEqual(noted, [], 'what is not answered is not noted');
});

test('auth.login 401 AUTH-9: the end of a secret holds for repeated logins', async (t) => {
  const { enter, again, database, credentials, clock } = await startRepeating(t);
  const none = { clientId: credentials.clientId, guid: '00000000-0000-4000-8000-000000000000' };
  await updateOtherSecretsExpiry(database.sql, none, new Date(clock.nowMs() + 1_000));
  assert.equal(again(), null, 'it has to be read again');
  await enter();
  clock.advance(999);
  assert.ok(again());
  clock.advance(1);
  assert.equal(again(), null);
});

type Repeating = Awaited<ReturnType<typeof startRepeating>>;

const changes: Record<string, (repeating: Repeating) => Promise<unknown>> = {
  'revoked account': ({ database, credentials, clock }) =>
    revokeClient(database, credentials.clientId, clock.nowMs()),
  'revoked secret': async ({ database, vault, credentials, clock, enter }) => {
    const { clientId } = credentials;
    const deps = { sql: database.sql, vault };
    const next = await addSecret(deps, clientId, clock.nowMs());
    await revokeSecret(deps, clientId, credentials.secretGuid, clock.nowMs());
    await enter({ clientSecret: next.clientSecret });
  },
  'change of scopes': async ({ database, credentials, enter }) => {
    await setScopes(database, credentials.clientId, ['stock:read']);
    await enter();
  },
  'revoked token': async ({ auth, clock, credentials, enter }) => {
    const { json } = await enter();
    const { accessToken: token } = (json as { token: { accessToken: string } }).token;
    await call({ auth, clock }, 'auth.revoke', { headers: basic(credentials), body: { token } });
    await enter();
  },
  'signing key that has taken over': async ({ auth, clock, enter }) => {
    await auth.signingKeys.rotate(clock.nowMs(), 1_000);
    await enter();
    clock.advance(1_000);
  },
};

for (const [what, change] of Object.entries(changes)) {
  test(`auth.login AUTH-9: a repeated login after a ${what} goes the whole way`, async (t) => {
    const repeating = await startRepeating(t);
    await change(repeating);
    // Also when what is remembered was read anew since, as others' logins do.
    await repeating.enter().catch(() => null);
    assert.equal(repeating.again(), null);
    assert.equal(repeating.again(), null);
  });
}
