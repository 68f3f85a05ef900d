import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operationById } from '@servery/contract';
import { DemoCallers } from './client.ts';
import { type ExpectedOperation, expectedOperations } from './operations.ts';
import { platformUnderTest } from './platform.ts';
import { Provoker } from './provoke.ts';
import { messageOf } from './values.ts';

/**
 * Statuses that one call to the shared platform cannot provoke, and who proves them instead.
 * Everything else that the contract declares is provoked here, one test for each operation and
 * status: declaring a status that nothing provokes fails.
 */
const provenElsewhere: Readonly<Record<number, string>> = {
  429: 'rate-limits.test.ts, for each operation, on a platform with small budgets',
  500: 'nothing outside can break the platform; payments.test.ts has the declared one',
  503: 'nothing outside can take its database away; the rings inside do',
};

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const provoker = new Provoker(callers);

function declared(operation: ExpectedOperation): readonly number[] {
  const { statuses } = operationById(operation.id as OperationId);
  const isPagedList = /^configuration\.\w+\.list$/.test(operation.id);
  // A publication between two pages needs an operator: changes.test.ts has one.
  return statuses.filter((status) => !provenElsewhere[status] && !(isPagedList && status === 409));
}

for (const operation of expectedOperations) {
  for (const status of [...declared(operation), 405]) {
    test(`${operation.id} ${status}: the status is answered, in the declared shape`, async () => {
      const provocation = await provoker.provoke(operation, status);
      assert.ok(provocation, `nothing is known that makes ${operation.id} answer ${status}`);
      const caller = await provoker.callerOf(provocation);
      await caller.call(operation.id, status, provocation.options);
    });
  }
}

const narrowed = new Map<string, Promise<string>>();

/** A token of the demo partner with all scopes but one. */
function tokenWithout(missing: string): Promise<string> {
  const known = narrowed.get(missing);
  if (known) return known;
  const { clientId, clientSecret, scopes } = platform.demo.clients.partner;
  const scope = scopes.filter((each) => each !== missing).join(' ');
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const options = {
    form: { grant_type: 'client_credentials', scope },
    headers: { authorization: `Basic ${basic}` },
  };
  const token = callers
    .anonymous()
    .call('auth.token', 200, options)
    .then(({ json }) => (json as { access_token: string }).access_token);
  narrowed.set(missing, token);
  return token;
}

for (const operation of expectedOperations) {
  const { id, scope } = operation;
  if (scope === null) continue;
  test(`${id} 403 T8: without ${scope} it is told so`, async () => {
    const { options } = await provoker.sample(operation);
    const token = await tokenWithout(scope);
    const answer = await callers.anonymous().call(id, 403, { ...options, token });
    assert.ok(messageOf(answer).includes(scope), messageOf(answer));
  });
}

for (const operation of expectedOperations.filter(({ restaurant }) => restaurant === 'header')) {
  test(`${operation.id} 400 C6: the restaurant header is required`, async () => {
    const { options } = await provoker.sample(operation);
    const { restaurant: _, ...rest } = options;
    await (await callers.as('partner')).call(operation.id, 400, rest);
  });
}
