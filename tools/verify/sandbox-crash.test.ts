import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playSandboxCrash } from './sandbox-crash/run.ts';

const SEED = 20_261_124;

test(`sandboxes: one kill in the middle leaves nothing half and loses nothing, seed ${SEED}`, async (t) => {
  const tell = (line: string) => t.diagnostic(line);
  const { violations } = await playSandboxCrash({ kills: 1, seed: SEED }, tell);
  assert.deepEqual(violations, []);
});
