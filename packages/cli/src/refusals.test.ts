import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  NoAnswer,
  NotAPlatform,
  PlatformFailed,
  Refused,
  Silence,
} from '@servery/client/back-office';
import type { OperationId } from '@servery/contract';
import { CommandFailure, Interrupted } from './exit-codes.ts';
import { failureOf } from './refusals.ts';

const connection = { baseUrl: 'https://platform.example', person: null };

/** What a person is told of a refusal. */
function told(
  operation: OperationId,
  status: number,
  message: string,
  labels: Readonly<Record<string, string>> = {},
  faults: readonly string[] = [],
): string {
  const fields = faults.map((fault) => ({ code: null, message: fault }));
  const refused = new Refused(message, {
    ...{ operation, status, code: null, faults: fields, requestId: 'r-1' },
    ...{ link: null, retryAfterMs: null },
  });
  const asker = { connection, labels: new Map(Object.entries(labels)) };
  return (failureOf(refused, asker) as Error).message;
}

test('servery 404: what is missing is named, with the command that lists what there is', () => {
  const lists = {
    'backOffice.alarms.acknowledge': ['alarm', 'servery alarms --all'],
    'backOffice.cardKeys.retire': ['card key of this account', 'servery keys list <client>'],
    'backOffice.cardKeys.issue': ['API account', 'servery clients list'],
    'backOffice.webhooks.deliveries.drop': ['delivery', 'servery webhooks deliveries'],
    'backOffice.restaurants.get': ['restaurant', 'servery restaurants list'],
  } as const;
  for (const [operation, [thing, list]] of Object.entries(lists)) {
    assert.equal(
      told(operation as OperationId, 404, 'The path names nothing.'),
      `the platform refused with 404: There is no such ${thing}, or you don't have access to it. ` +
        `"${list}" shows what there is. (request r-1)`,
    );
  }
});

test('servery 404: a payment may be at another restaurant', () => {
  assert.equal(
    told('backOffice.payments.void', 404, 'The path names no payment.'),
    "the platform refused with 404: There is no such payment at this restaurant, or you don't " +
      'have access to it. A payment at another restaurant needs --restaurant. ' +
      '"servery payments list" shows what there is. (request r-1)',
  );
});

test('servery 422: fields and parameters have the names of the command line', () => {
  const labels = { notAfter: '--not-after', reason: '--reason', now: '<instant>' };
  const says = (message: string) => told('backOffice.clock.set', 422, message, labels);
  assert.match(says('notAfter must be in the future.'), /: --not-after must be in the future\./);
  assert.match(
    says('reason must have 1 to 200 characters; now must be an instant.'),
    /: --reason must have 1 to 200 characters; <instant> must be an instant\./,
  );
  assert.match(says('The clock cannot go there: now is too late.'), /there: now is too late\./);
  assert.match(
    says('reason is required and missing; now is required and missing.'),
    /: --reason and <instant> are missing\./,
  );
});

test('servery 422: fields inside others, and durations, are as on the command line', () => {
  const labels = { 'fault.code': '--code', 'fault.duration': '--duration', times: '--times' };
  const says = (message: string) => told('backOffice.faults.add', 422, message, labels);
  assert.match(
    says('fault.code does not go with latency, which takes fault.duration.'),
    /: --code does not go with latency, which takes --duration\./,
  );
  assert.match(says('rate does not go with times: send only one of them.'), /with --times: send/);
  assert.match(
    says('fault.duration must be an ISO 8601 duration from PT1M to P30DT12H, for example PT2S.'),
    /: --duration must be a duration from 1m to 30d12h, for example 2s\./,
  );
});

test('servery 404: a request may be in the log of another environment', () => {
  const hintOf = (others: readonly string[]) => {
    const refused = new Refused('The path names no request.', {
      ...{ operation: 'backOffice.requests.get', status: 404, code: null, faults: [] },
      ...{ requestId: 'r-1', link: null, retryAfterMs: null },
    });
    const { message } = failureOf(refused, { connection, others: () => others }) as Error;
    return /shows what there is\.(.*) \(request r-1\)$/.exec(message)?.[1];
  };
  assert.equal(hintOf([]), '');
  assert.equal(hintOf(['main']), ' It may be in another environment: add --sandbox main.');
  assert.match(hintOf(['main', 'pull-42']) ?? '', /: add --sandbox and one of main, pull-42\.$/);
});

test('servery: faults are listed unless the message already has them', () => {
  const faults = ['name: is missing', 'plu: is a number'];
  const list = told('backOffice.stock.set', 400, 'The document is wrong.', {}, faults);
  assert.ok(list.endsWith('\n  - name: is missing\n  - plu: is a number'));
  const same = told('backOffice.stock.set', 400, 'name is missing; plu is a number.', {}, faults);
  assert.ok(!same.includes('\n'));
});

const says = (error: Error) => {
  const failure = failureOf(error, { connection });
  assert.ok(failure instanceof CommandFailure);
  return `${failure.exitCode}: ${failure.message}`;
};
const lost = (code: string, isOutcomeUnknown = true) =>
  says(new NoAnswer('', isOutcomeUnknown, Object.assign(new Error('x'), { code })));

test('servery: what does not answer is named with the reason and what to do', () => {
  assert.match(
    lost('ECONNREFUSED'),
    /^1: cannot reach a platform at https:\/\/platform\.example: nothing listens there\. Start one/,
  );
  assert.match(lost('ERR_SSL_WRONG_VERSION_NUMBER'), /it speaks HTTP, not HTTPS: use http:/);
  assert.match(
    lost('ECONNRESET'),
    /broke before the answer .* It is not known whether it was done/,
  );
  assert.match(lost('ECONNRESET', false), /broke before the answer .* Try again\.$/);
  assert.match(
    says(new NoAnswer('', true, new Silence(60_000))),
    /^1: nothing arrived from https:\S+ for 1 minute, so this command gave up\. It is not known/,
  );
  assert.match(lost('UND_ERR_HEADERS_TIMEOUT', false), /for long, so .* gave up\. Try again later/);
  const ending = new Interrupted('interrupted', 130);
  assert.match(says(new NoAnswer('', true, ending)), /^130: interrupted before the platform answ/);
});

test('servery: what is no platform, and one that fails, end with 1', () => {
  const { baseUrl } = connection;
  assert.match(
    says(new NotAPlatform(baseUrl, 302)),
    /^1: .* not as a platform does \(status 302\)/,
  );
  assert.match(says(new NotAPlatform(baseUrl, 401, true)), /^1: .* no platform at \/\. Leave/);
  assert.equal(
    says(
      new PlatformFailed('Stopping.', {
        ...{ operation: null, status: 503, code: null, faults: [], requestId: 'r-1' },
        ...{ link: null, retryAfterMs: null },
      }),
    ),
    '1: the platform failed with 503: Stopping. (request r-1)',
  );
});

test('servery 422: places that a replay needs are told as --set takes them', () => {
  const says = (message: string) =>
    told('backOffice.requests.replay', 422, message, { set: '--set', card: '--card' });
  const message =
    'set["The body"] is required: give it; set["a[\\"b\\"]"] is none; set.guid is none.';
  assert.match(
    says(message),
    /: --set 'The body=…' is required: give it; --set 'a\["b"\]=…' is none; --set guid=… is none\./,
  );
});
