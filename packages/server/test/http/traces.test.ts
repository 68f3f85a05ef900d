import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { operationById } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import type { FinishedRequest } from '../../src/http/pipeline/observe.ts';
import { continueTrace } from '../../src/http/pipeline/trace.ts';
import { openTraces } from '../../src/http/pipeline/traces.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER_SPAN = '00f067aa0ba902b7';
const SECRET = 'svs_a-secret-of-a-client';
const AT_MS = Date.UTC(2026, 2, 1, 12);

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: { readonly key: string; readonly value: Record<string, unknown> }[];
}

let collector: Server;
let url: string;
let received: string[];

before(async () => {
  received = [];
  collector = createServer(async (request, response) => {
    received.push((await buffer(request)).toString());
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
});
after(() => collector.close());

function finished(change: Partial<FinishedRequest> = {}): FinishedRequest {
  return {
    requestId: 'b9c39ad2-3be2-4a5a-9a5f-32a1f0f3a8a1',
    operation: operationById('stock.list'),
    method: 'GET',
    url: `/stock/v1/inventory?secret=${SECRET}`,
    params: {},
    atMs: 0,
    realAtMs: AT_MS,
    durationMs: 25,
    status: 200,
    caller: null,
    restaurantGuid: null,
    remoteAddress: '203.0.113.7',
    requestHeaders: { authorization: `Bearer ${SECRET}` },
    requestBytes: Buffer.from(SECRET),
    answerHeaders: {},
    answerBytes: Buffer.from(SECRET),
    refusal: null,
    fault: null,
    alike: null,
    explained: null,
    ...change,
  };
}

/** What the collector got of requests that were told, once the process stopped. */
async function sent(requests: readonly FinishedRequest[], percent = 100): Promise<Span[]> {
  received = [];
  const logged: unknown[] = [];
  const log = { warn: (...parts: unknown[]) => logged.push(parts) } as never;
  const realClock = new FixedClock(AT_MS);
  const traces = await openTraces({
    ...{ url, percent, kind: 'sandbox', version: '1.2.3', realClock, log },
  });
  for (const request of requests) traces.observer.finished(request);
  await traces.stop();
  assert.deepEqual(logged, []);
  assert.ok(!received.join('').includes(SECRET), 'nothing that a client wrote is sent');
  return received.flatMap((text) =>
    JSON.parse(text).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
}

test('traces: a request is a span with its operation, request id, status and times', async () => {
  const [span, ...others] = await sent([finished()]);
  assert.ok(span && others.length === 0);
  assert.equal(span.name, 'stock.list');
  assert.equal(span.startTimeUnixNano, `${AT_MS}000000`);
  assert.equal(span.endTimeUnixNano, `${AT_MS + 25}000000`);
  const facts = Object.fromEntries(
    span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
  );
  assert.equal(facts['servery.operation'], 'stock.list');
  assert.equal(facts['servery.request_id'], 'b9c39ad2-3be2-4a5a-9a5f-32a1f0f3a8a1');
  assert.equal(Number(facts['http.response.status_code']), 200);
  assert.match(received.join(''), /"service\.name".*"servery"/);
});

test('traces: a request goes on in the trace of its caller, as the answer says', async () => {
  const traceparent = `00-${TRACE_ID}-${CALLER_SPAN}-01`;
  const told = continueTrace(traceparent)?.traceparent ?? '';
  const request = finished({
    requestHeaders: { traceparent },
    answerHeaders: { traceparent: told },
  });
  const [span, next] = await sent([request, finished()]);
  assert.equal(span?.traceId, TRACE_ID);
  assert.equal(span.parentSpanId, CALLER_SPAN);
  assert.equal(span.spanId, told.split('-')[2]);
  assert.notEqual(next?.traceId, TRACE_ID);
});

test('traces: the caller says whether its trace is recorded, else the setting does', async () => {
  const headersOf = (flags: string) => ({ traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-${flags}` });
  const [unwanted, wanted] = [headersOf('00'), headersOf('01')];
  assert.deepEqual(await sent([finished({ requestHeaders: unwanted })]), []);
  assert.deepEqual(await sent([finished()], 0), []);
  assert.equal((await sent([finished({ requestHeaders: wanted })], 0)).length, 1);
});

test('traces: the questions whether the process lives are none', async () => {
  assert.deepEqual(await sent([finished({ operation: operationById('health.live') })]), []);
});

test('traces: a failure of ours is an error, a refusal is none, and both are told', async () => {
  const refusal = {
    errorClass: 'internal',
    message: SECRET,
    faults: [],
    scope: null,
    reach: null,
  } as const;
  const [failed, refused] = await sent([
    finished({ status: 500, refusal: { ...refusal, check: 'rules' } }),
    finished({ status: 403, refusal: { ...refusal, errorClass: 'forbidden', check: 'scope' } }),
  ]);
  assert.equal(failed?.status.code, 2);
  assert.notEqual(refused?.status.code, 2);
  assert.match(JSON.stringify(refused?.attributes), /"servery\.check".*"scope"/);
});

test('traces: a collector that is away is told once a minute, and holds up nothing', async () => {
  const logged: string[] = [];
  const log = { warn: (...parts: unknown[]) => logged.push(JSON.stringify(parts)) } as never;
  const nobody = createServer();
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
  const { port } = nobody.address() as AddressInfo;
  await new Promise((resolve) => nobody.close(resolve));
  const traces = await openTraces({
    ...{ url: `http://127.0.0.1:${port}/v1/traces`, percent: 100, kind: 'sandbox', version: '1' },
    ...{ realClock: new FixedClock(AT_MS), log },
  });
  traces.observer.finished(finished());
  await traces.stop();
  assert.ok(logged.length <= 1, logged.join('\n'));
});
