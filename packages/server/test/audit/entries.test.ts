import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AuditEntry, AuditEntryPage } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { insertEntry, listEntries } from '../../src/audit/entry-store.ts';
import { auditHandlers } from '../../src/audit/office/handlers.ts';
import { attestEntries } from '../../src/audit/origin.ts';
import { createSealer } from '../../src/audit/seal.ts';
import type { Principal } from '../../src/http/operation.ts';
import { restaurantAccess } from '../../src/partners/access.ts';
import { insertAlarm, updateAlarmAcknowledged } from '../../src/payments/alarms/alarm-store.ts';
import { clockHandlers } from '../../src/sandbox/office/handlers.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { countWaiting } from '../database.ts';
import { explainStatements } from '../explain-statements.ts';
import { idleCaches } from '../freshness/caches.ts';
import { openPaymentFixture, type PaymentFixture } from '../payments/fixture.ts';
import { beginLife } from '../payments/life.ts';
import { callOperation, principal, type TestAnswer } from '../request.ts';
import { openClockFixture } from '../sandbox/clock-fixture.ts';

let fixture: PaymentFixture;
let operator: Principal;
before(async () => {
  fixture = await openPaymentFixture();
  operator = principal({ type: 'BACK_OFFICE', clientId: fixture.client.clientId });
});
after(() => fixture.close());

type Query = Readonly<Record<string, string>>;

async function list(query: Query = {}, by = operator): Promise<TestAnswer> {
  const parts = { principal: by, query };
  return await callOperation(auditHandlers(fixture.deps), 'backOffice.audit.list', parts);
}

async function entries(query: Query = {}, by = operator): Promise<AuditEntry[]> {
  const { status, body } = await list(query, by);
  assert.equal(status, 200, JSON.stringify(body));
  return (body as AuditEntryPage).results;
}

const inGroup = (managementGroupGuid: string) =>
  principal({ type: 'BACK_OFFICE', managementGroupGuid });

async function pay() {
  const life = beginLife(fixture);
  await life.put();
  return life;
}

async function movePayment(
  move: 'apply' | 'fulfil' | 'void' | 'capture' | 'tip',
  paymentUuid: string,
  body?: unknown,
): Promise<TestAnswer> {
  return await callOperation(fixture.office, `backOffice.payments.${move}`, {
    principal: operator,
    restaurant: fixture.merchant,
    params: { paymentUuid },
    body,
    nowMs: fixture.clock.nowMs(),
  });
}

test('audit: each move of the orders side leaves one entry, and a repeat none', async () => {
  const { paymentUuid } = (await pay()).key;
  const checkGuid = newGuid();
  for (const _ of ['first', 'repeat']) await movePayment('apply', paymentUuid, { checkGuid });
  for (const _ of ['first', 'repeat']) await movePayment('tip', paymentUuid, { tipAmount: 0.5 });
  await movePayment('fulfil', paymentUuid);
  await movePayment('capture', paymentUuid);
  assert.equal((await movePayment('void', paymentUuid, { reason: 'late' })).status, 409);
  const written = await entries({ subjectKind: 'payment', subjectId: paymentUuid });
  assert.deepEqual(
    written.map(({ operation }) => operation).toSorted(),
    ['apply', 'capture', 'fulfil', 'tip'].map((move) => `backOffice.payments.${move}`),
  );
  const [apply] = written.filter(({ operation }) => operation.endsWith('apply'));
  assert.equal(apply?.actor, operator.clientId);
  assert.equal(apply?.restaurantGuid, fixture.merchant.guid);
  assert.deepEqual([apply?.before?.state, apply?.before?.checkGuid], ['AUTHORIZED', null]);
  assert.deepEqual([apply?.after?.state, apply?.after?.checkGuid], ['APPLIED', checkGuid]);
  const [tip] = written.filter(({ operation }) => operation.endsWith('tip'));
  assert.deepEqual([tip?.before?.tipMinor, tip?.after?.tipMinor], [200, 50]);
});

async function raiseAlarm(): Promise<string> {
  const row = await (await pay()).row();
  const guid = newGuid();
  await insertAlarm(fixture.database.sql, {
    ...{ guid, merchantGuid: row.merchantGuid, paymentUuid: row.paymentUuid, kind: 'UNSETTLED' },
    ...{ attempt: 1, paymentState: row.state, explanation: 'by a test' },
    raisedAt: new Date(fixture.clock.nowMs()),
  });
  return guid;
}

async function takeNote(alarmGuid: string, note: string): Promise<TestAnswer> {
  const parts = { principal: operator, params: { alarmGuid }, body: { note } };
  return await callOperation(fixture.office, 'backOffice.alarms.acknowledge', parts);
}

test('audit: the first acknowledgment of an alarm leaves an entry, later ones none', async () => {
  const alarm = await raiseAlarm();
  for (const note of ['seen', 'me too']) await takeNote(alarm, note);
  const written = await entries({ subjectKind: 'alarm', subjectId: alarm });
  assert.deepEqual(written.length, 1);
  assert.deepEqual([written[0]?.before?.note, written[0]?.after?.note], [null, 'seen']);
});

test('audit: of two acknowledgments at once, one leaves an entry', async () => {
  const { sql } = fixture.database;
  const guid = await raiseAlarm();
  const alarm = { guid, merchantGuid: fixture.merchant.guid };
  const acknowledgedAt = new Date(fixture.clock.nowMs());
  const first = { acknowledgedAt, acknowledgedBy: 'somebody', note: 'first' };
  const { second } = await fixture.database.transaction(async (inside) => {
    assert.ok(await updateAlarmAcknowledged(inside, alarm, first));
    const begun = takeNote(guid, 'second');
    while ((await countWaiting(sql)) === 0);
    return { second: begun };
  });
  assert.equal((await second).body.note, 'first');
  assert.deepEqual(await entries({ subjectKind: 'alarm', subjectId: guid }), []);
});

test('audit: the life of a card key is written down, without its private part', async () => {
  const { clientId } = fixture.client;
  const call = (move: string, keyId = '', body?: unknown) =>
    callOperation(fixture.office, `backOffice.cardKeys.${move}` as 'backOffice.cardKeys.issue', {
      ...{ principal: operator, params: { clientId, keyId }, body },
    });
  const { keyId } = (await call('issue', '', { algorithm: 'ECDH-ES', state: 'PENDING' })).body;
  for (const move of ['activate', 'activate', 'retire', 'destroy']) await call(move, keyId);
  const written = await entries({ subjectId: `${clientId} ${keyId}` });
  const states = written.map(({ before, after }) => `${before?.state} ${after?.state}`);
  assert.deepEqual(states.toSorted(), [
    'ACTIVE DECRYPT_ONLY',
    'DECRYPT_ONLY DESTROYED',
    'PENDING ACTIVE',
    'undefined PENDING',
  ]);
  assert.doesNotMatch(JSON.stringify(written), /PRIVATE|"d":|sealed/);
});

test('audit: a move of the clock is written down, and one that moves nothing is not', async () => {
  const clockFixture = await openClockFixture(fixture.database, fixture.clock);
  const handlers = clockHandlers({
    ...clockFixture,
    access: restaurantAccess({ ...idleCaches(fixture.database), database: fixture.database }),
  });
  const call = (move: string, body?: unknown) =>
    callOperation(handlers, `backOffice.clock.${move}` as 'backOffice.clock.freeze', {
      ...{ principal: operator, body },
    });
  for (const move of ['freeze', 'freeze']) await call(move);
  await call('advance', { duration: 'PT5M' });
  await call('run');
  const written = await entries({ subjectKind: 'clock' });
  const modes = written.map(({ before, after }) => `${before?.mode} ${after?.mode}`);
  assert.deepEqual(modes.toSorted(), ['FROZEN FROZEN', 'FROZEN RUNNING', 'RUNNING FROZEN']);
  const [advanced] = written.filter(({ operation }) => operation.endsWith('advance'));
  const minutes = [advanced?.before?.now, advanced?.after?.now].map((now) =>
    Date.parse(String(now)),
  );
  assert.equal((minutes[1] ?? 0) - (minutes[0] ?? 0), 300_000);
});

test('backOffice.audit.list 200: every filter, and pages that hold each entry once', async () => {
  const all = await entries();
  const [first] = all;
  assert.ok(first);
  const fields = ['actor', 'operation', 'subjectKind', 'subjectId', 'requestId'] as const;
  for (const field of fields) {
    const found = await entries({ [field]: String(first[field]) });
    assert.ok(found.length > 0, field);
    assert.ok(
      found.every((entry) => entry[field] === first[field]),
      field,
    );
    assert.deepEqual(
      found,
      all.filter((entry) => entry[field] === first[field]),
      field,
    );
  }
  const from = all.filter(({ at }) => at >= first.at);
  assert.deepEqual(await entries({ from: first.at }), from);
  assert.deepEqual(
    await entries({ to: first.at }),
    all.filter(({ at }) => at < first.at),
  );
  const paged: AuditEntry[] = [];
  for (let query: Query = { pageSize: '2' }; ; ) {
    const { body } = await list(query);
    paged.push(...body.results);
    if (body.nextPageToken === null) break;
    query = { pageToken: body.nextPageToken };
  }
  assert.deepEqual(paged, all);
});

test('backOffice.audit.list 200: a group sees its own, and where it is sealed', async () => {
  await takeNote(await raiseAlarm(), 'seen');
  const seal = createSealer({ ...fixture.deps, database: fixture.database });
  await seal();
  const ours = await entries({}, inGroup(fixture.merchant.managementGroupGuid));
  assert.ok(ours.length > 0);
  assert.ok(ours.every(({ restaurantGuid }) => restaurantGuid === fixture.merchant.guid));
  assert.ok(ours.every(({ position }) => position !== null));
  const stranger = await fixture.addMerchant('USD');
  assert.deepEqual(await entries({}, inGroup(stranger.managementGroupGuid)), []);
  const query = { restaurantGuid: fixture.merchant.guid };
  assert.deepEqual(await entries(query, inGroup(stranger.managementGroupGuid)), []);
  assert.ok((await entries(query)).length > 0);
});

test('backOffice.audit.list 400: what is no filter is told', async () => {
  for (const [query, told] of [
    [{ subjectKind: 'nothing' }, /^subjectKind must be one of/],
    [{ restaurantGuid: 'x' }, /^restaurantGuid must be a GUID/],
    [{ requestId: '1' }, /^requestId must be a GUID/],
    [{ from: 'yesterday' }, /^from must be an instant/],
    [{ to: '' }, /^to must be an instant/],
    [{ pageSize: '0' }, /^pageSize/],
    [{ actor: 'x'.repeat(256) }, /^actor/],
    [{ pageToken: 'x' }, /^pageToken/],
  ] as const) {
    const { status, body } = await list(query);
    assert.equal(status, 400, JSON.stringify(query));
    assert.match(body.message, told);
  }
});

test('backOffice.audit.verify 200 403 and export 400 403: for the whole platform', async () => {
  const handlers = auditHandlers(fixture.deps);
  const verify = (by: Principal) =>
    callOperation(handlers, 'backOffice.audit.verify', { principal: by });
  const verdict = await verify(operator);
  assert.deepEqual([verdict.status, verdict.body.isIntact], [200, true]);
  assert.ok(verdict.body.position > 0);
  const ours = inGroup(fixture.merchant.managementGroupGuid);
  assert.equal((await verify(ours)).status, 403);
  const exporting = (by: Principal, after: string) =>
    callOperation(handlers, 'backOffice.audit.export', { principal: by, query: { after } });
  assert.equal((await exporting(ours, '0')).status, 403);
  for (const after of ['-1', 'x', '1.5', '9'.repeat(17)]) {
    assert.equal((await exporting(operator, after)).status, 400, after);
  }
});

test('backOffice.audit.list: the entries of a reach are looked up by the places in it', async () => {
  const plans: string[] = [];
  const reach = { ...everywhere, isPlatform: false, groupGuids: [newGuid()] };
  await fixture.database.transaction(async (sql) => {
    // Of few entries, it would be cheaper to read all.
    await sql`set local enable_seqscan = off`;
    await listEntries(explainStatements(sql, plans), { reach }, null, 100);
  });
  for (const place of ['restaurant', 'group', 'partner']) {
    assert.match(plans.join(), new RegExp(`using audit_entry_by_${place} `));
  }
  assert.doesNotMatch(plans.join(), /audit_entry_by_at/);
});

test('backOffice.audit.list 200: pages of a group have all of its entries, in order', async () => {
  const { merchant, vault, database } = fixture;
  const other = await fixture.addMerchant('USD');
  const nowMs = fixture.clock.nowMs();
  const write = async (restaurantGuid: string, afterMs: number) => {
    const at = new Date(nowMs + afterMs);
    const subject = { kind: 'payment', id: newGuid() } as const;
    await insertEntry(
      database.sql,
      {
        ...{ by: operator.clientId, requestId: null, operation: 'backOffice.payments.apply' },
        ...{ at, realAt: at, attest: attestEntries(vault) },
      },
      { subject, restaurantGuid, before: null, after: null },
    );
  };
  // Three at a time, so that pages end between them.
  for (let count = 0; count < 40; count += 1) {
    await write(merchant.guid, Math.floor(count / 3));
    if (count % 10 === 0) await write(other.guid, count);
  }
  const groupGuids = [merchant.managementGroupGuid, other.managementGroupGuid];
  const reach = { ...everywhere, isPlatform: false, groupGuids };
  const all = (await listEntries(database.sql, { reach: everywhere }, null, 1_000)).filter(
    ({ restaurantGuid }) => restaurantGuid === merchant.guid || restaurantGuid === other.guid,
  );
  assert.ok(all.length >= 44);
  for (const limit of [1, 7, 20, 1_000]) {
    const listed: typeof all = [];
    for (let page: typeof all | null = null; page === null || page.length === limit; ) {
      const last = listed.at(-1);
      const place = last ? { at: last.at.toISOString(), guid: last.guid } : null;
      page = await listEntries(database.sql, { reach }, place, limit);
      listed.push(...page);
    }
    assert.deepEqual(listed, all);
  }
});
