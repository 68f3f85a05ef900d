import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { alarmKinds, velocityDimensions } from '@servery/contract';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { systemOrigin } from '../../src/audit/origin.ts';
import type { Database } from '../../src/database/database.ts';
import { metricsHandlers } from '../../src/metrics/office/metrics.ts';
import { listAlarms as listAlarmRows } from '../../src/payments/alarms/alarm-store.ts';
import { acknowledgeAlarm } from '../../src/payments/alarms/alarms.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import { moves } from '../../src/payments/life/lifecycle.ts';
import { paymentMetrics } from '../../src/payments/payment-metrics.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { createMetrics, type Metrics } from '../../src/support/metrics.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { listAlarms } from './fixture-store.ts';
import { beginLife, type Life } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const MINUTE_MS = 60_000;

const unknown: ProcessorAnswer = { outcome: 'unknown', explanation: 'scripted silence' };
const notFound: ProcessorAnswer = { outcome: 'notFound', explanation: 'scripted: not known' };
const approval: ProcessorAnswer = {
  outcome: 'approved',
  authorizationCode: '123456',
  amountMinor: 1250,
  currencyCode: 'USD',
  reference: 'scripted',
};

/** Payments that are counted, and how to read one line of the metrics. */
function counted() {
  const metrics = createMetrics();
  const observer = paymentMetrics(metrics, fixture.deps);
  const life = beginLife({
    ...fixture,
    deps: { ...fixture.deps, observer },
    put: (parts, overrides) => fixture.put(parts, { ...overrides, observer }),
  });
  return { life, read: (line: string) => read(metrics, line) };
}

/** Brings a life to an attempt that was not found, and that is asked about a minute later. */
async function abort(life: Life): Promise<void> {
  life.script('authorize', unknown);
  await life.put();
  life.script('inquire', notFound);
  await life.advance(20_000);
  assert.equal(await life.state(), 'ABORTED');
}

async function read(metrics: Metrics, line: string): Promise<number> {
  const found = (await metrics.text()).split('\n').find((text) => text.startsWith(`${line} `));
  assert.ok(found, `there is a line ${line}`);
  return Number(found.slice(line.length + 1));
}

test('backOffice.metrics 200: text for Prometheus, of the process and of payments', async () => {
  const metrics = createMetrics();
  paymentMetrics(metrics, fixture.deps);
  const handler = metricsHandlers(metrics)['backOffice.metrics'];
  const answer = await handler({} as Parameters<typeof handler>[0]);
  assert.match(answer.headers?.['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
  const text = String(answer.bytes);
  assert.match(text, /^# TYPE process_cpu_seconds_total counter$/m);
  assert.match(text, /^# HELP servery_payments_due /m);
});

test('backOffice.metrics: every value of a label begins at 0, and no other', async () => {
  const metrics = createMetrics();
  paymentMetrics(metrics, fixture.deps);
  const text = await metrics.text();
  const labels = (name: string) =>
    [...text.matchAll(new RegExp(`^servery_${name}_total\\{\\w+="(\\w+)"\\} 0$`, 'gm'))]
      .map(([, label]) => label)
      .sort();
  const causes = [...new Set<string>(moves.map(({ cause }) => cause))].sort();
  assert.deepEqual(labels('payment_moves'), causes);
  assert.deepEqual(labels('payment_alarms'), [...alarmKinds].sort());
  assert.deepEqual(labels('payment_velocity_refusals'), [...velocityDimensions].sort());
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

/** What is told of alarms of a kind about a life: rows, lines of the log, and the count. */
async function toldOf(life: Life, kind: string, read: (line: string) => Promise<number>) {
  const alarms = await listAlarms(fixture.database.sql, life.key);
  const lines = fixture.logged.filter(
    (line) => line.includes(life.key.paymentUuid) && line.includes('a payment needs a person'),
  );
  return {
    rows: alarms.filter((alarm) => alarm.kind === kind).length,
    lines: lines.filter((line) => line.includes(kind)).length,
    count: await read(`servery_payment_alarms_total{kind="${kind}"}`),
  };
}

test('backOffice.metrics: an alarm that is raised again is told once', async () => {
  const { life, read } = counted();
  await abort(life);
  for (let round = 0; round < 3; round += 1) {
    life.script('inquire', approval);
    life.script('void', notFound);
    await life.advance(24 * 60 * MINUTE_MS);
  }
  assert.equal(await read('servery_payment_moves_total{cause="reversalAcknowledged"}'), 3);
  assert.deepEqual(await toldOf(life, 'HOLD_MISSING', read), { rows: 1, lines: 1, count: 1 });
});

test('backOffice.metrics PAY-I8: an alarm whose COMMIT was not answered is told once', async () => {
  const { life, read } = counted();
  const database: Database = {
    ...fixture.database,
    async transaction(run, options) {
      const result = await fixture.database.transaction(run, options);
      // Each one that did something: the try after it finds it done.
      const didNothing = Array.isArray(result) ? result.length === 0 : !result;
      if (!didNothing) throw new CommitUnknownError(new Error('connection lost'));
      return result;
    },
  };
  const sweep = createPaymentSweep({ ...life.deps, database });
  await abort(life);
  for (let round = 0; round < 3; round += 1) {
    life.script('inquire', approval);
    life.script('void', notFound);
    fixture.clock.advance(24 * 60 * MINUTE_MS);
    await sweep.runDue(fixture.clock.nowMs(), { isSequential: false });
  }
  assert.equal(await read('servery_payment_moves_total{cause="reversalAcknowledged"}'), 3);
  assert.deepEqual(await toldOf(life, 'HOLD_MISSING', read), { rows: 1, lines: 1, count: 1 });
});

test('backOffice.metrics: open alarms show in each process until somebody takes note', async () => {
  const { life } = counted();
  const open = 'servery_payment_alarms_open{kind="VOID_DECLINED"}';
  const anew = () => counted().read(open);
  assert.equal(await anew(), 0);
  await life.put();
  life.script('void', { outcome: 'declined', responseCode: '12' });
  await life.void();
  assert.equal(await anew(), 1, 'a process that has just started tells of it too');
  const filter = { reach: everywhere, isOpen: true };
  const alarms = await listAlarmRows(fixture.database.sql, filter, null, 1_000);
  const alarm = alarms.find(({ paymentUuid }) => paymentUuid === life.key.paymentUuid);
  const origin = systemOrigin(fixture.deps, 'test', 'alarms acknowledge');
  const note = { reach: everywhere, note: 'seen', origin };
  await acknowledgeAlarm(fixture.deps, alarm?.guid ?? '', note);
  assert.equal(await anew(), 0);
});

test('backOffice.metrics PAY-I3: what the processor does not settle shows between tries', async () => {
  const { life, read } = counted();
  const about = (name: string, state: string) => read(`servery_payments_${name}{state="${state}"}`);
  await life.put();
  life.script('void', ...Array<ProcessorAnswer>(20).fill(unknown));
  assert.equal(await about('unsettled', 'VOID_PENDING'), 0);
  assert.equal(await about('unsettled_age_seconds', 'VOID_PENDING'), 0);
  await life.void();
  for (let tries = 0; tries < 12; tries += 1) await life.advance(5 * MINUTE_MS);
  assert.equal(await read('servery_payments_due{kind="payment"}'), 0, 'it is put off each time');
  assert.equal(await about('unsettled', 'VOID_PENDING'), 1);
  assert.equal(await about('unsettled_age_seconds', 'VOID_PENDING'), 60 * 60);
  fixture.clock.advance(-2 * 60 * MINUTE_MS);
  assert.equal(await about('unsettled_age_seconds', 'VOID_PENDING'), 0);
  fixture.clock.advance(2 * 60 * MINUTE_MS);
  life.script('void');
  await life.advance(5 * MINUTE_MS);
  assert.equal(await about('unsettled', 'VOID_PENDING'), 0);
  for (const state of ['PENDING', 'UNKNOWN', 'REVERSAL_PENDING', 'CAPTURE_PENDING']) {
    assert.equal(await about('unsettled', state), 0, state);
  }
});

test('backOffice.metrics PAY-I3: work that is overdue shows, with the age of the oldest', async () => {
  const { life, read } = counted();
  const due = (kind: string) => read(`servery_payments_due{kind="${kind}"}`);
  const age = (kind: string) => read(`servery_payments_due_age_seconds{kind="${kind}"}`);
  await life.sweep();
  assert.equal(await due('payment'), 0);
  assert.equal(await age('payment'), 0);
  await life.put();
  assert.equal(await due('payment'), 0, 'a deadline that is to come is not due');
  fixture.clock.advance(5 * MINUTE_MS + 90_000);
  assert.equal(await due('payment'), 1);
  assert.equal(await age('payment'), 90);
  assert.equal(await due('lateApprovalInquiry'), 0);
  await life.sweep();
  assert.equal(await due('payment'), 0);
  assert.equal(await age('payment'), 0);
});

test('backOffice.metrics PAY-I8: an attempt that is to be asked about again shows', async () => {
  const { life, read } = counted();
  const due = (kind: string) => read(`servery_payments_due{kind="${kind}"}`);
  const age = (kind: string) => read(`servery_payments_due_age_seconds{kind="${kind}"}`);
  await life.sweep();
  await abort(life);
  assert.equal(await due('lateApprovalInquiry'), 0, 'a question that is to come is not due');
  assert.equal(await age('lateApprovalInquiry'), 0);
  fixture.clock.advance(MINUTE_MS + 30_000);
  assert.equal(await due('lateApprovalInquiry'), 1);
  assert.equal(await age('lateApprovalInquiry'), 30);
  assert.equal(await due('payment'), 0);
  life.script('inquire', notFound);
  await life.sweep();
  assert.equal(await due('lateApprovalInquiry'), 0);
  assert.equal(await age('lateApprovalInquiry'), 0);
});

test('backOffice.metrics: every kind of due work on payments has a gauge', async () => {
  const metrics = createMetrics();
  paymentMetrics(metrics, fixture.deps);
  const kinds = [...(await metrics.text()).matchAll(/^servery_payments_due\{kind="(\w+)"\}/gm)];
  const { life } = counted();
  await abort(life);
  life.script('inquire', approval);
  fixture.clock.advance(MINUTE_MS);
  const sweep = createPaymentSweep(life.deps);
  await beginLife(fixture).put();
  const done = await sweep.runDue(fixture.clock.nowMs() + 5 * MINUTE_MS, { isSequential: false });
  const known = kinds.map(([, kind]) => kind);
  assert.deepEqual([...new Set(done.map(({ kind }) => kind))].sort(), known.sort());
});
