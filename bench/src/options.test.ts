import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBenchOptions } from './options.ts';

test('bench: its command line says what is run, how long and how often', () => {
  const { task, scenarios, effort, runs } = readBenchOptions([]);
  assert.deepEqual({ task, scenarios, runs }, { task: 'measure', scenarios: [], runs: 1 });
  assert.deepEqual(effort, { rounds: 5, secondsPerRound: 1, isSmoke: false });
  const profile = readBenchOptions(['--profile', 'read-page', '--only', 'br', '--seconds', '2']);
  assert.deepEqual(
    [profile.task, profile.scenarios, profile.only],
    ['profile', ['read-page'], 'br'],
  );
  assert.equal(profile.effort.secondsPerRound, 2);
  assert.equal(readBenchOptions(['--smoke']).effort.isSmoke, true);
});

test('bench: a flag that would do nothing is refused', () => {
  for (const args of [
    ['--smoke', '--runs', '2'],
    ['--rounds', '9', '--smoke'],
    ['--smoke', '--write-docs'],
    ['--profile', '--write-docs'],
  ]) {
    assert.throws(() => readBenchOptions(args), /does nothing beside --(smoke|profile)/);
  }
});
