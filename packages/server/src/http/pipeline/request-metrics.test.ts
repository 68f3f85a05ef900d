import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { test } from 'node:test';
import { errorClasses, operationById, operations, requestChecks } from '@servery/contract';
import { createMetrics } from '../../support/metrics.ts';
import type { FinishedRequest } from './observe.ts';
import { requestMetrics } from './request-metrics.ts';

const SECRET = 'svs_a-secret-of-a-client';

/** A request that was answered, with texts of a client wherever a client can put one. */
function finished(change: Partial<FinishedRequest> = {}): FinishedRequest {
  return {
    requestId: 'b9c39ad2-3be2-4a5a-9a5f-32a1f0f3a8a1',
    operation: operationById('stock.list'),
    method: 'GET',
    url: `/stock/v1/inventory?secret=${SECRET}`,
    params: { guid: SECRET },
    atMs: 0,
    realAtMs: 0,
    durationMs: 12,
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

function counted() {
  const metrics = createMetrics('1.2.3');
  const { finished: tell } = requestMetrics(metrics);
  const linesOf = async (name: string) =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(`servery_${name}`));
  return { metrics, tell, linesOf };
}

test('backOffice.metrics: operations are counted by class, with how long they took', async () => {
  const { tell, linesOf } = counted();
  tell(finished());
  tell(finished({ status: 304, durationMs: 700 }));
  tell(finished({ operation: null, status: 404 }));
  assert.deepEqual(await linesOf('operations_total'), [
    'servery_operations_total{operation="stock.list",status="2xx"} 1',
    'servery_operations_total{operation="stock.list",status="3xx"} 1',
    'servery_operations_total{operation="none",status="4xx"} 1',
  ]);
  const times = await linesOf('operation_duration_seconds');
  const has = (line: string) => assert.ok(times.includes(line), `${line}\n${times.join('\n')}`);
  has('servery_operation_duration_seconds_bucket{le="0.01",operation="stock.list"} 0');
  has('servery_operation_duration_seconds_bucket{le="0.025",operation="stock.list"} 1');
  has('servery_operation_duration_seconds_bucket{le="1",operation="stock.list"} 2');
  has('servery_operation_duration_seconds_sum{operation="stock.list"} 0.712');
  has('servery_operation_duration_seconds_count{operation="none"} 1');
});

test('backOffice.metrics: what was refused is counted by check and kind of error', async () => {
  const { tell, linesOf } = counted();
  const refusal = { check: 'scope', errorClass: 'forbidden', message: SECRET, faults: [] } as const;
  tell(finished({ status: 403, refusal: { ...refusal, scope: 'stock:read', reach: null } }));
  assert.deepEqual(await linesOf('refusals_total'), [
    'servery_refusals_total{check="scope",error="forbidden"} 1',
  ]);
});

test('backOffice.metrics: no text of a client is a label: labels are closed lists', async () => {
  const { metrics, tell } = counted();
  const strange = { id: SECRET, path: `/${SECRET}` } as unknown as FinishedRequest['operation'];
  tell(finished({ operation: strange, status: 799, method: SECRET }));
  for (const { id } of operations) tell(finished({ operation: operationById(id as never) }));
  for (const check of requestChecks) {
    for (const errorClass of Object.keys(errorClasses)) {
      const refusal = {
        check,
        errorClass,
        message: SECRET,
        faults: [],
        scope: null,
        reach: null,
      } as never;
      tell(finished({ status: 400, refusal }));
    }
  }
  const text = await metrics.text();
  assert.ok(!text.includes(SECRET) && !text.includes('203.0.113.7'));
  const labels = (name: string) => {
    const label = new RegExp(`^servery_\\S*[{,]${name}="([^"]+)"`, 'gm');
    return new Set([...text.matchAll(label)].map(([, value]) => value));
  };
  assert.deepEqual(labels('status'), new Set(['2xx', '4xx']));
  assert.equal(labels('operation').size, operations.length);
  assert.deepEqual(labels('check'), new Set(requestChecks));
  assert.deepEqual(labels('error'), new Set(Object.keys(errorClasses)));
});

test('backOffice.metrics: which version runs, how busy its event loop is, its memory', async () => {
  const { metrics, linesOf } = counted();
  assert.deepEqual(await linesOf('build_info'), [
    `servery_build_info{version="1.2.3",node="${process.version}"} 1`,
  ]);
  const activeOf = async () => {
    const lines = (await linesOf('event_loop_seconds_total')).join('\n');
    return Number(/state="active"\} (\S+)/.exec(lines)?.[1]);
  };
  // Until its first turn a loop counts no time.
  await access(import.meta.filename);
  const before = await activeOf();
  for (let round = 0; round < 300_000; round += 1) Math.sqrt(round);
  const after = await activeOf();
  assert.ok(before > 0 && after >= before, `${before} ${after}`);
  const text = await metrics.text();
  assert.match(text, /^process_resident_memory_bytes \d/m);
  assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
});
