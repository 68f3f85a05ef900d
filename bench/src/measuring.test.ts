import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScenario } from './measuring.ts';
import type { Contender, Line, Scenario } from './scenario.ts';

const side = { name: 'product', median: 1, least: 1, most: 1 };
const product: Contender = { name: 'product', measure: async () => ({ value: 1 }) };

function lineOf(name: string): Line {
  return { name, unit: 's', product: side, others: [], ratio: null, goal: null };
}

const scenario: Scenario = {
  name: 'tried',
  about: 'two lines and a thing that is not there',
  async run(bench) {
    await bench.compare({ name: 'one item', product, others: [product], goal: null });
    bench.report(lineOf('many items'));
    bench.skip('the rest', 'there is none');
  },
};

async function runOnly(only: string) {
  const [leftOut, told]: string[][] = [[], []];
  const start = () => assert.fail('no platform is wanted');
  const result = await runScenario(
    scenario,
    {
      ...{ effort: { rounds: 1, secondsPerRound: 1, isSmoke: true }, only },
      ...{ startPlatform: start, startFilled: start },
      leaveOut: (title) => void leftOut?.push(title),
    },
    (text) => void told?.push(text),
  );
  return { ...result, leftOut, told };
}

test('measuring: lines without the text in their name do not count, and are named', async () => {
  const all = await runOnly('');
  assert.deepEqual([all.lines.length, all.leftOut], [2, []]);
  const some = await runOnly('many');
  assert.deepEqual(
    some.lines.map(({ name }) => name),
    ['many items'],
  );
  assert.deepEqual(some.leftOut, ['tried: one item']);
  assert.deepEqual((await runOnly('zzz')).leftOut, ['tried: one item', 'tried: many items']);
});

test('measuring: what is skipped is told with its reason', async () => {
  const { skipped, notes, told } = await runOnly('zzz');
  assert.deepEqual(skipped, ['the rest is skipped: there is none']);
  assert.deepEqual(notes, skipped);
  assert.deepEqual(told, ['tried, note: the rest is skipped: there is none']);
});
