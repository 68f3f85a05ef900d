import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { createApplication } from '../../src/http/edge/application.ts';
import type { OperationHandlers } from '../../src/http/operation.ts';
import { MemoryBudgets } from '../../src/http/pipeline/budgets.ts';
import { LeasedCounter } from '../../src/http/pipeline/leased-counter.ts';
import { MemoryRateCounter, type RateCounter } from '../../src/http/pipeline/rate-limit.ts';
import { attest, NOW_MS, principal } from '../request.ts';

const FOREIGN = '33333333-3333-4333-8333-333333333333';
const PARTNERS = '/partners/v1/restaurants';
const handlers = Object.fromEntries(
  operations.map(({ id }) => [id, async () => ({ json: {} })]),
) as unknown as OperationHandlers;
const silent = () => {};

const application = (
  perSecond: number,
  rateCounter: RateCounter = new MemoryRateCounter(),
  realClock = new FixedClock(NOW_MS),
) =>
  createApplication(
    {
      brand: 'Platform',
      clock: new FixedClock(NOW_MS),
      realClock,
      rateLimits: { perSecond, perQuarterHour: 100_000 },
      rateCounter,
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

test('pipeline 503 API-7: without the shared budget, what was leased passes, and then nothing', async () => {
  // Each ten seconds begin anew here.
  const realClock = new FixedClock(NOW_MS - (NOW_MS % 10_000));
  const shared = new MemoryBudgets();
  let isAway = false;
  const ask: MemoryBudgets['ask'] = (one) => {
    if (isAway) throw Object.assign(new Error('away'), { code: 'CONNECTION_LOST' });
    return shared.ask(one);
  };
  const leased = new LeasedCounter({ ask: async (one) => ask(one) });
  const app = application(64, leased, realClock);
  const send = () => app.inject({ url: PARTNERS });
  assert.equal((await send()).statusCode, 200);
  isAway = true;
  for (let second = 1; second <= 20; second += 1) {
    realClock.advance(1_000);
    const answers = await Promise.all(Array.from({ length: 70 }, send));
    const passed = answers.filter(({ statusCode }) => statusCode === 200);
    assert.equal(passed.length, second < 10 ? 4 : 0, 'a sixteenth, to the end of the ten seconds');
    const refused = answers.filter(({ statusCode }) => statusCode === 503);
    assert.equal(passed.length + refused.length, answers.length);
    for (const { headers } of refused) assert.match(String(headers['retry-after']), /^[1-9]/);
  }
  isAway = false;
  assert.equal((await send()).statusCode, 200);
});
