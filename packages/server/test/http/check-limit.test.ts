import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@servery/contract';
import { createApplication } from '../../src/http/application.ts';
import type { OperationHandlers } from '../../src/http/operation.ts';
import { MemoryRateCounter } from '../../src/http/rate-limit.ts';
import { FixedClock } from '../../src/support/clock.ts';
import { afterTurn } from '../../src/support/runner.ts';
import { NOW_MS } from '../request.ts';

const nothing = () => {};
const RESTAURANT = '3f1de4b5-6c3f-4f0a-8f1e-0d6a0c1b2a3d';

/** An application whose database gives no answer about who sends a request. */
function silentApplication() {
  const answer = async () => ({ json: {} });
  const handlers = Object.fromEntries(operations.map(({ id }) => [id, answer]));
  return createApplication(
    {
      brand: 'Platform',
      clock: new FixedClock(NOW_MS),
      realClock: new FixedClock(NOW_MS),
      rateLimits: { perSecond: 100, perQuarterHour: 100 },
      rateCounter: new MemoryRateCounter(),
      authenticate: () => new Promise(nothing),
      access: () => new Promise(nothing),
      baseUrl: () => 'http://127.0.0.1:4400',
      log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
      isSandbox: false,
      trustedProxies: [],
      observers: [],
      attest: (text) => Buffer.from(text),
    },
    handlers as unknown as OperationHandlers,
  );
}

test('creditCards.authorize 503 C2: checks that take too long end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const app = silentApplication();
  let isAnswered = false;
  const sending = app
    .inject({
      method: 'PUT',
      url: `/ccpartner/v1/merchants/${RESTAURANT}/payments/${RESTAURANT}`,
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      payload: '{}',
    })
    .finally(() => {
      isAnswered = true;
    });
  while (!isAnswered) {
    t.mock.timers.tick(1_000);
    await new Promise<void>((resolve) => afterTurn(resolve));
  }
  const { statusCode, headers, json } = await sending;
  assert.equal(statusCode, 503);
  assert.match(json().message, /could not check in time who sends the request/);
  assert.equal(headers['retry-after'], '2');
});
