import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationById } from '@servery/contract';
import { ApiError } from '../errors.ts';
import type { Caller, IdentifyCaller } from '../operation.ts';
import { findReachNow } from './reach-now.ts';

const operation = operationById('backOffice.requests.stream');
const request = { operation, method: 'GET', headers: {} };
const nowhere = { isPlatform: false, groupGuids: [], restaurantGuids: [], partnerGuids: [] };

function client(parts: { type: 'BACK_OFFICE' | 'PARTNER'; scopes: 'requests:read'[] }): Caller {
  return {
    clientId: 'client',
    name: 'Test',
    partnerGuid: parts.type === 'PARTNER' ? 'courier' : null,
    managementGroupGuid: null,
    holdsLegacyCardKey: false,
    tokenIssuedAtMs: 0,
    tokenExpiresAtMs: Number.POSITIVE_INFINITY,
    type: parts.type,
    scopes: new Set(parts.scopes),
  };
}

const reachWhen = (authenticate: IdentifyCaller) => findReachNow(authenticate, request, 7);

test('reach AUTH-9: asked anew it is where the scope is held at that moment', async () => {
  const whole = client({ type: 'BACK_OFFICE', scopes: ['requests:read'] });
  const asked: unknown[] = [];
  const reach = await reachWhen(async (...given) => {
    asked.push(given);
    return whole;
  });
  assert.equal(reach.isPlatform, true);
  assert.deepEqual(asked, [[request, 7]]);
});

test('reach AUTH-9: nothing is reached without the scope, the session or the right kind', async () => {
  const refuse = (errorClass: 'unauthorized' | 'forbidden') => async () => {
    throw new ApiError(errorClass, 'No more.');
  };
  assert.deepEqual(await reachWhen(refuse('unauthorized')), nowhere);
  assert.deepEqual(await reachWhen(refuse('forbidden')), nowhere);
  const bare = client({ type: 'BACK_OFFICE', scopes: [] });
  assert.deepEqual(await reachWhen(async () => bare), nowhere);
  const partner = client({ type: 'PARTNER', scopes: ['requests:read'] });
  assert.deepEqual(await reachWhen(async () => partner), nowhere);
});

test('reach AUTH-9: what is no refusal is told, and never taken for a right', async () => {
  const away = async () => {
    throw new Error('the database is away');
  };
  await assert.rejects(reachWhen(away), /the database is away/);
  const unavailable = async () => {
    throw new ApiError('unavailable', 'Try again.');
  };
  await assert.rejects(reachWhen(unavailable), /Try again/);
});
