import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IntrospectionResponse } from '@servery/contract';
import type { ClientCredentials } from '../../src/clients/clients.ts';
import { revokeClient, setScopes } from '../../src/clients/clients.ts';
import type { Answer } from '../../src/http/operation.ts';
import { createAuth } from '../../src/tokens/auth.ts';
import {
  type AuthFixture,
  addClient,
  basic,
  call,
  jwtPart,
  logIn,
  refusal,
  startAuth,
  useAuthDatabase,
} from './fixture.ts';
import { countRows } from './fixture-store.ts';

useAuthDatabase();

const GRANT = { grant_type: 'client_credentials' };

interface TokenJson {
  access_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
}

function formCredentials({ clientId, clientSecret }: ClientCredentials): Record<string, string> {
  return { client_id: clientId, client_secret: clientSecret };
}

async function requestToken(
  fixture: AuthFixture,
  credentials: ClientCredentials,
  scope?: string,
): Promise<TokenJson> {
  const body = { ...GRANT, ...(scope === undefined ? {} : { scope }) };
  const answer = await call(fixture, 'auth.token', { headers: basic(credentials), body });
  assert.equal(answer.status ?? 200, 200, JSON.stringify(answer.json));
  return answer.json as TokenJson;
}

async function introspect(
  fixture: AuthFixture,
  credentials: ClientCredentials,
  token: string,
): Promise<IntrospectionResponse> {
  const headers = basic(credentials);
  const answer = await call(fixture, 'auth.introspect', { headers, body: { token } });
  assert.equal(answer.headers?.['cache-control'], 'no-store');
  return answer.json as IntrospectionResponse;
}

function assertOAuthError(answer: Answer, status: number, error: string): void {
  const json = answer.json as { error: string; error_description: string };
  assert.deepEqual(Object.keys(json), ['error', 'error_description']);
  assert.equal(json.error, error, json.error_description);
  assert.match(json.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  assert.equal(answer.status, status);
  assert.equal(answer.headers?.['cache-control'], 'no-store');
  const challenge = answer.headers?.['www-authenticate'] ?? '';
  assert.equal(challenge.startsWith('Basic realm='), status === 401);
}

test("auth.token 200 AUTH-6: Basic and form credentials get the login's token", async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const { accessToken, expiresIn } = await logIn(fixture, credentials);
  const body = { ...GRANT, ...formCredentials(credentials) };
  for (const request of [{ headers: basic(credentials), body: GRANT }, { body }]) {
    const answer = await call(fixture, 'auth.token', request);
    assert.deepEqual(answer.json, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresIn,
      scope: jwtPart(accessToken, 1).scope,
    });
    assert.equal(answer.headers?.['cache-control'], 'no-store');
  }
});

test('auth.token 400 AUTH-6: a missing or other grant type is named as RFC 6749 says', async (t) => {
  const fixture = await startAuth(t);
  const headers = basic(await addClient(fixture));
  const ask = (body: unknown) => call(fixture, 'auth.token', { headers, body });
  assertOAuthError(await ask({}), 400, 'invalid_request');
  assertOAuthError(await ask({ grant_type: '' }), 400, 'invalid_request');
  assertOAuthError(await ask({ grant_type: 'password' }), 400, 'unsupported_grant_type');
  assertOAuthError(await ask({ grant_type: 'CLIENT_CREDENTIALS' }), 400, 'unsupported_grant_type');
  assertOAuthError(await ask('grant_type=client_credentials'), 400, 'invalid_request');
  assertOAuthError(await ask(undefined), 400, 'invalid_request');
});

test('auth.token 401 AUTH-6: any wrong credentials are invalid_client', async (t) => {
  const fixture = await startAuth(t);
  const live = await addClient(fixture);
  const gone = await addClient(fixture);
  await revokeClient(fixture.database, gone.clientId, fixture.clock.nowMs());
  const texts = new Set<string>();
  const wrong = [{ ...live, clientSecret: 'no' }, { ...live, clientId: 'no' }, gone];
  for (const credentials of [...wrong, { clientId: 'a\0b', clientSecret: 'ä' }]) {
    const byForm = { body: { ...GRANT, ...formCredentials(credentials) } };
    for (const request of [{ headers: basic(credentials), body: GRANT }, byForm]) {
      const answer = await call(fixture, 'auth.token', request);
      assertOAuthError(answer, 401, 'invalid_client');
      texts.add(JSON.stringify(answer));
    }
  }
  assert.equal(texts.size, 1);
  assertOAuthError(await call(fixture, 'auth.token', { body: GRANT }), 401, 'invalid_client');
  const bearer = { authorization: 'Bearer abc' };
  const answer = await call(fixture, 'auth.token', { headers: bearer, body: GRANT });
  assertOAuthError(answer, 401, 'invalid_client');
});

test('auth.token 200 AUTH-6: fewer scopes give a token of their own', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture, { scopes: ['stock:read', 'stock:write'] });
  const { accessToken } = await logIn(fixture, credentials);
  const narrow = await requestToken(fixture, credentials, 'stock:write');
  assert.equal(narrow.scope, 'stock:write');
  assert.notEqual(narrow.access_token, accessToken);
  const claims = jwtPart(narrow.access_token, 1);
  assert.equal(claims.scope, 'stock:write');
  assert.equal(claims['https://platform.example/narrowed'], true);
  fixture.clock.advance(10_000);
  const again = await requestToken(fixture, credentials, 'stock:write stock:write');
  assert.deepEqual(again, { ...narrow, expires_in: 86_390 });
  const whole = await requestToken(fixture, credentials, 'stock:write stock:read');
  assert.equal(whole.access_token, accessToken);
  assert.equal(whole.scope, 'stock:read stock:write');
  assert.equal((await requestToken(fixture, credentials, '')).access_token, accessToken);
  assert.equal((await countRows(fixture.database.sql)).grants, 2);
});

test('auth.token 400 AUTH-6: a scope not held or unknown is invalid_scope', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture, { scopes: ['stock:read'] });
  for (const scope of ['stock:write', 'stock:read stock:write', 'admin', 'stock:read\tx', '\0']) {
    const body = { ...GRANT, scope };
    const answer = await call(fixture, 'auth.token', { headers: basic(credentials), body });
    assertOAuthError(answer, 400, 'invalid_scope');
  }
});

test('auth.token 200 AUTH-8: a client without scopes gets a token too', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture, { scopes: [] });
  const token = await requestToken(fixture, credentials);
  assert.equal(token.scope, '');
  const principal = await fixture.auth.authenticate(token.access_token, fixture.clock.nowMs());
  assert.equal(principal.scopes.size, 0);
});

test('auth.introspect 200 AUTH-6: a client sees its own token and its scopes now', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const { accessToken } = await logIn(fixture, credentials);
  await setScopes(fixture.database, credentials.clientId, ['stock:read']);
  const claims = jwtPart(accessToken, 1);
  assert.deepEqual(await introspect(fixture, credentials, accessToken), {
    active: true,
    scope: 'stock:read',
    client_id: credentials.clientId,
    token_type: 'Bearer',
    exp: claims.exp,
    iat: claims.iat,
    sub: claims.sub,
    aud: claims.aud,
    iss: claims.iss,
    jti: claims.jti,
  });
});

test('auth.token 200 AUTH-6: a back office client may ask for less, not for more', async (t) => {
  const fixture = await startAuth(t);
  const scopes = ['clock:read', 'clock:write', 'metrics:read'] as const;
  const credentials = await addClient(fixture, { type: 'BACK_OFFICE', scopes });
  const all = await requestToken(fixture, credentials);
  assert.equal(all.scope, scopes.join(' '));
  const narrowed = await requestToken(fixture, credentials, 'clock:read');
  assert.equal(narrowed.scope, 'clock:read');
  const seen = await introspect(fixture, credentials, narrowed.access_token);
  assert.equal(seen.active, true);
  assert.equal(seen.scope, 'clock:read');
  const headers = basic(credentials);
  const body = { ...GRANT, scope: 'clock:read stock:read' };
  assertOAuthError(await call(fixture, 'auth.token', { headers, body }), 400, 'invalid_scope');
});

test('auth.introspect 200 AUTH-6: other and dead tokens are only inactive', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const other = await addClient(fixture);
  const foreign = (await logIn(fixture, other)).accessToken;
  const { accessToken } = await logIn(fixture, credentials);
  for (const token of [foreign, 'garbage', `${accessToken}x`, 'a.b.c', 'ä\0']) {
    assert.deepEqual(await introspect(fixture, credentials, token), { active: false });
  }
  fixture.clock.advance(86_400_000);
  assert.deepEqual(await introspect(fixture, credentials, accessToken), { active: false });
});

test('auth.revoke 200 AUTH-6: a revoked token is dead, the next login fresh', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const { accessToken: token } = await logIn(fixture, credentials);
  const other = createAuth(fixture.parts);
  await other.authenticate(token, fixture.clock.nowMs());
  for (let time = 0; time < 2; time += 1) {
    const headers = basic(credentials);
    const body = { token, token_type_hint: 'access_token' };
    const answer = await call(fixture, 'auth.revoke', { headers, body });
    assert.equal(answer.status ?? 200, 200);
  }
  for (const { authenticate } of [fixture.auth, other]) {
    const error = await refusal(authenticate(token, fixture.clock.nowMs()));
    assert.match(error.message, /was revoked: log in again/);
  }
  assert.equal((await introspect(fixture, credentials, token)).active, false);
  const fresh = await logIn(fixture, credentials);
  assert.notEqual(fresh.accessToken, token);
  assert.equal(fresh.expiresIn, 86_400);
  await fixture.auth.authenticate(fresh.accessToken, fixture.clock.nowMs());
});

test('auth.revoke 200 AUTH-6: an older token dies without the present one', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const old = (await logIn(fixture, credentials)).accessToken;
  await setScopes(fixture.database, credentials.clientId, ['stock:read']);
  const present = (await logIn(fixture, credentials)).accessToken;
  const headers = basic(credentials);
  await call(fixture, 'auth.revoke', { headers, body: { token: old } });
  await refusal(fixture.auth.authenticate(old, fixture.clock.nowMs()));
  assert.equal((await logIn(fixture, credentials)).accessToken, present);
  await fixture.auth.authenticate(present, fixture.clock.nowMs());
});

test('auth.revoke 400 AUTH-6: the token of another client is not touched', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const foreign = (await logIn(fixture, await addClient(fixture))).accessToken;
  const headers = basic(credentials);
  for (const token of ['garbage', 'a.b.c', '\0']) {
    const answer = await call(fixture, 'auth.revoke', { headers, body: { token } });
    assert.equal(answer.status ?? 200, 200);
  }
  const answer = await call(fixture, 'auth.revoke', { headers, body: { token: foreign } });
  assertOAuthError(answer, 400, 'invalid_grant');
  await fixture.auth.authenticate(foreign, fixture.clock.nowMs());
});
