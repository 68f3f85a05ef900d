import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { claimDuePayments, findNextDue } from '../../src/payments/due/due-store.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import { listPayments } from '../../src/payments/life/list-store.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { countWaiting } from '../database.ts';
import { explainStatements } from '../explain-statements.ts';
import { insertOpenCopies, lockPayment } from './due-fixture-store.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { beginLife, type Life } from './life.ts';
import { until } from './processors/orders.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const MINUTE_MS = 60_000;
const unknown = { outcome: 'unknown', explanation: 'scripted silence' } as const;
const notFound = { outcome: 'notFound', explanation: 'scripted: not known' } as const;

const withinGroups = (...groupGuids: string[]) => ({
  ...everywhere,
  isPlatform: false,
  groupGuids,
});

/** A life at a restaurant of a group of its own. */
async function elsewhere(): Promise<{ life: Life; group: string }> {
  const merchant = await fixture.addMerchant('USD');
  const put: PaymentFixture['put'] = (parts, overrides) =>
    fixture.put({ ...parts, restaurant: merchant }, overrides);
  return { life: beginLife({ ...fixture, merchant, put }), group: merchant.managementGroupGuid };
}

test('nextDueMs: of a group it is told what its own restaurants have due', async () => {
  const own = fixture.merchant.managementGroupGuid;
  const { life: others, group } = await elsewhere();
  const { nextDueMs } = createPaymentSweep({ ...fixture.deps, timer: fixture.timer });
  const next = async (...groups: string[]) => await nextDueMs(withinGroups(...groups));

  await others.put();
  const othersDueMs = fixture.clock.nowMs() + 5 * MINUTE_MS;
  assert.deepEqual([await next(own), await next(), await next(newGuid())], [null, null, null]);
  fixture.clock.advance(1_000);
  const life = beginLife(fixture);
  await life.put();
  const dueMs = othersDueMs + 1_000;
  assert.deepEqual([await next(own), await next(group)], [dueMs, othersDueMs]);
  assert.equal(await next(own, group), othersDueMs, 'of several groups the earliest');
  assert.deepEqual([await nextDueMs(), await nextDueMs(everywhere)], [othersDueMs, othersDueMs]);
  await life.advance(5 * MINUTE_MS);
  assert.deepEqual([await life.state(), await others.state()], ['VOIDED', 'VOIDED']);
});

test('nextDueMs: of a group it is told which of its own attempts are asked about', async () => {
  const { life: others, group } = await elsewhere();
  const own = fixture.merchant.managementGroupGuid;
  const { nextDueMs } = createPaymentSweep({ ...fixture.deps, timer: fixture.timer });
  others.script('authorize', unknown);
  await others.put();
  others.script('inquire', notFound);
  await others.advance(20_000);
  assert.equal(await others.state(), 'ABORTED');
  assert.equal(await nextDueMs(withinGroups(own)), null);
  assert.equal(await nextDueMs(withinGroups(group)), fixture.clock.nowMs() + MINUTE_MS);
});

/** What backs each filter of the list. */
const filters: Readonly<Record<string, Parameters<typeof listPayments>[2]>> = {
  payment_by_state: { state: ['REVIEW'] },
  payment_by_client: { clientId: 'nobody' },
  payment_by_card_last4: { cardLast4: '4242' },
  payment_by_amount: { amount: 23.5 },
  payment_by_due_at: { dueBefore: new Date(0).toISOString() },
  payment_by_created_at: { createdTo: new Date(0).toISOString() },
};

test('nextDueMs backOffice.payments.list: both read what fits from indexes, however much is open elsewhere', async () => {
  const { life, group } = await elsewhere();
  await life.put();
  const others = Array.from({ length: 100 }, newGuid);
  const plans: string[] = [];
  const listPlans: string[] = [];
  const undone = new Error('undone');
  const run = fixture.database.transaction(async (sql) => {
    await insertOpenCopies(sql, life.key, others, 200);
    const explained = explainStatements(sql, plans);
    for (const reach of [everywhere, withinGroups(group, fixture.merchant.managementGroupGuid)]) {
      await findNextDue(explained, 'payment', reach);
      await findNextDue(explained, 'lateApprovalInquiry', reach);
    }
    const now = new Date(fixture.clock.nowMs());
    const lease = { leaseHolder: newGuid(), realNow: now, leaseExpiresAt: now };
    await claimDuePayments(explained, now, lease, 10);
    const listing = explainStatements(sql, listPlans);
    for (const filter of Object.values(filters)) {
      await listPayments(listing, everywhere, filter, null, 100);
    }
    throw undone;
  });
  await assert.rejects(run, undone);
  const indexes = plans.map((plan) => plan.match(/using (payment\w*_due_at)/)?.[1]);
  assert.deepEqual(indexes, [
    'payment_by_due_at',
    'payment_attempt_by_due_at',
    'payment_by_merchant_due_at',
    'payment_attempt_by_merchant_due_at',
    'payment_by_due_at',
  ]);
  for (const [at, index] of Object.keys(filters).entries()) {
    const plan = listPlans[at] ?? '';
    assert.match(plan, new RegExp(` (?:using|on) ${index} `), plan);
    assert.match(plan, /Index Cond/, plan);
  }
  for (const plan of [...plans, ...listPlans]) {
    assert.doesNotMatch(plan, /Seq Scan on payment/, plan);
  }
});

test('claimDuePayments: all who claim the same payments lock them in one order', async () => {
  const [first, second] = [beginLife(fixture), beginLife(fixture)].toSorted((one, other) =>
    one.key.paymentUuid < other.key.paymentUuid ? -1 : 1,
  );
  assert.ok(first && second);
  // In the order of their deadlines it would be the other way around.
  await second.put();
  fixture.clock.advance(1_000);
  await first.put();
  fixture.clock.advance(5 * MINUTE_MS);
  const { sql, transaction } = fixture.database;
  const now = new Date(fixture.clock.nowMs());
  const lease = { leaseHolder: newGuid(), realNow: now, leaseExpiresAt: now };
  const claimed = await transaction(async (other) => {
    await lockPayment(other, first.key);
    const claiming = claimDuePayments(sql, now, lease, 100);
    await until('the claim waits for the first', async () => (await countWaiting(sql)) === 1);
    await lockPayment(other, second.key);
    return { claiming };
  });
  const uuids = (await claimed.claiming).map(({ paymentUuid }) => paymentUuid);
  assert.ok([first, second].every(({ key }) => uuids.includes(key.paymentUuid)));
});
