import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playSandboxCrash } from './sandbox-crash/run.ts';

const SEED = 20_261_124;
const KILLS = 2;

test(`sandboxes: ${KILLS} kills in the middle leave nothing half and lose nothing, seed ${SEED}`, async (t) => {
  const tell = (line: string) => t.diagnostic(line);
  const { violations } = await playSandboxCrash({ kills: KILLS, seed: SEED }, tell);
  assert.deepEqual(violations, []);
});
