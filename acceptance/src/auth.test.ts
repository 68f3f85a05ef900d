import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { header } from './answer.ts';
import { DemoCallers, logIn } from './client.ts';
import type { DemoClientName } from './demo.ts';
import { platformUnderTest } from './platform.ts';
import { alike, codeOf, messageOf } from './values.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const anonymous = callers.anonymous();
const { demo } = platform;
const names: readonly DemoClientName[] = ['partner', 'readOnly', 'group', 'other'];

interface LoginBody {
  '@class': string;
  token: { tokenType: string; scope: null; expiresIn: number; accessToken: string };
  status: string;
}

const credentials = (name: DemoClientName) => {
  const { clientId, clientSecret, userAccessType } = demo.clients[name];
  return { clientId, clientSecret, userAccessType };
};

async function verified(token: string): Promise<JWTPayload> {
  const jwks = await anonymous.call('auth.jwks', 200);
  const keys = createLocalJWKSet(jwks.json as Parameters<typeof createLocalJWKSet>[0]);
  return (await jwtVerify(token, keys, { algorithms: ['RS256'] })).payload;
}

async function platformSeconds(): Promise<number> {
  const { headers } = await anonymous.call('health.live', 200);
  return Date.parse(String(headers.date)) / 1000;
}

function namespaced(claims: JWTPayload, name: string): unknown {
  const key = Object.keys(claims).find(
    (candidate) => /^https?:\/\/.+\/[^/]+$/.test(candidate) && candidate.endsWith(`/${name}`),
  );
  assert.ok(key, `no namespaced claim ${name} among ${Object.keys(claims)}`);
  return claims[key];
}

test('auth.login 200 AUTH-1 AUTH-2: the published request gets the published response, whole', async () => {
  for (const name of names) {
    const answer = await anonymous.call('auth.login', 200, { json: credentials(name) });
    const body = answer.json as LoginBody;
    const { accessToken, expiresIn } = body.token;
    assert.deepEqual(body, {
      '@class': '.SuccessfulResponse',
      token: {
        tokenType: 'Bearer',
        scope: null,
        expiresIn,
        accessToken,
        idToken: null,
        refreshToken: null,
      },
      status: 'SUCCESS',
    });
    assert.ok(expiresIn > 60 && expiresIn <= 86_400, `expiresIn is ${expiresIn}`);
    assert.match(String(header(answer, 'cache-control')), /no-store/);
  }
});

test('auth.login 400 AUTH-1: a missing, empty or mistyped field is named', async () => {
  for (const field of ['clientId', 'clientSecret', 'userAccessType']) {
    for (const value of [undefined, null, 7, {}, []]) {
      const json = { ...credentials('partner'), [field]: value };
      const answer = await anonymous.call('auth.login', 400, { json });
      assert.equal(codeOf(answer), 10_000);
      assert.match(messageOf(answer), new RegExp(field));
    }
  }
});

test('auth.login 400 AUTH-1: an unknown access type comes before the secret', async () => {
  for (const userAccessType of ['NO_SUCH_CLIENT', 'machine_client', '', 'MACHINE_CLIENT']) {
    const json = { ...credentials('partner'), userAccessType, clientSecret: 'not-it' };
    const answer = await anonymous.call('auth.login', 400, { json });
    assert.match(messageOf(answer), /userAccessType/);
  }
});

test('auth.login 400 AUTH-1: a body that is not JSON is refused', async () => {
  for (const bytes of ['', 'clientId=a&clientSecret=b', '{"clientId":', '[]', '"text"', 'null']) {
    await anonymous.call('auth.login', 400, { bytes });
  }
});

test('auth.login 401 AUTH-1: a wrong id and a wrong secret get the same answer', async () => {
  const wrongSecret = await anonymous.call('auth.login', 401, {
    json: { ...credentials('partner'), clientSecret: 'wrong-secret-of-some-length' },
  });
  const wrongId = await anonymous.call('auth.login', 401, {
    json: { ...credentials('partner'), clientId: '3f1e2d4c-0000-4000-8000-000000000000' },
  });
  const strangeId = await anonymous.call('auth.login', 401, {
    json: { ...credentials('partner'), clientId: "x' or '1'='1" },
  });
  const anothersSecret = await anonymous.call('auth.login', 401, {
    json: { ...credentials('partner'), clientSecret: demo.clients.other.clientSecret },
  });
  assert.equal(codeOf(wrongSecret), 10_013);
  for (const answer of [wrongId, strangeId, anothersSecret]) alike(answer, wrongSecret);
});

test('auth.login 200 AUTH-3: a repeated login returns the same token', async () => {
  const first = (await anonymous.call('auth.login', 200, { json: credentials('group') }))
    .json as LoginBody;
  const second = (await anonymous.call('auth.login', 200, { json: credentials('group') }))
    .json as LoginBody;
  assert.equal(second.token.accessToken, first.token.accessToken);
  assert.ok(second.token.expiresIn <= first.token.expiresIn);
  const other = (await anonymous.call('auth.login', 200, { json: credentials('other') }))
    .json as LoginBody;
  assert.notEqual(other.token.accessToken, first.token.accessToken);
});

test('auth.login 200 AUTH-3: logins at once return the same token', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 12 }, () => logIn(platform, demo.clients.readOnly)),
  );
  assert.equal(new Set(tokens).size, 1);
});

test('auth.login 200 AUTH-3: expiresIn is what remains until the exp claim', async () => {
  // By the platform's own Date, before and after: each process may stand still for seconds.
  const before = await platformSeconds();
  const answer = await anonymous.call('auth.login', 200, { json: credentials('partner') });
  const after = await platformSeconds();
  const { token } = answer.json as LoginBody;
  const claims = await verified(token.accessToken);
  const at = Number(claims.exp) - token.expiresIn;
  assert.ok(at >= before - 2 && at <= after + 2, `${at} is not within ${before} and ${after}`);
  if (platform.own) assert.equal(Number(claims.exp) - Number(claims.iat), 86_400);
});

test('auth.login 200 AUTH-4: the token is an RS256 JWT of the published claims', async () => {
  const jwks = (await anonymous.call('auth.jwks', 200)).json as { keys: { kid: string }[] };
  const metadata = (await anonymous.call('auth.metadata', 200)).json as { issuer: string };
  for (const name of names) {
    const account = demo.clients[name];
    const token = await logIn(platform, account);
    const { alg, kid } = decodeProtectedHeader(token);
    assert.equal(alg, 'RS256');
    assert.ok(jwks.keys.some((key) => key.kid === kid));
    const claims = await verified(token);
    assert.equal(claims.iss, metadata.issuer);
    assert.equal(claims.sub, `${account.clientId}@clients`);
    assert.equal(claims.azp, account.clientId);
    assert.equal(claims.gty, 'client-credentials');
    assert.ok(claims.aud && claims.jti);
    assert.ok(Number.isInteger(claims.iat) && Number.isInteger(claims.exp));
    assert.deepEqual(String(claims.scope).split(' ').sort(), [...account.scopes].sort());
    assert.equal(typeof namespaced(claims, 'client_name'), 'string');
    assert.equal(namespaced(claims, 'access_type'), account.userAccessType);
  }
});

test('auth.login 200 AUTH-4: partners name their partner, groups their group', async () => {
  const partner = await verified(await logIn(platform, demo.clients.partner));
  assert.equal(namespaced(partner, 'type'), 'PARTNER');
  assert.match(String(namespaced(partner, 'partner_guid')), /^[0-9a-f-]{36}$/);
  const group = await verified(await logIn(platform, demo.clients.group));
  assert.equal(namespaced(group, 'type'), 'CUSTOMER');
  assert.equal(namespaced(group, 'management_set_guid'), demo.managementGroupGuid);
  const hasOther = (claims: JWTPayload, name: string) =>
    Object.keys(claims).some((key) => key.endsWith(`/${name}`));
  assert.ok(!hasOther(partner, 'management_set_guid') && !hasOther(group, 'partner_guid'));
});

test('stock.list 200 AUTH-5: the scheme name is matched without regard to case', async () => {
  const token = await logIn(platform, demo.clients.partner);
  const restaurant = String(demo.restaurants.find(({ archived }) => !archived)?.guid);
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    await anonymous.call('stock.list', 200, {
      restaurant,
      headers: { authorization: `${scheme} ${token}` },
    });
  }
});

test('stock.list 401 AUTH-5: anything but a bearer token is challenged', async () => {
  const token = await logIn(platform, demo.clients.partner);
  const none = await anonymous.call('stock.list', 401);
  assert.equal(codeOf(none), 10_013);
  assert.doesNotMatch(String(header(none, 'www-authenticate')), /error=/, 'RFC 6750, 3.1');
  const basic = Buffer.from(`${demo.clients.partner.clientId}:x`).toString('base64');
  for (const authorization of [token, `Basic ${basic}`, `Token ${token}`, `Bearer${token}`]) {
    await anonymous.call('stock.list', 401, { headers: { authorization } });
  }
  for (const authorization of ['Bearer', `Bearer ${token} ${token}`, 'Bearer not.a.jwt']) {
    await anonymous.call('stock.list', 401, { headers: { authorization } });
  }
});

test('stock.list 401 AUTH-5: a token in the query or in the body is none', async () => {
  const token = await logIn(platform, demo.clients.partner);
  await anonymous.call('stock.list', 401, { query: { access_token: token } });
});

function forgeries(token: string): Record<string, string> {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  const longer = encode({ ...claims, exp: claims.exp + 1 });
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString('utf8'));
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
  const byAddress = encode({ alg: 'RS256', kid, jku: 'http://127.0.0.1:9/' });
  return {
    'alg none': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'alg none with the signature': `${encode({ alg: 'none', kid })}.${payload}.${signature}`,
    'alg HS256': `${encode({ alg: 'HS256', kid })}.${payload}.${signature}`,
    'longer life': `${head}.${longer}.${signature}`,
    'other subject': `${head}.${encode({ ...claims, azp: 'x', sub: 'x@clients' })}.${signature}`,
    'no signature': `${head}.${payload}.`,
    'changed signature': `${head}.${payload}.${flipped}`,
    'unknown key': `${encode({ alg: 'RS256', kid: 'nobody' })}.${payload}.${signature}`,
    'key by address': `${byAddress}.${payload}.${signature}`,
  };
}

test('stock.list 401 AUTH-5: a forged token is refused as invalid_token', async () => {
  const token = await logIn(platform, demo.clients.partner);
  for (const [forgery, forged] of Object.entries(forgeries(token))) {
    const answer = await anonymous.call('stock.list', 401, { token: forged });
    const challenge = String(header(answer, 'www-authenticate'));
    assert.match(challenge, /error="invalid_token"/, `${forgery}: ${challenge}`);
  }
});

test('partners.restaurants.list 200 403 AUTH-7: partners see theirs, groups none', async () => {
  const partner = await callers.as('partner');
  const listed = (await partner.call('partners.restaurants.list', 200)).json as {
    restaurantGuid: string;
  }[];
  for (const { restaurantGuid } of listed.filter(
    (entry) => !('deleted' in entry && entry.deleted),
  )) {
    await partner.call('configuration.tipWithholding.get', 200, { restaurant: restaurantGuid });
  }
  const group = await callers.as('group');
  await group.call('partners.restaurants.list', 403);
  await group.call('partners.connectedRestaurants.list', 403);
});

test('configuration.tipWithholding.get 200 403 AUTH-7: a group reaches its own only', async () => {
  const group = await callers.as('group');
  for (const { guid, archived } of demo.restaurants) {
    if (!archived) await group.call('configuration.tipWithholding.get', 200, { restaurant: guid });
  }
  const other = await callers.as('other');
  const elsewhere = (await other.call('partners.restaurants.list', 200)).json as {
    restaurantGuid: string;
  }[];
  for (const { restaurantGuid } of elsewhere) {
    await group.call('configuration.tipWithholding.get', 403, { restaurant: restaurantGuid });
  }
  for (const { guid } of demo.restaurants) {
    await other.call('configuration.tipWithholding.get', 403, { restaurant: guid });
  }
});

test('auth.metadata 200 AUTH-8: the scopes are exactly those of the interfaces', async () => {
  const metadata = (await anonymous.call('auth.metadata', 200)).json as {
    scopes_supported: string[];
  };
  assert.deepEqual([...metadata.scopes_supported].sort(), [
    'config:read',
    'credit_cards.authorization:write',
    'delivery_info.address:read',
    'guest.pi:read',
    'menus:read',
    'orders.channel:read',
    'orders.channel:void',
    'orders.delivery_info:write',
    'orders.discounts:write',
    'orders.items:write',
    'orders.orders:write',
    'orders.payments:write',
    'orders:read',
    'orders:void',
    'restaurants:read',
    'stock:read',
    'stock:write',
  ]);
  assert.deepEqual([...demo.clients.partner.scopes].sort(), [...metadata.scopes_supported].sort());
});

test('stock.update 403 AUTH-8: a reader cannot write, and is told the scope', async () => {
  const reader = await callers.as('readOnly');
  const restaurant = String(demo.restaurants.find(({ archived }) => !archived)?.guid);
  assert.ok(demo.clients.readOnly.scopes.every((scope) => scope.endsWith(':read')));
  const refused = await reader.call('stock.update', 403, { restaurant, json: [] });
  assert.match(messageOf(refused), /stock:write/);
  const keys = await reader.call('platform.cardEncryptionKeys.list', 403);
  assert.match(messageOf(keys), /credit_cards\.authorization:write/);
  await reader.call('stock.list', 200, { restaurant });
  await reader.call('stock.search', 200, { restaurant, json: { guids: [] } });
  await reader.call('partners.restaurants.list', 200);
});
