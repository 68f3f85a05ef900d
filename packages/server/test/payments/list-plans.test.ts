import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { listPayments } from '../../src/payments/life/list-store.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { explainStatements } from '../explain-statements.ts';
import { insertOpenCopies } from './due-fixture-store.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { beginLife } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

test('backOffice.payments.list: each filter reads what fits it, not the newest payments', async () => {
  const life = beginLife(fixture);
  await life.put();
  const filters: Readonly<Record<string, Parameters<typeof listPayments>[2]>> = {
    payment_by_state: { state: ['REVIEW'] },
    payment_by_client: { clientId: 'nobody' },
    payment_by_card_last4: { cardLast4: '4242' },
    payment_by_amount: { amount: 23.5 },
    payment_by_due_at: { dueBefore: new Date(0).toISOString() },
    payment_by_created_at: { createdTo: new Date(0).toISOString() },
  };
  const undone = new Error('undone');
  const plans: string[] = [];
  const run = fixture.database.transaction(async (sql) => {
    await insertOpenCopies(sql, life.key, [newGuid()], 20_000);
    const explained = explainStatements(sql, plans);
    for (const filter of Object.values(filters)) {
      await listPayments(explained, everywhere, filter, null, 100);
    }
    throw undone;
  });
  await assert.rejects(run, undone);
  for (const [at, index] of Object.keys(filters).entries()) {
    const plan = plans[at] ?? '';
    assert.match(plan, new RegExp(` (?:using|on) ${index} `), plan);
    assert.match(plan, /Index Cond/, plan);
    assert.doesNotMatch(plan, /Seq Scan on payment/, plan);
  }
});
