import assert from 'node:assert/strict';
import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../support/test/any-character.ts';
import { addSecret, revokeClient, revokeSecret, setScopes } from '../../src/clients/clients.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { createAuth } from '../../src/tokens/auth.ts';
import { listSigningKeys } from '../../src/tokens/signing-key-store.ts';
import {
  ALL_SCOPES,
  type AuthFixture,
  addClient,
  basic,
  call,
  GROUP_GUID,
  jwtPart,
  logIn,
  PARTNER_GUID,
  refusal,
  startAuth,
  useAuthDatabase,
} from './fixture.ts';

useAuthDatabase();

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signRs256(header: object, claims: object, key: KeyObject): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${sign('RSA-SHA256', Buffer.from(input), key).toString('base64url')}`;
}

async function ownPrivateKey({ database, vault }: AuthFixture): Promise<KeyObject> {
  const [key] = await listSigningKeys(database.sql);
  assert(key);
  const der = vault.open(key.sealedPrivateKey, `signing_key/${key.kid}`);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

async function refusedWith(fixture: AuthFixture, token: string, message: RegExp): Promise<void> {
  const error = await refusal(fixture.auth.authenticate(token, fixture.clock.nowMs()));
  assert.equal(error.errorClass, 'unauthorized');
  assert.match(error.message, message);
  assert.equal(
    error.headers['www-authenticate'],
    `Bearer realm="api", error="invalid_token", error_description="${error.message}"`,
  );
}

/** When a token of now ends, in epoch milliseconds. */
const secondOf = (nowMs: number) => Math.floor(nowMs / 1_000) * 1_000;

function endOf(nowMs: number): number {
  return (Math.floor(nowMs / 1000) + 86_400) * 1000;
}

test('every operation 200 AUTH-5: a live token is the account as the database has it', async (t) => {
  const fixture = await startAuth(t);
  const partner = await addClient(fixture, { holdsLegacyCardKey: true });
  const group = await addClient(fixture, { type: 'CUSTOMER', name: 'Group', scopes: [] });
  const nowMs = fixture.clock.nowMs();
  const { accessToken } = await logIn(fixture, partner);
  assert.deepEqual(await fixture.auth.authenticate(accessToken, nowMs), {
    clientId: partner.clientId,
    name: 'Larder Counts, live',
    type: 'PARTNER',
    partnerGuid: PARTNER_GUID,
    managementGroupGuid: null,
    scopes: new Set(ALL_SCOPES),
    holdsLegacyCardKey: true,
    tokenIssuedAtMs: secondOf(nowMs),
    tokenExpiresAtMs: endOf(nowMs),
  });
  const groupToken = (await logIn(fixture, group)).accessToken;
  assert.deepEqual(await fixture.auth.authenticate(groupToken, nowMs), {
    clientId: group.clientId,
    name: 'Group',
    type: 'CUSTOMER',
    partnerGuid: null,
    managementGroupGuid: GROUP_GUID,
    scopes: new Set(),
    holdsLegacyCardKey: false,
    tokenIssuedAtMs: secondOf(nowMs),
    tokenExpiresAtMs: endOf(nowMs),
  });
});

test('backOffice.metrics 200: a token of the back office is its account', async (t) => {
  const fixture = await startAuth(t);
  for (const managementGroupGuid of [GROUP_GUID, null]) {
    const scopes = ['metrics:read'] as const;
    const account = { type: 'BACK_OFFICE', name: 'Operator', scopes, managementGroupGuid } as const;
    const credentials = await addClient(fixture, account);
    const { accessToken } = await logIn(fixture, credentials);
    assert.deepEqual(await fixture.auth.authenticate(accessToken, fixture.clock.nowMs()), {
      clientId: credentials.clientId,
      name: 'Operator',
      type: 'BACK_OFFICE',
      partnerGuid: null,
      managementGroupGuid,
      scopes: new Set(scopes),
      holdsLegacyCardKey: false,
      tokenIssuedAtMs: secondOf(fixture.clock.nowMs()),
      tokenExpiresAtMs: endOf(fixture.clock.nowMs()),
    });
  }
});

test('every operation 401 AUTH-5: each kind of dead token gets its own text', async (t) => {
  const fixture = await startAuth(t);
  const { accessToken } = await logIn(fixture, await addClient(fixture));
  const [header, claims, signature] = accessToken.split('.');
  await refusedWith(fixture, 'garbage', /malformed/);
  await refusedWith(fixture, 'a.b.c', /malformed/);
  await refusedWith(fixture, `${header}.${claims}.`, /altered/);
  await refusedWith(fixture, `${header}.${claims}`, /malformed/);
  await refusedWith(fixture, `${accessToken}.x`, /malformed/);
  await refusedWith(fixture, 'x'.repeat(100_000), /malformed/);
  const other = { ...jwtPart(accessToken, 1), scope: 'stock:write' };
  await refusedWith(fixture, `${header}.${encode(other)}.${signature}`, /altered/);
  const issuer = { ...fixture.parts.issuer, baseUrl: () => 'https://elsewhere.test' };
  const elsewhere = createAuth({ ...fixture.parts, issuer });
  const foreign = await logIn({ auth: elsewhere, clock: fixture.clock }, await addClient(fixture));
  const whereToLogIn =
    /issued by another environment, .* restored: log in at https:\/\/platform\.test\.$/;
  await refusedWith(fixture, foreign.accessToken, whereToLogIn);
  // Nobody can check what a token signed elsewhere says, so it chooses the text and nothing else.
  const unknown = encode({ ...jwtPart(accessToken, 0), kid: 'nobody' });
  const issuedAt = (iss: unknown) => `${unknown}.${encode({ ...other, iss })}.${signature}`;
  await refusedWith(fixture, issuedAt('https://elsewhere.test/'), whereToLogIn);
  await refusedWith(fixture, issuedAt('https://platform.test/'), /unknown key/);
  await refusedWith(fixture, issuedAt(['https://elsewhere.test/']), /unknown key/);
  await refusedWith(fixture, `${unknown}.e30x.${signature}`, /unknown key/);
  fixture.clock.advance(86_399_999);
  await fixture.auth.authenticate(accessToken, fixture.clock.nowMs());
  fixture.clock.advance(1);
  await refusedWith(fixture, accessToken, /expired/);
});

test('every operation 401 AUTH-5: algorithm confusion and foreign keys open nothing', async (t) => {
  const fixture = await startAuth(t);
  const { accessToken } = await logIn(fixture, await addClient(fixture));
  const good = jwtPart(accessToken, 0);
  const claims = jwtPart(accessToken, 1);
  const own = await ownPrivateKey(fixture);
  const mine = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = mine.publicKey.export({ format: 'jwk' });
  const [record] = await listSigningKeys(fixture.database.sql);
  const ownPem = Buffer.from(JSON.stringify(record?.publicJwk));
  const hmacInput = `${encode({ ...good, alg: 'HS256' })}.${encode(claims)}`;
  const hmac = createHmac('sha256', ownPem).update(hmacInput).digest('base64url');
  const body = encode(claims);
  // The control: made by hand with the true key, the token is accepted.
  await fixture.auth.authenticate(signRs256(good, claims, own), fixture.clock.nowMs());
  const attacks: [string, string, RegExp][] = [
    ['none', `${encode({ ...good, alg: 'none' })}.${body}.`, /malformed/],
    ['None', `${encode({ ...good, alg: 'None' })}.${body}.`, /malformed/],
    ['HS256 with the public key', `${hmacInput}.${hmac}`, /malformed/],
    ['PS256', signRs256({ ...good, alg: 'PS256' }, claims, own), /malformed/],
    ['another key', signRs256(good, claims, mine.privateKey), /altered/],
    ['embedded jwk', signRs256({ ...good, jwk }, claims, mine.privateKey), /malformed/],
    [
      'embedded jwk, no kid',
      signRs256({ alg: 'RS256', typ: 'JWT', jwk }, claims, mine.privateKey),
      /malformed/,
    ],
    [
      'jku',
      signRs256({ ...good, jku: 'https://evil.test/' }, claims, mine.privateKey),
      /malformed/,
    ],
    ['unknown kid', signRs256({ ...good, kid: 'nobody' }, claims, own), /unknown key/],
    ['kid injection', signRs256({ ...good, kid: "' or '1'='1" }, claims, own), /unknown key/],
    ['kid path', signRs256({ ...good, kid: '../../dev/null' }, claims, own), /unknown key/],
    ['kid NUL', signRs256({ ...good, kid: 'a\0b' }, claims, own), /unknown key/],
    ['kid number', signRs256({ ...good, kid: 7 }, claims, own), /malformed/],
    ['kid prototype', signRs256({ ...good, kid: '__proto__' }, claims, own), /unknown key/],
    ['crit', signRs256({ ...good, crit: ['exp'], exp: 1 }, claims, own), /malformed/],
    ['b64 crit', signRs256({ ...good, crit: ['b64'], b64: false }, claims, own), /malformed/],
    ['another typ', signRs256({ ...good, typ: 'dpop+jwt' }, claims, own), /malformed/],
  ];
  for (const [name, token, message] of attacks) {
    await t.test(name, () => refusedWith(fixture, token, message));
  }
});

test('every operation 401 AUTH-5: claims it would not write are refused when signed', async (t) => {
  const fixture = await startAuth(t);
  const { accessToken } = await logIn(fixture, await addClient(fixture));
  const header = jwtPart(accessToken, 0);
  const claims = jwtPart(accessToken, 1);
  const own = await ownPrivateKey(fixture);
  const foreign = /issued by another environment/;
  const changes: Record<string, unknown>[] = [
    { iss: 'https://platform.test' },
    { aud: 'https://elsewhere.test' },
    { aud: ['https://platform.test'] },
    { exp: '99999999999' },
    { exp: undefined },
    { iat: null },
    { azp: 7 },
    { jti: undefined },
    { 'https://platform.example/secret_guid': undefined },
    { scope: ['stock:read'] },
    // Beyond what the key promised: how a leaked key would be used after its retirement.
    { exp: Number(claims.exp) + 86_400 * 365 },
    { exp: 1e300 },
  ];
  for (const change of changes) {
    await refusedWith(fixture, signRs256(header, { ...claims, ...change }, own), foreign);
  }
  await refusedWith(fixture, signRs256(header, ['a'], own), foreign);
  await refusedWith(fixture, signRs256(header, { ...claims, exp: -1 }, own), /expired/);
  await refusedWith(fixture, signRs256(header, { ...claims, azp: 'nobody' }, own), /account/);
});

test('every operation 401 AUTH-5: any text as a token is a 401 and nothing else', async (t) => {
  const fixture = await startAuth(t);
  const { accessToken } = await logIn(fixture, await addClient(fixture));
  const mutated = fc
    .tuple(fc.nat(accessToken.length - 1), fc.stringMatching(/^[A-Za-z0-9_.~+/=-]$/))
    .map(([at, sign]) => accessToken.slice(0, at) + sign + accessToken.slice(at + 1))
    .filter((token) => token.slice(0, -1) !== accessToken.slice(0, -1));
  const triple = fc
    .array(fc.base64String(), { minLength: 3, maxLength: 3 })
    .map((p) => p.join('.'));
  const text = fc.oneof(mutated, triple, fc.string({ unit: anyCharacter }));
  await fc.assert(
    fc.asyncProperty(text, async (token) => {
      const error = await refusal(fixture.auth.authenticate(token, fixture.clock.nowMs()));
      assert.equal(error.errorClass, 'unauthorized');
      if (token.length > 12) assert(!JSON.stringify(error).includes(token));
    }),
    { numRuns: 150 },
  );
});

test('every operation 401 AUTH-9: a revoked account is refused at once, everywhere', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const { accessToken } = await logIn(fixture, credentials);
  const database = connectDatabase({ url: fixture.databaseUrl });
  t.after(() => database.close());
  const other = { ...fixture, auth: createAuth({ ...fixture.parts, database }) };
  await other.auth.authenticate(accessToken, fixture.clock.nowMs());
  await fixture.auth.authenticate(accessToken, fixture.clock.nowMs());
  await revokeClient(fixture.database, credentials.clientId, fixture.clock.nowMs());
  await refusedWith(fixture, accessToken, /account of the access token was revoked/);
  await refusedWith(other, accessToken, /account of the access token was revoked/);
  assert.equal((await refusal(logIn(fixture, credentials))).errorClass, 'unauthorized');
});

test('every operation 401 AUTH-10: a revoked secret ends its tokens, and those alone', async (t) => {
  const fixture = await startAuth(t);
  const { clock, database, vault } = fixture;
  const leaked = await addClient(fixture);
  const { clientId } = leaked;
  const next = await addSecret({ sql: database.sql, vault }, clientId, clock.nowMs());
  const tokensOf = async (credentials: typeof next) => {
    const narrowed = async (scope: string) => {
      const body = { grant_type: 'client_credentials', scope };
      const answer = await call(fixture, 'auth.token', { headers: basic(credentials), body });
      return (answer.json as { access_token: string }).access_token;
    };
    return [
      (await logIn(fixture, credentials)).accessToken,
      await narrowed('stock:read'),
      await narrowed('config:read stock:read'),
    ];
  };
  const ended = await tokensOf(leaked);
  // The same secret gets other tokens after a change, and the older ones live on.
  await setScopes(database, clientId, ['config:read', 'stock:read', 'stock:write']);
  ended.push(...(await tokensOf(leaked)));
  const kept = await tokensOf(next);
  assert.equal(new Set([...ended, ...kept]).size, ended.length + kept.length - 2);
  const elsewhere = connectDatabase({ url: fixture.databaseUrl });
  t.after(() => elsewhere.close());
  const others = createAuth({ ...fixture.parts, database: elsewhere });
  const isActive = async (token: string) => {
    const answer = await call(fixture, 'auth.introspect', {
      headers: basic(next),
      body: { token },
    });
    return (answer.json as { active: boolean }).active;
  };
  for (const token of [...ended, ...kept]) assert.equal(await isActive(token), true);
  await revokeSecret(database, clientId, leaked.secretGuid, clock.nowMs());
  for (const token of ended) {
    await refusedWith(fixture, token, /secret that issued the access token was revoked/);
    await refusedWith({ ...fixture, auth: others }, token, /secret .* was revoked/);
    assert.equal(await isActive(token), false);
  }
  for (const token of kept) {
    assert.equal(await isActive(token), true);
    for (const { authenticate } of [fixture.auth, others]) {
      assert.equal((await authenticate(token, clock.nowMs())).clientId, clientId);
    }
  }
});

test('every operation 200 AUTH-10: a secret that expires ends no token before its time', async (t) => {
  const fixture = await startAuth(t);
  const { clock, database, vault } = fixture;
  const { clientId } = await addClient(fixture);
  const expiresAt = new Date(clock.nowMs() + 60_000);
  const deps = { sql: database.sql, vault };
  const old = await addSecret(deps, clientId, clock.nowMs(), { expiresAt });
  const { accessToken } = await logIn(fixture, old);
  clock.advance(60_000);
  assert.equal((await refusal(logIn(fixture, old))).errorClass, 'unauthorized');
  await fixture.auth.authenticate(accessToken, clock.nowMs());
  // It leaked: revoking it after its end is about its tokens.
  await revokeSecret(database, clientId, old.secretGuid, clock.nowMs());
  await refusedWith(fixture, accessToken, /secret .* was revoked/);
});

test('every operation 401 AUTH-5: a signature has one spelling', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture);
  const { accessToken } = await logIn(fixture, credentials);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const bytesOf = (token: string) => Buffer.from(token.split('.')[2] ?? '', 'base64url');
  const others = [...alphabet]
    .map((last) => accessToken.slice(0, -1) + last)
    .filter((token) => token !== accessToken && bytesOf(token).equals(bytesOf(accessToken)));
  assert.equal(others.length, 15, 'four bits of the last character of 342 are spare');
  others.push(`${accessToken}=`, `${accessToken}==`);
  const start = accessToken.lastIndexOf('.') + 1;
  others.push(accessToken.slice(0, start) + accessToken.slice(start).replaceAll('_', '/'));
  // Also for a token whose true spelling was let in before.
  await fixture.auth.authenticate(accessToken, fixture.clock.nowMs());
  for (const token of others) {
    if (token !== accessToken) await refusedWith(fixture, token, /malformed/);
  }
});

test('every operation 200 AUTH-9: changed scopes are in force for older tokens', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture, { scopes: ['stock:read'] });
  const { accessToken } = await logIn(fixture, credentials);
  const scopesNow = async () =>
    [...(await fixture.auth.authenticate(accessToken, fixture.clock.nowMs())).scopes].sort();
  assert.deepEqual(await scopesNow(), ['stock:read']);
  await setScopes(fixture.database, credentials.clientId, ['stock:write', 'config:read']);
  assert.deepEqual(await scopesNow(), ['config:read', 'stock:write']);
  await setScopes(fixture.database, credentials.clientId, []);
  assert.deepEqual(await scopesNow(), []);
});

test('every operation 200 AUTH-9: a narrowed token does no more than was asked', async (t) => {
  const fixture = await startAuth(t);
  const credentials = await addClient(fixture, { scopes: ['stock:read', 'stock:write'] });
  const answer = await call(fixture, 'auth.token', {
    headers: basic(credentials),
    body: { grant_type: 'client_credentials', scope: 'stock:read' },
  });
  const { access_token: token } = answer.json as { access_token: string };
  const scopesNow = async () =>
    [...(await fixture.auth.authenticate(token, fixture.clock.nowMs())).scopes].sort();
  assert.deepEqual(await scopesNow(), ['stock:read']);
  await setScopes(fixture.database, credentials.clientId, ALL_SCOPES);
  assert.deepEqual(await scopesNow(), ['stock:read']);
  await setScopes(fixture.database, credentials.clientId, ['stock:write']);
  assert.deepEqual(await scopesNow(), []);
});
