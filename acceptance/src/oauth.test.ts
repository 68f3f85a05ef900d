import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import * as oauth4webapi from 'oauth4webapi';
import * as openid from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';
import { header } from './answer.ts';
import { DemoCallers, logIn } from './client.ts';
import { platformUnderTest } from './platform.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const anonymous = callers.anonymous();
const account = platform.demo.clients.partner;
const issuer = new URL(platform.demo.authUrl);
const insecure = platform.baseUrl.startsWith('http:');

interface TokenBody {
  access_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
}

const basic = (id: string, secret: string) => {
  const encoded = [id, secret].map((text) => encodeURIComponent(text)).join(':');
  return { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` };
};
const own = basic(account.clientId, account.clientSecret);
const inForm = { client_id: account.clientId, client_secret: account.clientSecret };
const grant = { grant_type: 'client_credentials' };

/** Tries a library again: none of them waits when the rate limit of the address refuses. */
async function retryWhileLimited<T>(attempt: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (round === 3 || !/429|Too Many|unexpected/i.test(String(error))) throw error;
      await wait(1000);
    }
  }
}

async function opensTheDoor(token: string): Promise<void> {
  await anonymous.call('partners.restaurants.list', 200, { token });
}

test('auth.token 200 AUTH-6: client_credentials with Basic gives a live token', async () => {
  const answer = await anonymous.call('auth.token', 200, { form: grant, headers: own });
  const body = answer.json as TokenBody;
  assert.equal(body.token_type.toLowerCase(), 'bearer');
  assert.ok(Number.isInteger(body.expires_in) && body.expires_in > 0);
  assert.match(String(header(answer, 'cache-control')), /no-store/, 'RFC 6749, 5.1');
  await opensTheDoor(body.access_token);
});

test('auth.token 200 AUTH-6: client_credentials with form credentials gives a live token', async () => {
  const answer = await anonymous.call('auth.token', 200, { form: { ...grant, ...inForm } });
  await opensTheDoor((answer.json as TokenBody).access_token);
});

test('auth.token 401 AUTH-6: wrong credentials are invalid_client in either form', async () => {
  const wrong = 'wrong-secret';
  const tries = [
    { form: grant, headers: basic(account.clientId, wrong) },
    { form: grant, headers: basic('nobody', account.clientSecret) },
    { form: { ...grant, client_id: account.clientId, client_secret: wrong } },
    { form: grant },
  ];
  for (const attempt of tries) {
    const answer = await anonymous.call('auth.token', 401, attempt);
    assert.equal((answer.json as { error: string }).error, 'invalid_client');
  }
  const [withBasic] = tries;
  const challenged = await anonymous.call('auth.token', 401, { ...withBasic });
  assert.match(String(header(challenged, 'www-authenticate')), /^Basic/i, 'RFC 6749, 5.2');
});

test('auth.token 400 AUTH-6: the errors of RFC 6749 are named', async () => {
  const cases = [
    { form: { grant_type: 'password' }, error: 'unsupported_grant_type' },
    { form: { scope: 'stock:read' }, error: 'invalid_request' },
    { form: { ...grant, scope: 'everything' }, error: 'invalid_scope' },
  ];
  for (const { form, error } of cases) {
    const answer = await anonymous.call('auth.token', 400, { form, headers: own });
    assert.equal((answer.json as { error: string }).error, error);
  }
});

test('auth.token 200 AUTH-6: a narrower scope gives a token of that scope only', async () => {
  const form = { ...grant, scope: 'stock:read' };
  const answer = await anonymous.call('auth.token', 200, { form, headers: own });
  const body = answer.json as TokenBody;
  assert.equal(body.scope, 'stock:read');
  const restaurant = String(platform.demo.restaurants.find(({ archived }) => !archived)?.guid);
  const token = body.access_token;
  await anonymous.call('stock.list', 200, { token, restaurant });
  await anonymous.call('configuration.menus.list', 403, { token, restaurant });
});

test('auth.metadata 200 AUTH-6: RFC 8414 metadata lists every endpoint', async () => {
  const answer = await anonymous.call('auth.metadata', 200);
  const metadata = answer.json as Record<string, string | string[]>;
  const base = platform.demo.authUrl.replace(/\/$/, '');
  assert.equal(metadata.issuer, `${base}/`);
  for (const [name, path] of Object.entries({
    token_endpoint: '/oauth/token',
    introspection_endpoint: '/oauth/introspect',
    revocation_endpoint: '/oauth/revoke',
    jwks_uri: '/.well-known/jwks.json',
  })) {
    assert.equal(metadata[name], `${base}${path}`);
  }
  assert.ok(metadata.grant_types_supported?.includes('client_credentials'));
  for (const method of ['client_secret_basic', 'client_secret_post']) {
    assert.ok(metadata.token_endpoint_auth_methods_supported?.includes(method));
  }
});

test('auth.jwks 200 AUTH-6: the keys are public, for signing, and carry an identifier', async () => {
  const { keys } = (await anonymous.call('auth.jwks', 200)).json as {
    keys: Record<string, string>[];
  };
  assert.ok(keys.length > 0);
  for (const key of keys) {
    assert.equal(key.kty, 'RSA');
    assert.equal(key.use, 'sig');
    assert.ok(key.kid && key.n && key.e);
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) assert.equal(key[secret], undefined);
  }
  assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length);
});

test('auth.introspect 200 AUTH-6: live tokens are active, others inactive', async () => {
  const token = await logIn(platform, account);
  const live = await anonymous.call('auth.introspect', 200, { form: { token }, headers: own });
  const claims = live.json as Record<string, unknown>;
  assert.equal(claims.active, true);
  assert.equal(claims.client_id, account.clientId);
  assert.deepEqual(String(claims.scope).split(' ').sort(), [...account.scopes].sort());
  for (const dead of ['garbage', `${token}x`, token.replace(/\..*\./, '..')]) {
    const answer = await anonymous.call('auth.introspect', 200, {
      form: { token: dead },
      headers: own,
    });
    assert.deepEqual(answer.json, { active: false });
  }
});

test('auth.introspect 401 AUTH-6: without credentials nothing is told about a token', async () => {
  const token = await logIn(platform, account);
  await anonymous.call('auth.introspect', 401, { form: { token } });
  const headers = basic(account.clientId, 'wrong');
  await anonymous.call('auth.introspect', 401, { form: { token }, headers });
});

test('auth.introspect 400 AUTH-6: a request without a token is invalid_request', async () => {
  const answer = await anonymous.call('auth.introspect', 400, { form: {}, headers: own });
  assert.equal((answer.json as { error: string }).error, 'invalid_request');
});

test('auth.token auth.introspect auth.revoke 401 AUTH-6: wrong credentials come first', async () => {
  for (const id of ['auth.token', 'auth.introspect', 'auth.revoke']) {
    const strange = { form: { client_id: 'nobody', client_secret: 'wrong' } };
    for (const options of [{ form: { surprise: 'yes' } }, strange]) {
      const answer = await anonymous.call(id, 401, options);
      assert.equal((answer.json as { error: string }).error, 'invalid_client');
    }
    const answer = await anonymous.call(id, 400, { form: { surprise: 'yes' }, headers: own });
    assert.equal(header(answer, 'pragma'), 'no-cache');
  }
});

test('auth.revoke 200 AUTH-6: an unknown token is answered like a known one', async () => {
  await anonymous.call('auth.revoke', 200, { form: { token: 'unknown' }, headers: own });
});

test('auth.revoke 401 AUTH-6: only an authenticated client may revoke', async () => {
  await anonymous.call('auth.revoke', 401, { form: { token: 'unknown' } });
});

test('auth.revoke 400 AUTH-6: a request without a token is invalid_request', async () => {
  const answer = await anonymous.call('auth.revoke', 400, { form: {}, headers: own });
  assert.equal((answer.json as { error: string }).error, 'invalid_request');
});

test('auth.revoke 400 AUTH-6: a client cannot revoke the token of another', async () => {
  const token = await logIn(platform, platform.demo.clients.other);
  const answer = await anonymous.call('auth.revoke', 400, { form: { token }, headers: own });
  assert.equal((answer.json as { error: string }).error, 'invalid_grant', 'RFC 7009, 2.1');
  await opensTheDoor(token);
});

test('auth.token 200 AUTH-6: openid-client discovers, gets a token and introspects it', async () => {
  const { clientId, clientSecret } = account;
  const options = {
    algorithm: 'oauth2' as const,
    ...(insecure ? { execute: [openid.allowInsecureRequests] } : {}),
  };
  const method = openid.ClientSecretPost(clientSecret);
  const config = await retryWhileLimited(() =>
    openid.discovery(issuer, clientId, clientSecret, method, options),
  );
  const tokens = await retryWhileLimited(() =>
    openid.clientCredentialsGrant(config, { scope: 'config:read' }),
  );
  await opensTheDoor(tokens.access_token);
  const live = await retryWhileLimited(() =>
    openid.tokenIntrospection(config, tokens.access_token),
  );
  assert.equal(live.active, true);
});

test('auth.token 200 AUTH-6: oauth4webapi discovers and gets a token', async () => {
  const options = { algorithm: 'oauth2' as const, [oauth4webapi.allowInsecureRequests]: insecure };
  const server = await retryWhileLimited(async () =>
    oauth4webapi.processDiscoveryResponse(
      issuer,
      await oauth4webapi.discoveryRequest(issuer, options),
    ),
  );
  const client = { client_id: account.clientId };
  const credentials = oauth4webapi.ClientSecretBasic(account.clientSecret);
  const parameters = new URLSearchParams({ scope: 'stock:read' });
  const tokens = await retryWhileLimited(async () => {
    const answer = await oauth4webapi.clientCredentialsGrantRequest(
      server,
      client,
      credentials,
      parameters,
      { [oauth4webapi.allowInsecureRequests]: insecure },
    );
    return oauth4webapi.processClientCredentialsResponse(server, client, answer);
  });
  await opensTheDoor(tokens.access_token);
});

test('auth.token 200 AUTH-6: simple-oauth2 gets a token in both of its styles', async () => {
  for (const authorizationMethod of ['header', 'body'] as const) {
    const client = new ClientCredentials({
      client: { id: account.clientId, secret: account.clientSecret },
      auth: { tokenHost: platform.demo.authUrl, tokenPath: '/oauth/token' },
      options: { authorizationMethod },
    });
    const { token } = await retryWhileLimited(() => client.getToken({ scope: 'config:read' }));
    await opensTheDoor(String(token.access_token));
  }
});
