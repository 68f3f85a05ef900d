import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterTurn } from '@servery/support/runner.ts';
import { createApplication } from '../../src/http/edge/application.ts';
import { applicationDeps, emptyHandlers } from './application-deps.ts';

const nothing = () => {};
const RESTAURANT = '3f1de4b5-6c3f-4f0a-8f1e-0d6a0c1b2a3d';

/** An application whose database gives no answer about who sends a request. */
function silentApplication() {
  const silent = { authenticate: () => new Promise<never>(nothing) };
  return createApplication({ ...applicationDeps(), ...silent }, emptyHandlers());
}

test('creditCards.authorize 503 API-2: checks that take too long end', async (t) => {
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
  assert.match(json().message, /could not authenticate the request in time/);
  assert.equal(headers['retry-after'], '2');
});
