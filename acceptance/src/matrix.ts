import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type OperationId, operationById } from '@servery/contract';
import type { Answer } from './answer.ts';
import { type ExpectedOperation, isBackOffice } from './operations.ts';
import { isRefusal, type StatusRequests } from './status-requests.ts';
import { messageOf } from './values.ts';

/**
 * Statuses that one call to a shared platform cannot get, and which tests get them instead.
 * Everything else that the contract declares is provoked here, one test for each operation and
 * status: declaring a status that nothing provokes fails.
 */
const provenElsewhere: Readonly<Record<number, string>> = {
  429: 'rate-limits.test.ts, for each operation, on a platform with small budgets',
  500: 'nothing outside can break the platform; payments.test.ts has the declared one',
  503: 'nothing outside can take its database away; the rings inside do',
};

/** The same for single operations: who proves the 409 of each that this matches. */
const conflictsElsewhere: readonly (readonly [operation: RegExp, where: string])[] = [
  [
    /^configuration\.\w+\.list$/,
    'production.test.ts: a publication between pages needs an operator',
  ],
  [
    /^backOffice\.me\.views\.save$/,
    'people/views.test.ts in the server: one more view than anybody can have',
  ],
  [/^backOffice\.webhooks\.deliveries\.drop$/, 'webhooks.test.ts, with a receiver that takes it'],
  [
    /^backOffice\.orders\.selections\.void$/,
    'orders/void-money.test.ts in the server: a discount that is not published anymore',
  ],
  [/^backOffice\.clock\./, 'prove-held.ts, for each move, while another one is under way'],
];

/** How often a list that others change is asked for the tag that it has just shown. */
const LOOKS_AT_A_CHANGING_LIST = 10;

function declared({ id }: ExpectedOperation): readonly number[] {
  const isElsewhere = conflictsElsewhere.some(([operation]) => operation.test(id));
  return operationById(id as OperationId).statuses.filter(
    (status) => !provenElsewhere[status] && !(isElsewhere && status === 409),
  );
}

/** What else must hold after a call, beside its answer. */
type AfterCall = (operation: ExpectedOperation, answer: Answer) => Promise<void>;

/**
 * The tests of each operation: one for each status that the contract declares for it, one without
 * its scope, and one for a path of several parts. The refusals come first, and leave their data to
 * the call that succeeds.
 */
export function testOperations(
  operations: readonly ExpectedOperation[],
  requests: StatusRequests,
  afterCall: AfterCall = async () => {},
): void {
  const narrowed = new Map<string, Promise<string>>();
  for (const operation of operations) {
    const { refusal = [], other = [] } = Object.groupBy([...declared(operation), 405], (status) =>
      isRefusal(status) ? 'refusal' : 'other',
    );
    for (const status of refusal) testStatus(operation, status, requests, afterCall);
    testScope(operation, requests, narrowed);
    if (isBackOffice(operation)) testParts(operation, requests);
    for (const status of other) testStatus(operation, status, requests, afterCall);
  }
}

function testStatus(
  operation: ExpectedOperation,
  status: number,
  requests: StatusRequests,
  afterCall: AfterCall,
): void {
  test(`${operation.id} ${status}: the status is answered, in the declared shape`, async () => {
    if (status === 304) return assertUnchanged(operation, requests);
    const request = await requests.requestFor(operation, status);
    assert.ok(request, `nothing is known that makes ${operation.id} answer ${status}`);
    const caller = await requests.callerOf(request);
    await afterCall(operation, await caller.call(operation.id, status, request.options));
  });
}

/**
 * A request with the tag of the present answer gets an empty 304. Other files of the suite change
 * the same platform meanwhile: if the tag is no longer the present one, it asks again.
 */
async function assertUnchanged(
  operation: ExpectedOperation,
  requests: StatusRequests,
): Promise<void> {
  for (let look = 1; ; look += 1) {
    const request = await requests.requestFor(operation, 304);
    assert.ok(request, `nothing is known that makes ${operation.id} answer 304`);
    const { options } = request;
    const answer = await (await requests.callerOf(request)).send(operation, options);
    const isAnother = answer.headers.etag !== options.headers?.['if-none-match'];
    if (answer.status === 200 && isAnother && look < LOOKS_AT_A_CHANGING_LIST) continue;
    const told = `${answer.method} ${answer.path} with the tag just shown: does it hold the time?`;
    assert.equal(answer.status, 304, told);
    return;
  }
}

/** A test of an operation that needs a scope: with all others but not it. */
function testScope(
  operation: ExpectedOperation,
  requests: StatusRequests,
  narrowed: Map<string, Promise<string>>,
): void {
  const { id, scope, orScope } = operation;
  if (scope === null) return;
  test(`${id} 403 AUTH-8: without ${scope} it is told so`, async () => {
    const { options } = await requests.unusedSample(operation);
    const account = isBackOffice(operation) ? 'operator' : 'partner';
    const missing = orScope === null ? [scope] : [scope, orScope];
    const token = narrowed.get(scope) ?? tokenWithout(requests, account, missing);
    narrowed.set(scope, token);
    const caller = requests.callers.anonymous();
    const answer = await caller.call(id, 403, { ...options, token: await token });
    assert.ok(messageOf(answer).includes(scope), messageOf(answer));
  });
}

/** A test of a path of several parts: each of them is looked up by itself. */
function testParts(operation: ExpectedOperation, requests: StatusRequests): void {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  if (names.length < 2) return;
  test(`${operation.id} 404 PAY-12: each part of its path is looked up by itself`, async () => {
    const { options } = await requests.unusedSample(operation);
    const operator = await requests.callers.as('operator');
    for (const name of names) {
      for (const value of [randomUUID(), 'table 7']) {
        const params = { ...options.params, [name]: value };
        await operator.call(operation.id, 404, { ...options, params });
      }
    }
  });
}

/** A token of a demo account with all its scopes but these. */
async function tokenWithout(
  { callers }: StatusRequests,
  account: 'partner' | 'operator',
  missing: readonly string[],
): Promise<string> {
  const { clientId, clientSecret, scopes } = callers.platform.demo.clients[account];
  const scope = scopes.filter((each) => !missing.includes(each)).join(' ');
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const options = {
    form: { grant_type: 'client_credentials', scope },
    headers: { authorization: `Basic ${basic}` },
  };
  const { json } = await callers.anonymous().call('auth.token', 200, options);
  return (json as { access_token: string }).access_token;
}
