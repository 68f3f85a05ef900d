import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { alarmKinds } from '@servery/contract';
import { metricsHandlers } from '../../src/backoffice/metrics/routes.ts';
import { moves } from '../../src/payments/lifecycle.ts';
import { paymentMetrics } from '../../src/payments/payment-metrics.ts';
import { createMetrics, type Metrics } from '../../src/support/metrics.ts';
import { type Desk, openDesk } from './desk.ts';
import { beginLife } from './life.ts';

let desk: Desk;
before(async () => {
  desk = await openDesk();
});
after(() => desk.close());

/** A desk whose payments are counted, and how to read one line of the metrics. */
function counted() {
  const metrics = createMetrics();
  const observer = paymentMetrics(metrics, desk.deps);
  const life = beginLife({
    ...desk,
    deps: { ...desk.deps, observer },
    put: (parts, overrides) => desk.put(parts, { ...overrides, observer }),
  });
  return { life, read: (line: string) => read(metrics, line) };
}

async function read(metrics: Metrics, line: string): Promise<number> {
  const found = (await metrics.text()).split('\n').find((text) => text.startsWith(`${line} `));
  assert.ok(found, `there is a line ${line}`);
  return Number(found.slice(line.length + 1));
}

test('backOffice.metrics 200: text for Prometheus, of the process and of payments', async () => {
  const metrics = createMetrics();
  paymentMetrics(metrics, desk.deps);
  const handler = metricsHandlers(metrics)['backOffice.metrics'];
  const requestOf = (managementGroupGuid: string | null) =>
    ({ reach: { isPlatform: managementGroupGuid === null } }) as Parameters<typeof handler>[0];
  await assert.rejects(handler(requestOf(desk.merchant.managementGroupGuid)), {
    errorClass: 'forbidden',
  });
  const answer = await handler(requestOf(null));
  assert.match(answer.headers?.['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
  const text = String(answer.bytes);
  assert.match(text, /^# TYPE process_cpu_seconds_total counter$/m);
  assert.match(text, /^# HELP servery_payments_due /m);
});

test('backOffice.metrics: every cause and kind begins at 0, and there are no others', async () => {
  const metrics = createMetrics();
  paymentMetrics(metrics, desk.deps);
  const text = await metrics.text();
  const labels = (name: string) =>
    [...text.matchAll(new RegExp(`^servery_${name}_total\\{\\w+="(\\w+)"\\} 0$`, 'gm'))]
      .map(([, label]) => label)
      .sort();
  const causes = [...new Set<string>(moves.map(({ cause }) => cause))].sort();
  assert.deepEqual(labels('payment_moves'), causes);
  assert.deepEqual(labels('payment_alarms'), [...alarmKinds].sort());
});

test('backOffice.metrics: each move is counted by its cause, once', async () => {
  const { life, read } = counted();
  await life.put();
  await life.put();
  await life.apply();
  await life.void();
  for (const cause of ['submitted', 'approved', 'appliedToCheck', 'voidAcknowledged']) {
    assert.equal(await read(`servery_payment_moves_total{cause="${cause}"}`), 1, cause);
  }
  assert.equal(await read('servery_payment_moves_total{cause="declined"}'), 0);
});

test('backOffice.metrics: alarms are counted by their kind', async () => {
  const { life, read } = counted();
  await life.put();
  life.script('void', { outcome: 'notFound', explanation: 'no such hold' });
  await life.void();
  assert.equal(await read('servery_payment_alarms_total{kind="HOLD_MISSING"}'), 1);
  assert.equal(await read('servery_payment_alarms_total{kind="UNSETTLED"}'), 0);
});

test('backOffice.metrics I3: work that is overdue shows, with the age of the oldest', async () => {
  const { life, read } = counted();
  await life.sweep();
  assert.equal(await read('servery_payments_due'), 0);
  assert.equal(await read('servery_payments_due_age_seconds'), 0);
  await life.put();
  assert.equal(await read('servery_payments_due'), 0, 'a deadline that is to come is not due');
  desk.clock.advance(5 * 60_000 + 90_000);
  assert.equal(await read('servery_payments_due'), 1);
  assert.equal(await read('servery_payments_due_age_seconds'), 90);
  await life.sweep();
  assert.equal(await read('servery_payments_due'), 0);
  assert.equal(await read('servery_payments_due_age_seconds'), 0);
});
