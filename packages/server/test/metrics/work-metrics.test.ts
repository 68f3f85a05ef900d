import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault } from '@servery/support/secret.ts';
import { insertEntry } from '../../src/audit/entry-store.ts';
import { systemOrigin } from '../../src/audit/origin.ts';
import { workMetrics } from '../../src/metrics/work-metrics.ts';
import type { NamedWork } from '../../src/sandbox/mover.ts';
import { createMetrics } from '../../src/support/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { NOW_MS } from '../request.ts';

let own: TestDatabase;
before(async () => {
  own = await createTestDatabase();
});
after(() => own.drop());

const workDueAt = (kind: string, dueMs: number | null): NamedWork => ({
  kind,
  isDeadline: true,
  work: { nextDueMs: async () => dueMs, runDue: async () => [] },
});

test('backOffice.metrics: how long each kind of work is overdue, what is unsealed', async () => {
  const clock = new FixedClock(NOW_MS);
  const realClock = new FixedClock(NOW_MS);
  const metrics = createMetrics();
  workMetrics(metrics, {
    ...{ database: own.database, clock, realClock },
    dueWork: [
      workDueAt('payment', NOW_MS - 90_000),
      workDueAt('stock', NOW_MS + 90_000),
      workDueAt('guestRetention', null),
    ],
  });
  const linesOf = async (name: string) =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(`servery_${name}{`));
  assert.deepEqual(await linesOf('due_work_age_seconds'), [
    'servery_due_work_age_seconds{kind="payment"} 90',
    'servery_due_work_age_seconds{kind="stock"} 0',
    'servery_due_work_age_seconds{kind="guestRetention"} 0',
  ]);
  assert.deepEqual(await linesOf('audit_entries_waiting'), [
    'servery_audit_entries_waiting{what="count"} 0',
    'servery_audit_entries_waiting{what="age_seconds"} 0',
  ]);
  const vault = createVault(Buffer.alloc(32, 7));
  await insertEntry(
    own.database.sql,
    systemOrigin({ clock, realClock, vault }, 'test', 'test.change'),
    {
      subject: { kind: 'partner', id: 'b9c39ad2-3be2-4a5a-9a5f-32a1f0f3a8a1' },
      before: null,
      after: { name: 'New' },
    },
  );
  realClock.advance(5_000);
  assert.deepEqual(await linesOf('audit_entries_waiting'), [
    'servery_audit_entries_waiting{what="count"} 1',
    'servery_audit_entries_waiting{what="age_seconds"} 5',
  ]);
});
