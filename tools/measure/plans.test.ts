import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { start } from '../../packages/server/src/boot/server.ts';
import {
  findPlan,
  listLargeTables,
  listSmallIndexes,
  updateCounted,
} from './plans/explain-store.ts';
import { findWholeReads, grows } from './plans/judge.ts';
import { LARGE_ROWS, openPlanStage, type Seen } from './plans/stage.ts';

/** What may read more than it answers, and why. */
const ALLOWED: readonly { readonly by: RegExp; readonly reason: string }[] = [
  {
    by: /^backOffice\.metrics$/,
    reason:
      'It counts what it reports: the endpoints by their states, and the payments that are due.',
  },
];

/** Upkeep of once a minute, which only a slow run sees. Until it is counted, the guests are few. */
const UPKEEP = /^\s*select g\.merchant_guid [^;]* from payment_guest /;

/** An index of so little holds only what waits. */
const SMALL_PAGES = 3;

// Not in a hook, whose failure every test would repeat.
const stage = await openPlanStage(start);
after(() => stage.close());

/** What reads a table from end to end, with the operation that sent it. */
async function findings(seen: Iterable<Seen>, isCounted: boolean): Promise<string[]> {
  const { sql } = stage.explainStatements;
  const large = new Set(await listLargeTables(sql, LARGE_ROWS));
  const small = new Set(await listSmallIndexes(sql, SMALL_PAGES));
  const isSmallIndex = (name: string) => small.has(name);
  const found: string[] = [];
  for (const { by, statement } of seen) {
    if (!isCounted && UPKEEP.test(statement.text)) continue;
    const chosen = await findPlan(sql, statement, false);
    // Where there is little, a table is read whole because that is cheap: what else could be done?
    const possible = await findPlan(sql, statement, true);
    const isLarge = (table: string) => grows(table) && large.has(table);
    const ofPossible = findWholeReads(possible, { isTable: grows, isSmallIndex });
    const reads = [
      ...findWholeReads(chosen, { isTable: isLarge, isSmallIndex }),
      ...ofPossible.filter((read) => read.startsWith('Seq Scan')),
    ];
    if (ALLOWED.some((row) => row.by.test(by))) continue;
    const text = statement.text.replace(/\s+/g, ' ').trim();
    for (const read of new Set(reads)) found.push(`${by}: ${read}: ${text}`);
  }
  return found;
}

test('plans: every operation was called, and what is repeated was seen', () => {
  const failed = stage.visits.filter(({ status }) => status >= 500);
  assert.deepEqual(failed, []);
  const answered = stage.visits.filter(({ status }) => status < 400 || status === 404);
  const ids = (visits: typeof answered) => [...new Set(visits.map(({ id }) => id))].sort();
  assert.deepEqual(ids(answered), ids([...stage.visits]), 'each was let in at least once');
  const texts = [...stage.seen.values()].map(({ statement }) => statement.text);
  const claims = texts.filter((text) => /set lease_holder = \$/.test(text));
  assert.ok(claims.length >= 2, claims.join('\n'));
  assert.ok(texts.length > 60, `${texts.length} statements`);
});

test('plans: before the database knows how much there is, nothing is read whole', async () => {
  assert.deepEqual(await findings(stage.seen.values(), false), []);
});

test('plans: once the database knows how much there is, nothing is read whole', async () => {
  await updateCounted(stage.explainStatements.sql);
  assert.deepEqual(await findings(stage.seen.values(), true), []);
});

test('plans: whatever may read more is still called', () => {
  const names = [...stage.seen.values()].map(({ by }) => by);
  for (const { by, reason } of ALLOWED)
    assert.ok(
      names.some((name) => by.test(name)),
      reason,
    );
});
