import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Forbidden, NoAnswer, NotFound, PlatformFailed, TooManyRequests } from './errors.ts';
import { operations } from './operations.ts';
import { type RetryingOptions, RetryingTransport } from './retries.ts';
import type { ReceivedResponse, Retry } from './transport.ts';

const RULES = { attempts: 3, pauseMs: 100, retryAfterAtMostMs: 5_000 };

/** A transport whose waits are over at once, and what it waited. */
function transport(answers: readonly (Response | Error)[], more: Partial<RetryingOptions> = {}) {
  const left = [...answers];
  const pauses: number[] = [];
  const own = new RetryingTransport({
    ...{ baseUrl: 'http://platform.example', operations, credentials: { accessToken: 'a.b.c' } },
    retries: RULES,
    after: (durationMs, run) => {
      if (durationMs < 60_000) {
        pauses.push(durationMs);
        queueMicrotask(run);
      }
      return () => {};
    },
    fetch: async () => {
      const answer = left.shift() ?? new Error('nothing is left');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    ...more,
  });
  return { own, pauses, left };
}

const failure = (status: number, headers = {}, body = {}) =>
  Response.json({ message: 'No.', code: 7, ...body }, { status, headers });
const broken = () => new TypeError('fetch failed');
const fine = () => Response.json([]);

test('transport: a read is repeated after a loss, with pauses that grow', async () => {
  const { own, pauses } = transport([broken(), broken(), fine()]);
  assert.deepEqual(await own.call('stock.list'), []);
  const [first = 0, second = 0] = pauses;
  assert.ok(first >= 50 && first <= 100 && second >= 100 && second <= 200, pauses.join());
  const lost = transport([broken(), broken(), broken(), fine()]);
  await assert.rejects(lost.own.call('stock.list'), NoAnswer);
  assert.equal(lost.left.length, 1);
});

test('transport: an answer that breaks off, or comes from a proxy, is a loss', async () => {
  const cut = new Response(
    new ReadableStream({ start: (controller) => controller.error(broken()) }),
  );
  const { own } = transport([cut, new Response('<html>', { status: 502 }), fine()]);
  assert.deepEqual(await own.call('stock.list'), []);
});

test('transport: what could be done twice is not sent again after a loss', async () => {
  const add = (answers: readonly (Response | Error)[]) => {
    const params = { orderGuid: 'a', checkGuid: 'b' };
    const { own } = transport(answers);
    return own.call('orders.selections.add', { params, body: [] });
  };
  await assert.rejects(add([broken(), fine()]), { isOutcomeUnknown: true });
  // Nothing was done.
  assert.deepEqual(await add([failure(503), failure(429), fine()]), []);
});

test('transport: a failure of the platform is no loss', async () => {
  const { own, left } = transport([failure(500), fine()]);
  await assert.rejects(own.call('stock.list'), PlatformFailed);
  assert.equal(left.length, 1);
});

test('transport: waits as long as Retry-After says, but not for ever', async () => {
  const { own, pauses } = transport([failure(429, { 'retry-after': '3' }), fine()]);
  await own.call('stock.list');
  assert.deepEqual(pauses, [3_000]);
  const long = transport([failure(429, { 'retry-after': '6' }), fine()]);
  await assert.rejects(long.own.call('stock.list'), (error) => {
    return error instanceof TooManyRequests && error.retryAfterMs === 6_000;
  });
});

test('transport: a call that is called off waits for nothing', async () => {
  const ending = new AbortController();
  const reason = new Error('the guest left');
  const { own, left } = transport([broken(), fine()], {
    after: (durationMs) => {
      if (durationMs < 60_000) ending.abort(reason);
      return () => {};
    },
  });
  await assert.rejects(own.call('stock.list', { signal: ending.signal }), reason);
  assert.equal(left.length, 1);
});

test('transport: errors are typed by status, with code, request and page', async () => {
  const headers = { 'acme-request-id': 'r-1' };
  const link = 'http://platform.example/errors/7';
  const { own } = transport([failure(404, headers, { link }), failure(403), failure(418)]);
  await assert.rejects(own.call('stock.list'), (error) => {
    assert.ok(error instanceof NotFound);
    const { code, requestId, operation } = error;
    assert.deepEqual([code, requestId, error.link, operation], [7, 'r-1', link, 'stock.list']);
    return true;
  });
  await assert.rejects(own.call('stock.list'), Forbidden);
  await assert.rejects(own.call('stock.list'), { name: 'Refused', status: 418 });
});

test('transport: hooks see what was sent and received, and no secret', async () => {
  const seen: unknown[] = [];
  const note = (kind: string) => (what: unknown) => {
    seen.push([kind, JSON.stringify(what)]);
  };
  let retry: Retry | undefined;
  let response: ReceivedResponse | undefined;
  const { own } = transport([broken(), Response.json([], { headers: { 'x-request-id': 'r-2' } })], {
    hooks: {
      onRequest: note('request'),
      onResponse: (received) => {
        response = received;
        note('response')(received);
      },
      onRetry: (again) => {
        retry = again;
      },
    },
  });
  const restaurant = 'dda10e2f-6e62-5a62-b65c-eeb18a617356';
  await own.call('stock.list', { restaurant, query: { status: 'OUT_OF_STOCK' } });
  assert.equal(retry?.attempt, 1);
  assert.deepEqual(
    [response?.status, response?.requestId, response?.url],
    [200, 'r-2', 'http://platform.example/stock/v1/inventory?status=OUT_OF_STOCK'],
  );
  assert.doesNotMatch(JSON.stringify(seen), /a\.b\.c/);
});

test('transport: the restaurant is named in the header of the brand that answered', async () => {
  const names: string[][] = [];
  const { own } = transport([], {
    fetch: async (_url, { headers } = {}) => {
      names.push([...new Headers(headers).keys()]);
      return Response.json([], { headers: { 'acme-request-id': 'r' } });
    },
  });
  const restaurant = 'dda10e2f-6e62-5a62-b65c-eeb18a617356';
  await own.call('stock.list', { restaurant });
  await own.call('stock.list', { restaurant });
  assert.ok(names[0]?.includes('platform-restaurant-external-id'));
  assert.ok(names[1]?.includes('acme-restaurant-external-id'));
});
