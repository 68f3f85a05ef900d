import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { newGuid } from '@servery/support/ids.ts';
import { systemOrigin } from '../../src/audit/origin.ts';
import { type AlarmRow, insertAlarm, listAlarms } from '../../src/payments/alarms/alarm-store.ts';
import { acknowledgeAlarm } from '../../src/payments/alarms/alarms.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { beginLife, type Life } from './life.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const unknown: ProcessorAnswer = { outcome: 'unknown', explanation: 'scripted silence' };

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

/** All alarms of a life, the newest first. */
async function alarmsOf({ key }: Life): Promise<AlarmRow[]> {
  const filter = { reach: everywhere, isOpen: null };
  const all = await listAlarms(fixture.database.sql, filter, null, 1_000);
  return all.filter(({ paymentUuid }) => paymentUuid === key.paymentUuid);
}

/** How many alarms a life has in all, and how many of them nobody took note of. */
async function countsOf(life: Life): Promise<{ readonly all: number; readonly open: number }> {
  const alarms = await alarmsOf(life);
  return { all: alarms.length, open: alarms.filter((alarm) => !alarm.acknowledgedAt).length };
}

async function acknowledgeAll(life: Life): Promise<void> {
  for (const { guid } of await alarmsOf(life)) {
    const origin = systemOrigin(fixture.deps, 'test', 'alarms acknowledge');
    const note = { reach: everywhere, note: 'the processor is away', origin };
    await acknowledgeAlarm(fixture.deps, guid, note);
  }
}

/** A payment whose void the processor never answers, and whose alarm was raised. */
async function unsettled(): Promise<Life> {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', ...Array<ProcessorAnswer>(100).fill(unknown));
  for (let tries = 0; tries < 10; tries += 1) await life.advance(5 * MINUTE_MS);
  assert.equal(await life.state(), 'VOID_PENDING');
  assert.deepEqual(await countsOf(life), { all: 1, open: 1 });
  return life;
}

test('backOffice.alarms PAY-I3: what stays unsettled is told of again a day after a note', async () => {
  const life = await unsettled();
  await acknowledgeAll(life);
  for (const expected of [1, 2, 3]) {
    await life.advance(DAY_MS - 1);
    assert.deepEqual(await countsOf(life), { all: expected, open: 0 }, 'at most one a day');
    await life.advance(5 * MINUTE_MS);
    assert.deepEqual(await countsOf(life), { all: expected + 1, open: 1 });
    await life.advance(2 * DAY_MS);
    assert.deepEqual(await countsOf(life), { all: expected + 1, open: 1 }, 'one is open');
    await acknowledgeAll(life);
  }
  const lines = fixture.logged.filter(
    (line) => line.includes(life.key.paymentUuid) && line.includes('a payment needs a person'),
  );
  assert.equal(lines.length, 4, 'each is told once');
});

test('backOffice.alarms PAY-I3: processes that tell at once open one alarm', async () => {
  const life = await unsettled();
  await acknowledgeAll(life);
  const raisedAt = new Date(fixture.clock.nowMs() + DAY_MS);
  const { state: paymentState, attempt } = await life.row();
  const alarm = { ...life.key, kind: 'UNSETTLED', attempt, paymentState } as const;
  const raise = (at: Date) => {
    const row = { ...alarm, guid: newGuid(), explanation: 'raised by a test', raisedAt: at };
    return insertAlarm(fixture.database.sql, row);
  };
  const raised = await Promise.all(Array.from({ length: 8 }, () => raise(raisedAt)));
  assert.equal(raised.filter((isRaised) => isRaised).length, 1);
  assert.deepEqual(await countsOf(life), { all: 2, open: 1 });
});

test('backOffice.alarms: a note from before the clock went back silences nothing', async () => {
  const life = await unsettled();
  await acknowledgeAll(life);
  const { state: paymentState, attempt } = await life.row();
  const raisedAt = new Date(fixture.clock.nowMs() - HOUR_MS);
  const about = { ...life.key, kind: 'UNSETTLED', attempt, paymentState } as const;
  const row = { ...about, guid: newGuid(), explanation: 'raised by a test', raisedAt };
  assert.equal(await insertAlarm(fixture.database.sql, row), true);
});
