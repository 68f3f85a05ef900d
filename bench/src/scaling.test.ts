import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { costOf, scalingOf, together } from './scaling.ts';
import type { Contender } from './scenario.ts';

function contender(name: string, value: number, calls: string[] = []): Contender {
  return {
    name,
    async measure(seconds) {
      calls.push(`${name} ${seconds}`);
      return { value };
    },
  };
}

describe('what a second process brings', () => {
  test('answers of two are told for each of one, by turns the other way round', async () => {
    const calls: string[] = [];
    const scaling = scalingOf('both', contender('one', 200, calls), contender('two', 300, calls));
    assert.deepEqual(await scaling.measure(2), { value: 1.5 });
    assert.deepEqual(await scaling.measure(2), { value: 1.5 });
    assert.deepEqual(calls, ['one 2', 'two 2', 'two 2', 'one 2']);
  });

  test('parts that work at the same time are added up', async () => {
    const sum = together('sum', [contender('first', 3), contender('second', 4)]);
    assert.deepEqual(await sum.measure(1), { value: 7 });
  });

  test('what an answer costs can be told of a process only', async () => {
    assert.throws(() => costOf(contender('nobody', 1)), /nobody has no process/);
    const own = { ...contender('own', 1_000), process: { pid: process.pid, inspectorUrl: null } };
    const { value } = await costOf(own).measure(1);
    assert.ok(value >= 0);
  });
});
