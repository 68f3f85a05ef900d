import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Comparison, Contender } from './scenario.ts';
import { lineOf, type Round, type Turns, type TurnsDeps, takeTurns } from './turns.ts';

const EFFORT = { rounds: 2, secondsPerRound: 1, isSmoke: false };

function contender(name: string, calls: string[]): Contender {
  let round = 0;
  return {
    name,
    async measure() {
      calls.push(name);
      round += 1;
      return { value: round };
    },
  };
}

/** A host that takes these shares of turn after turn, each of which takes so long. */
function host(shares: readonly number[], turnMs = 1_000): TurnsDeps {
  let [readings, stolen] = [0, 0];
  return {
    async readHost() {
      // Before a turn and after it: what is taken between two turns is nobody's.
      if (readings % 2 === 1) stolen += (shares[(readings - 1) / 2] ?? 0) * 100;
      readings += 1;
      return { all: Math.ceil((readings - 1) / 2) * 100, stolen };
    },
    nowMs: () => Math.floor(readings / 2) * turnMs,
  };
}

function turnsOf(...rounds: readonly Round[][]): Turns {
  return { rounds, quiet: { turns: 2, stolen: 0 } };
}

function rounds(values: readonly number[], p99Ms = 1): Round[] {
  return values.map((value) => ({ value, p50Ms: p99Ms / 2, p99Ms, busy: 0.5 }));
}

function comparison(changes: Partial<Comparison> = {}): Comparison {
  const nobody: string[] = [];
  const [product, ceiling] = [contender('product', nobody), contender('ceiling', nobody)];
  return { name: 'one', product, others: [ceiling], goal: { atLeast: 0.5 }, ...changes };
}

describe('turns of contenders', () => {
  test('each round is the other way round, and the first one is not counted', async () => {
    const calls: string[] = [];
    const pair = [contender('A', calls), contender('B', calls)];
    const results = await takeTurns(pair, EFFORT, host([0, 0, 0]));
    assert.equal(calls.join(' '), 'B A A B B A');
    assert.deepEqual(
      results.rounds.map((each) => each.map(({ value }) => value)),
      [
        [2, 3],
        [2, 3],
      ],
    );
  });

  test('a turn that the host held up is taken again, and counts for want of better', async () => {
    const [calls, deps] = [[] as string[], host([0, 0.5, 0.02, 0.2, 0.03])];
    const { rounds: taken, quiet } = await takeTurns([contender('A', calls)], EFFORT, deps);
    assert.deepEqual(taken, [
      [
        { value: 3, busy: Number.NaN },
        { value: 5, busy: Number.NaN },
      ],
    ]);
    assert.deepEqual(quiet, { turns: 4, stolen: 0.03 });
  });

  test('turns are taken again for a while; then the quietest count, in their order', async () => {
    const [calls, deps] = [[] as string[], host([0, 0.3, 0.5, 0.4, 0.2], 6_000)];
    const { rounds: taken, quiet } = await takeTurns([contender('A', calls)], EFFORT, deps);
    assert.deepEqual(
      taken.flat().map(({ value }) => value),
      [2, 5],
    );
    assert.deepEqual(quiet, { turns: 4, stolen: 0.3 });
  });

  test('a smoke run has no round that is not counted', async () => {
    const calls: string[] = [];
    const smoke = { ...EFFORT, rounds: 1, isSmoke: true };
    await takeTurns([contender('A', calls)], smoke, host([0.9]));
    assert.deepEqual(calls, ['A']);
  });

  test('a line has the ratio round by round and the medians of each side', () => {
    const line = lineOf(comparison(), turnsOf(rounds([10, 20, 30]), rounds([20, 20, 20])));
    assert.deepEqual(line.ratio, { median: 1, least: 0.5, most: 1.5 });
    assert.equal(line.unit, '/s');
    const { name, median, p99Ms, busy } = line.product;
    assert.deepEqual([name, median, p99Ms, busy], ['product', 20, 1, 0.5]);
  });

  test('of several others the least of each round counts', () => {
    const two = comparison({ others: [contender('SQL', []), contender('decrypts', [])] });
    const line = lineOf(two, turnsOf(rounds([10, 10]), rounds([5, 40]), rounds([20, 20])));
    assert.deepEqual(line.ratio, { median: 1.25, least: 0.5, most: 2 });
    assert.deepEqual(
      line.others.map(({ name }) => name),
      ['SQL', 'decrypts'],
    );
  });

  test('the 99th percentiles have a ratio of their own where there is a goal for it', () => {
    const line = lineOf(
      comparison({ p99Goal: { atMost: 1.3 } }),
      turnsOf(rounds([1, 1], 6), rounds([1, 1], 4)),
    );
    assert.deepEqual(line.p99?.ratio, { median: 1.5, least: 1.5, most: 1.5 });
  });

  test('without others there is no ratio', () => {
    assert.equal(lineOf(comparison({ others: [] }), turnsOf(rounds([1, 2]))).ratio, null);
  });
});
