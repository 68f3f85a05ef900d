import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addClient,
  BASE_URL,
  GROUP_GUID,
  jwtPart,
  logIn,
  PARTNER_GUID,
  START_MS,
  startAuth,
  useAuthDatabase,
} from './fixture.ts';

useAuthDatabase();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('auth.login 200 AUTH-4: a PARTNER token has exactly the claims of the row', async (t) => {
  const fixture = await startAuth(t);
  const { clientId, clientSecret, secretGuid } = await addClient(fixture);
  const { accessToken } = await logIn(fixture, { clientId, clientSecret });
  const header = jwtPart(accessToken, 0);
  assert.deepEqual(header, { alg: 'RS256', typ: 'JWT', kid: header.kid });
  const claims = jwtPart(accessToken, 1);
  assert.match(String(claims.jti), UUID);
  assert.deepEqual(claims, {
    iss: `${BASE_URL}/`,
    aud: BASE_URL,
    sub: `${clientId}@clients`,
    azp: clientId,
    scope:
      'config:read credit_cards.authorization:write menus:read restaurants:read stock:read stock:write',
    gty: 'client-credentials',
    'https://platform.example/client_name': 'Larder Counts, live',
    'https://platform.example/access_type': 'PLATFORM_MACHINE_CLIENT',
    'https://platform.example/type': 'PARTNER',
    'https://platform.example/partner_guid': PARTNER_GUID,
    'https://platform.example/secret_guid': secretGuid,
    iat: START_MS / 1_000,
    exp: START_MS / 1_000 + 86_400,
    jti: claims.jti,
  });
});

test('auth.login 200 AUTH-4: a BACK_OFFICE token names its group, or nobody', async (t) => {
  const fixture = await startAuth(t);
  const claimsOf = async (managementGroupGuid: string | null) => {
    const account = { type: 'BACK_OFFICE', scopes: ['clock:read'], managementGroupGuid } as const;
    return jwtPart((await logIn(fixture, await addClient(fixture, account))).accessToken, 1);
  };
  const ofGroup = await claimsOf(GROUP_GUID);
  assert.equal(ofGroup['https://platform.example/type'], 'BACK_OFFICE');
  assert.equal(ofGroup['https://platform.example/management_set_guid'], GROUP_GUID);
  assert.equal(ofGroup.scope, 'clock:read');
  const ofPlatform = await claimsOf(null);
  assert.equal(ofPlatform['https://platform.example/type'], 'BACK_OFFICE');
  for (const owner of ['management_set_guid', 'partner_guid']) {
    assert(!(`https://platform.example/${owner}` in ofPlatform), owner);
  }
  assert(!('https://platform.example/partner_guid' in ofGroup));
});
