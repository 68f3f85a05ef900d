import assert from 'node:assert/strict';
import { test } from 'node:test';
import { platformUnderTest } from '../../acceptance/src/platform.ts';
import { certified } from './certify-mutants/certify-mutant.ts';
import { mutants } from './certify-mutants/mutants.ts';

const platform = await platformUnderTest();

test('servery certify passes the reference integration, and finds a mistake in it', async () => {
  const reference = await certified(platform, null, ['declined']);
  assert.deepEqual([...reference], [['declined', 'passed']]);
  const mutant = mutants.find(({ name }) => name === 'declined');
  assert.ok(mutant);
  const mistaken = await certified(platform, mutant, ['pages', 'declined']);
  assert.deepEqual(
    [...mistaken],
    [
      ['pages', 'passed'],
      ['declined', 'failed'],
    ],
  );
});

test('each scenario of servery certify has a mistake that fails it', async () => {
  const { scenarios } = await import('../../packages/cli/src/certify/scenarios.ts');
  assert.deepEqual(
    mutants.map(({ name }) => name),
    scenarios.map(({ name }) => name),
  );
});
