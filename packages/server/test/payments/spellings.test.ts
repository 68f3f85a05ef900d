import assert from 'node:assert/strict';
import { test } from 'node:test';
import { huntSpellings } from './hunt/spelling-hunt.ts';

test('creditCards.authorize PAY-14: no spelling of the paid card is anywhere', async (t) => {
  const report = await huntSpellings({ spellings: 100, isWhole: false });
  const { payments, fields, found, marked, statuses } = report;
  t.diagnostic(`${payments} payments in 100 spellings, ${fields} fields: found ${found.length}`);
  assert.deepEqual(found, []);
  // A hunt that looks at nothing would find nothing.
  for (const place of ['the tables', 'a backup', 'the files of base', 'the files of pg_wal']) {
    assert.ok(marked.includes(place), place);
  }
  assert.ok((statuses.get(200) ?? 0) >= 50, 'most fields take any text');
  assert.ok((statuses.get(422) ?? 0) >= 10, 'and some do not');
});
