import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playSandboxCrash } from './sandbox-crash/run.ts';

const SEED = 20_261_124;
const KILLS = 4;

test(`sandboxes: ${KILLS} kills leave nothing half and lose nothing, seed ${SEED}`, async (t) => {
  const tell = (line: string) => t.diagnostic(line);
  const { cutShort, violations } = await playSandboxCrash({ kills: KILLS, seed: SEED }, tell);
  assert.deepEqual(violations, []);
  assert.ok(cutShort > 0, 'a kill proves something while an operation is under way');
});
