import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withTable } from './report.ts';
import type { Line } from './scenario.ts';
import { markdownTable, plainTable, textOf } from './table.ts';
import { isMetInAll, rowsOf } from './verdicts.ts';

const spread = (median: number) => ({ median, least: median / 2, most: median * 2 });

function readLine(ratio: number): Line {
  return {
    name: '300 items',
    unit: '/s',
    product: { name: 'product', ...spread(8_000), p50Ms: 1.5, p99Ms: 12, busy: 0.98 },
    others: [{ name: 'node:http', ...spread(10_000), p50Ms: 1, p99Ms: 6 }],
    ratio: spread(ratio),
    goal: { atLeast: 0.9 },
    p99: { ratio: spread(2), goal: { atMost: 2 } },
  };
}

const start: Line = {
  name: '',
  unit: 's',
  product: { name: 'product', median: 0.8, least: 0.8, most: 0.8 },
  others: [],
  ratio: null,
  goal: { atMost: 1 },
};

const runOf = (ratio: number) => [
  { scenario: 'read-page', lines: [readLine(ratio)] },
  { scenario: 'start', lines: [start] },
];

describe('the table of the bench', () => {
  test('a line tells its numbers with their goals, and a row for each side', () => {
    assert.equal(
      textOf('read-page', readLine(0.8)),
      [
        'read-page: 300 items',
        '  0.800 (0.400–1.600), goal ≥ 0.9 missed',
        '  p99 2.000 (1.000–4.000), goal ≤ 2 met',
        '  product    8000/s      p99 12 ms     98 % busy   123 µs each',
        '  node:http  10000/s     p99 6.00 ms',
      ].join('\n'),
    );
    assert.equal(textOf('start', start), 'start\n  0.80 s, goal ≤ 1 s met');
  });

  test('in the terminal a run has a number for each goal, in few columns', () => {
    const lines = plainTable([runOf(0.8)])
      .trimEnd()
      .split('\n');
    assert.ok(lines.every((line) => line.length <= 80));
    assert.match(lines[1] ?? '', /^read-page: 300 items +≥ 0\.9 +0\.800 +MISSED$/);
    assert.match(lines[2] ?? '', /^read-page: 300 items, p99 +≤ 2 +2\.000 +met$/);
    assert.match(lines[3] ?? '', /^start +≤ 1 s +0\.80 s +met$/);
  });

  test('of several runs each has its number, and the goal must be met in all', () => {
    const runs = [runOf(0.95), runOf(0.91), runOf(0.89)];
    const [, read = ''] = plainTable(runs).split('\n');
    assert.match(read, /≥ 0\.9 +0\.950 +0\.910 +0\.890 +MISSED$/);
    assert.deepEqual(rowsOf(runs).map(isMetInAll), [false, true, true]);
    assert.ok(rowsOf(runs.slice(0, 2)).every(isMetInAll));
  });

  test('what came to nothing in one run is not met in all', () => {
    const rows = rowsOf([runOf(0.95), []]);
    assert.deepEqual(rows.map(isMetInAll), [false, false, false]);
    assert.match(plainTable([runOf(0.95), []]), /0\.950 +– +MISSED/);
  });

  test('in Markdown a goal that is missed stands out, beside the sides of the middle run', () => {
    const runs = [runOf(0.95), runOf(0.8), runOf(0.91)];
    const [, , first = '', second = '', third = ''] = markdownTable(runs).split('\n');
    assert.match(first, /^\| read-page: 300 items \| ≥ 0\.9 \*\*missed\*\* \| 0\.950, 0\.800, /);
    assert.match(first, /\| 8000\/s \| node:http 10000\/s \|$/);
    assert.match(second, /^\| read-page: 300 items, p99 \| ≤ 2 met \| 2\.000, /);
    assert.match(third, /^\| start \| ≤ 1 s met \| 0\.80 s, 0\.80 s, 0\.80 s \| – \| – \|$/);
    const columns = markdownTable(runs)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' | ').length);
    assert.equal(new Set(columns).size, 1);
  });

  test('in Markdown a scenario of hundreds of lines shows only the goals that it missed', () => {
    const lines = Array.from({ length: 60 }, (_, at) => ({
      ...start,
      name: `list ${at}`,
      product: { ...start.product, median: at === 7 ? 2 : 0.5 },
    }));
    const [, , missed, met, end] = markdownTable([[{ scenario: 'growth', lines }]]).split('\n');
    assert.match(missed ?? '', /^\| growth: list 7 \| ≤ 1 s \*\*missed\*\* \| 2\.00 s \|/);
    assert.match(met ?? '', /^\| growth: 59 others \| all met \|/);
    assert.equal(end, '');
  });

  test('the page keeps what is around the markers, and a note is told once', () => {
    const machine = {
      ...{ day: '2026-01-02', commit: 'abc', cpu: 'Fast', cores: 2, memoryGiB: 8 },
      ...{ system: 'Linux', node: '26.0.0', postgres: '18.1', isPinned: true },
    };
    const effort = { rounds: 5, secondsPerRound: 3, isSmoke: false };
    const notes = ['settings were raised'];
    const results = [{ scenario: 'start', lines: [start], notes, skipped: [] }];
    const page = 'before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n';
    const written = withTable(page, { machine, effort, runs: [results, results] });
    assert.match(written, /^before\n<!-- bench -->\n\nMeasured on 2026-01-02 at commit abc: Fast/);
    assert.match(written, /; 2 whole runs of 5 rounds of 3 s; pinned/);
    assert.match(written, /\|\n\n- start: settings were raised\n\n<!-- \/bench -->\nafter\n$/);
    assert.doesNotMatch(written, /old/);
    const runs = [results];
    assert.throws(() => withTable('no markers', { machine, effort, runs }), /no markers/);
  });
});
