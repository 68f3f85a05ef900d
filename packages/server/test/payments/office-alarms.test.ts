import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ALREADY_CAPTURED } from '@servery/card-simulator/messages.ts';
import type { Alarm, AlarmPage } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Principal } from '../../src/http/operation.ts';
import type { AlarmKind } from '../../src/payments/alarms/alarm-kinds.ts';
import { insertAlarm, updateAlarmAcknowledged } from '../../src/payments/alarms/alarm-store.ts';
import type { PaymentRow } from '../../src/payments/life/store.ts';
import { callOperation, principal, type TestAnswer } from '../request.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { beginLife } from './life.ts';
import { insertGroupClient } from './office-fixture-store.ts';

const MINUTE_MS = 60_000;

let fixture: PaymentFixture;
/** A client that reaches the whole platform; it exists, so that it can take note. */
let operator: Principal;
before(async () => {
  fixture = await openPaymentFixture();
  operator = principal({ type: 'BACK_OFFICE', clientId: fixture.client.clientId });
});
after(() => fixture.close());

async function list(query: Record<string, string> = {}, by = operator): Promise<TestAnswer> {
  return await callOperation(fixture.office, 'backOffice.alarms.list', { principal: by, query });
}

async function acknowledge(alarmGuid: string, body: unknown, by = operator): Promise<TestAnswer> {
  const parts = { principal: by, params: { alarmGuid }, body };
  return await callOperation(fixture.office, 'backOffice.alarms.acknowledge', parts);
}

async function results(query: Record<string, string> = {}, by = operator): Promise<Alarm[]> {
  const { status, body } = await list(query, by);
  assert.equal(status, 200, JSON.stringify(body));
  return (body as AlarmPage).results;
}

/** A client of the management group that the merchant of the fixture, or another one, belongs to. */
async function groupClient(managementGroupGuid: string): Promise<Principal> {
  const { sql } = fixture.database;
  const clientId = await insertGroupClient(sql, 'BACK_OFFICE', managementGroupGuid);
  return principal({ type: 'BACK_OFFICE', clientId, managementGroupGuid });
}

async function paid(): Promise<PaymentRow> {
  const life = beginLife(fixture);
  assert.equal((await life.put()).paymentState, 'AUTHORIZED');
  return await life.row();
}

async function raise(payment: PaymentRow, kind: AlarmKind): Promise<string> {
  const guid = newGuid();
  const { merchantGuid, paymentUuid, attempt, state: paymentState } = payment;
  const raisedAt = new Date(fixture.clock.nowMs());
  const explanation = 'raised by a test';
  await insertAlarm(fixture.database.sql, {
    ...{ guid, merchantGuid, paymentUuid, kind, attempt, paymentState, explanation, raisedAt },
  });
  return guid;
}

test('backOffice.alarms.list 200 PAY-I4: a void that met a capture is there for a person', async () => {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', { outcome: 'declined', responseCode: ALREADY_CAPTURED });
  await life.void();
  assert.equal(await life.state(), 'REVIEW');
  const [alarm] = (await results()).filter(
    ({ paymentUuid }) => paymentUuid === life.key.paymentUuid,
  );
  assert.ok(alarm);
  assert.equal(alarm.kind, 'FOUND_CAPTURED');
  assert.equal(alarm.merchantGuid, fixture.merchant.guid);
  assert.equal(alarm.attempt, 1);
  assert.deepEqual([alarm.acknowledgedAt, alarm.acknowledgedBy, alarm.note], [null, null, null]);
});

test('backOffice.alarms.list 200: pages hold every alarm once, the newest first', async () => {
  const payment = await paid();
  const kinds = ['FOUND_CAPTURED', 'VOID_DECLINED', 'STRAY_HOLD', 'UNSETTLED'] as const;
  const raised: string[] = [];
  for (const kind of kinds) {
    // Two of each instant, so that the order needs more than the instant.
    if (raised.length % 2 === 0) fixture.clock.advance(MINUTE_MS);
    raised.push(await raise(payment, kind));
  }
  const all = await results();
  const instants = all.map(({ raisedAt }) => raisedAt);
  assert.deepEqual(instants, [...instants].sort().reverse());
  const paged: Alarm[] = [];
  let query: Record<string, string> = { pageSize: '1' };
  for (;;) {
    const { body } = await list(query);
    paged.push(...body.results);
    if (body.nextPageToken === null) break;
    query = { pageToken: body.nextPageToken };
  }
  assert.deepEqual(paged, all);
  const ours = paged.filter(({ paymentUuid }) => paymentUuid === payment.paymentUuid);
  assert.deepEqual(new Set(ours.map(({ guid }) => guid)), new Set(raised));
});

test('backOffice.alarms.list 200: an alarm of the same kind is raised once', async () => {
  const payment = await paid();
  await raise(payment, 'UNSETTLED');
  await raise(payment, 'UNSETTLED');
  const { paymentUuid } = payment;
  const ours = (await results()).filter((alarm) => alarm.paymentUuid === paymentUuid);
  assert.equal(ours.length, 1);
});

test('backOffice.alarms.list 200: open ones and acknowledged ones apart', async () => {
  const payment = await paid();
  const kept = await raise(payment, 'HOLD_MISSING');
  const noted = await raise(payment, 'CAPTURE_DECLINED');
  await acknowledge(noted, { note: 'seen' });
  const has = async (open: string, guid: string) =>
    (await results({ open })).some((alarm) => alarm.guid === guid);
  assert.deepEqual([await has('true', kept), await has('true', noted)], [true, false]);
  assert.deepEqual([await has('false', kept), await has('false', noted)], [false, true]);
});

test('backOffice.alarms.list 400: what is no filter, and a token for another list', async () => {
  const { body } = await list({ pageSize: '1', open: 'true' });
  for (const [query, told] of [
    [{ open: 'yes' }, /^open must be true or false/],
    [{ pageSize: '0' }, /^pageSize must be/],
    [{ pageSize: '201' }, /from 1 to 200/],
    [{ pageToken: 'x' }, /^pageToken does not come from/],
    [{ pageToken: body.nextPageToken, open: 'false' }, /^open is not what the pageToken/],
  ] as const) {
    const answer = await list(query);
    assert.equal(answer.status, 400, JSON.stringify(query));
    assert.match(answer.body.message, told);
  }
});

test('backOffice.alarms 200 404: a group sees and takes note of its own alarms only', async () => {
  const guid = await raise(await paid(), 'REVERSAL_DECLINED');
  const ours = await groupClient(fixture.merchant.managementGroupGuid);
  const others = await groupClient((await fixture.addMerchant('USD')).managementGroupGuid);
  assert.deepEqual(await results({}, others), []);
  const refused = await acknowledge(guid, { note: 'mine' }, others);
  const unknown = await acknowledge(newGuid(), { note: 'mine' }, others);
  assert.deepEqual([refused.status, unknown.status], [404, 404]);
  assert.equal(refused.body.message, unknown.body.message, 'the same words for both');
  assert.ok((await results({ open: 'true' }, ours)).some((alarm) => alarm.guid === guid));
  assert.equal(
    (await acknowledge(guid, { note: 'mine' }, ours)).body.acknowledgedBy,
    ours.clientId,
  );
});

test('backOffice.alarms.acknowledge 200: the first note stays', async () => {
  const guid = await raise(await paid(), 'UNSETTLED');
  const now = new Date(fixture.clock.nowMs()).toISOString();
  const first = await acknowledge(guid, { note: 'asked the processor' });
  assert.equal(first.status, 200);
  const { acknowledgedAt, acknowledgedBy, note } = first.body;
  assert.deepEqual(
    [acknowledgedAt, acknowledgedBy, note],
    [now, operator.clientId, 'asked the processor'],
  );
  fixture.clock.advance(MINUTE_MS);
  const ours = await groupClient(fixture.merchant.managementGroupGuid);
  const second = await acknowledge(guid, { note: 'me too' }, ours);
  assert.deepEqual([second.status, second.body], [200, first.body]);
});

test('backOffice.alarms.acknowledge 200: of many at once exactly one counts', async () => {
  const guid = await raise(await paid(), 'STRAY_HOLD');
  const notes = Array.from({ length: 8 }, (_, index) => `note ${index}`);
  const answers = await Promise.all(notes.map((note) => acknowledge(guid, { note })));
  const [stored] = (await results()).filter((alarm) => alarm.guid === guid);
  for (const { status, body } of answers) assert.deepEqual([status, body], [200, stored]);
  const again = { acknowledgedAt: new Date(0), acknowledgedBy: operator.clientId, note: 'late' };
  assert.ok(stored);
  assert.equal(await updateAlarmAcknowledged(fixture.database.sql, stored, again), false);
});

test('backOffice.alarms.acknowledge 400 404 422: what is wrong is told', async () => {
  const guid = await raise(await paid(), 'UNSETTLED');
  for (const [body, status] of [
    [{}, 400],
    [[], 422],
    [{ note: 7 }, 422],
    [{ note: '' }, 422],
    [{ note: ' ' }, 422],
    [{ note: 'x'.repeat(1001) }, 422],
  ] as const) {
    assert.equal((await acknowledge(guid, body)).status, status, JSON.stringify(body));
  }
  assert.equal((await acknowledge('no-guid', { note: 'x' })).status, 404);
  const longest = 'x'.repeat(1000);
  assert.equal((await acknowledge(guid, { note: longest })).body.note, longest);
});
