import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { createApplication } from '../../src/http/edge/application.ts';
import type { OperationHandlers } from '../../src/http/operation.ts';
import { MemoryRateCounter } from '../../src/http/pipeline/rate-limit.ts';
import { attest, NOW_MS, principal } from '../request.ts';

const FOREIGN = '33333333-3333-4333-8333-333333333333';
const PARTNERS = '/partners/v1/restaurants';
const handlers = Object.fromEntries(
  operations.map(({ id }) => [id, async () => ({ json: {} })]),
) as unknown as OperationHandlers;
const silent = () => {};

const application = (perSecond: number) =>
  createApplication(
    {
      brand: 'Platform',
      clock: new FixedClock(NOW_MS),
      realClock: new FixedClock(NOW_MS),
      rateLimits: { perSecond, perQuarterHour: 100_000 },
      rateCounter: new MemoryRateCounter(),
      authenticate: async () => principal(),
      isSandbox: true,
      access: async () => ({ outcome: 'notGranted' }),
      baseUrl: () => 'http://127.0.0.1:4400',
      log: { debug: silent, info: silent, warn: silent, error: silent },
      trustedProxies: [],
      observers: [],
      attest,
    },
    handlers,
  );

test('pipeline 429 API-7: one IPv6 network has one budget, for refused and for charged', async () => {
  const tight = application(3);
  const from = async (remoteAddress: string, url = PARTNERS) => {
    const headers = { 'platform-restaurant-external-id': FOREIGN };
    return (await tight.inject({ url, headers, remoteAddress })).statusCode;
  };
  assert.equal(await from('2001:db8:1:2::1'), 200);
  assert.equal(await from('2001:db8:1:2:a::2', '/stock/v1/inventory'), 403, 'it is charged too');
  assert.equal(await from('2001:db8:1:2:b::3'), 200);
  assert.equal(await from('2001:db8:1:2:c::4'), 429);
  assert.equal(await from('2001:db8:1:3::1'), 200, 'another network');
  assert.equal(await from('::ffff:203.0.113.9'), 200);
});
