import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Health, type OperationId, operationById } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { listMinutes } from '../../src/health/health-store.ts';
import { officeHealthHandlers } from '../../src/health/office/get.ts';
import { minuteWriter } from '../../src/health/write-minutes.ts';
import type { Check, FinishedRequest } from '../../src/http/pipeline/observe.ts';
import { requestMetrics } from '../../src/http/pipeline/request-metrics.ts';
import { paymentMetrics } from '../../src/payments/payment-metrics.ts';
import { createMetrics } from '../../src/support/metrics.ts';
import type { MadeAttempt } from '../../src/webhooks/delivery/make-attempt.ts';
import { webhookMetrics } from '../../src/webhooks/delivery/webhook-metrics.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { startEmptyPlatform } from '../empty-platform.ts';
import { callOperation, NOW_MS, principal } from '../request.ts';

const MINUTE_MS = 60_000;

let own: TestDatabase;
let realClock: FixedClock;
before(async () => {
  own = await createTestDatabase();
});
after(() => own.drop());
beforeEach(async () => {
  await own.database.sql`delete from health_minute`;
  realClock = new FixedClock(NOW_MS);
});

/** A process that serves, and writes its minutes when the test says so. */
function startProcess(version = '1.0.0') {
  const { database } = own;
  const metrics = createMetrics();
  const requests = requestMetrics(metrics);
  const payments = paymentMetrics(metrics, { database, clock: realClock, realClock });
  const attempted = webhookMetrics(metrics, { database, clock: realClock });
  const answer = (status: number, durationMs = 4, id: OperationId = 'stock.list') =>
    requests.finished({
      ...{ operation: operationById(id), status, durationMs },
      refusal:
        status === 429 ? { check: 'budget' satisfies Check, errorClass: 'tooManyRequests' } : null,
    } as FinishedRequest);
  const attempt = (outcome: MadeAttempt['attempt']['outcome']) =>
    attempted({
      claimed: { endpointGuid: 'e' },
      attempt: { outcome, status: null, durationMs: 3 },
    } as MadeAttempt);
  const processes = { afterBeat: async () => {} };
  const writer = minuteWriter({ database, realClock, metrics, version, processes });
  return { answer, attempt, moved: payments.moved, ...writer };
}

async function readHealth(): Promise<Health> {
  const handlers = officeHealthHandlers({ database: own.database, realClock });
  const caller = principal({ type: 'BACK_OFFICE' });
  return (await callOperation(handlers, 'backOffice.health.get', { caller })).body;
}

const minuteAt = (index: number) => new Date(NOW_MS + index * MINUTE_MS).toISOString();

test('backOffice.health.get 200: nothing is known before the first minute is complete', async () => {
  const one = startProcess();
  one.answer(200);
  realClock.advance(59_000);
  await one.look();
  const { minutes, processes, webhookQueue, openAlarms } = await readHealth();
  assert.deepEqual([minutes, processes, openAlarms], [[], [], []]);
  assert.deepEqual(webhookQueue, { count: 0, oldestAt: null });
});

test('backOffice.health.get 200: processes and their restarts add up, minute by minute', async () => {
  const [one, two] = [startProcess(), startProcess('1.0.1')];
  for (const status of [200, 304, 404, 429]) one.answer(status);
  two.answer(500, 30);
  one.moved('approved');
  two.moved('inquiryApproved');
  two.moved('submitted');
  one.moved('riskRefused');
  one.moved('captureMismatch');
  one.attempt('DELIVERED');
  two.attempt('ANSWER_TIMEOUT');
  realClock.advance(MINUTE_MS);
  await one.look();
  await one.look();
  await two.look();
  one.answer(200);
  await one.end();
  const again = startProcess();
  again.answer(200, 11_000);
  realClock.advance(MINUTE_MS);
  await two.look();
  await again.look();
  const { minutes, processes } = await readHealth();
  assert.deepEqual(
    minutes.map(({ at, requests }) => [at, requests]),
    [
      [minuteAt(0), { succeeded: 2, refused: 1, limited: 1, failed: 1, p50Ms: 5, p99Ms: 50 }],
      [minuteAt(1), { succeeded: 2, refused: 0, limited: 0, failed: 0, p50Ms: 5, p99Ms: null }],
    ],
  );
  assert.deepEqual(minutes[0]?.payments, {
    ...{ authorized: 2, denied: 1, unknown: 0, captured: 0, voided: 0, review: 1 },
  });
  assert.deepEqual(minutes[0]?.webhooks, { delivered: 1, failed: 1 });
  assert.deepEqual(
    minutes.map((minute) => minute.processes.count),
    [2, 3],
  );
  assert.deepEqual(
    processes.map(({ version, startedAt, reportedAt }) => [version, startedAt, reportedAt]),
    [
      ['1.0.1', minuteAt(0), minuteAt(1)],
      ['1.0.0', minuteAt(1), minuteAt(1)],
    ],
    'the one that ended is gone',
  );
});

test('backOffice.health.get 200: each process tells what it uses, and the database', async () => {
  const [one, two] = [startProcess(), startProcess()];
  realClock.advance(MINUTE_MS);
  await one.look();
  await two.look();
  const { minutes, processes } = await readHealth();
  const [minute] = minutes;
  assert.ok(minute);
  assert.equal(processes.length, 2);
  assert.match(processes[0]?.name ?? '', new RegExp(` ${process.pid}$`));
  const memory = processes.map(({ memoryBytes }) => memoryBytes);
  assert.equal(minute.processes.memoryBytes, Number(memory[0]) + Number(memory[1]));
  assert.ok(Math.min(...memory) > 10_000_000);
  const { connections, roundTripMs, sizeBytes } = minute.database;
  assert.ok(connections >= 2 && roundTripMs > 0 && sizeBytes > 1_000_000);
});

test('backOffice.health.get 200: what is older than an hour is neither told nor kept', async () => {
  const one = startProcess();
  for (let minute = 0; minute < 62; minute += 1) {
    one.answer(200);
    realClock.advance(MINUTE_MS);
    await one.look();
  }
  const { minutes } = await readHealth();
  assert.equal(minutes.length, 60);
  assert.equal(minutes[0]?.at, minuteAt(2));
  assert.ok(minutes.every(({ requests }) => requests.succeeded === 1));
  const [row] = await own.database.sql<[{ count: number }]>`
    select count(*)::int as count from health_minute`;
  assert.equal(row.count, 60);
});

test('backOffice.health.get 200: a process that was killed is told for two minutes', async () => {
  const [one, killed] = [startProcess(), startProcess('0.9.0')];
  const versions = async () => (await readHealth()).processes.map(({ version }) => version).sort();
  realClock.advance(MINUTE_MS);
  await one.look();
  await killed.look();
  assert.deepEqual(await versions(), ['0.9.0', '1.0.0']);
  for (let minute = 0; minute < 2; minute += 1) {
    realClock.advance(MINUTE_MS);
    await one.look();
  }
  assert.deepEqual(await versions(), ['1.0.0']);
});

test('backOffice.health.get 200: a minute that could not be written is lost, the next is not', async () => {
  const { sql } = own.database;
  const one = startProcess();
  one.answer(200);
  await sql`alter table health_minute rename to health_minute_away`;
  realClock.advance(MINUTE_MS);
  await assert.rejects(one.look(), /health_minute/);
  await sql`alter table health_minute_away rename to health_minute`;
  one.answer(404);
  realClock.advance(MINUTE_MS);
  await one.look();
  const { minutes } = await readHealth();
  assert.deepEqual(
    minutes.map(({ at, requests }) => [at, requests.succeeded, requests.refused]),
    [[minuteAt(1), 0, 1]],
  );
});

test('backOffice.health.get 200: servers that stop write what they did in their last minute', async (t) => {
  const folder = await makeTestFolder();
  t.after(() => removeTestFolder(folder));
  const platforms = [
    await startEmptyPlatform(own.url, folder),
    await startEmptyPlatform(own.url, folder),
  ];
  const statuses = await Promise.all(
    platforms.map(async ({ url }) => (await fetch(`${url}/nowhere`)).status),
  );
  for (const platform of platforms) await platform.stop();
  assert.deepEqual(statuses, [401, 401]);
  const all = await listMinutes(own.database.sql, new Date(0), new Date('9999-01-01'));
  // The minute may have changed meanwhile.
  const last = all.filter(({ isLast }) => isLast);
  assert.equal(new Set(last.map(({ processId }) => processId)).size, 2);
  const answered = all.reduce((total, { totals }) => total + (totals['status 4xx'] ?? 0), 0);
  assert.equal(answered, 2);
});
