import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withTable } from './report.ts';
import type { Line } from './scenario.ts';
import { markdownTable, textOf } from './table.ts';

const spread = (median: number) => ({ median, least: median / 2, most: median * 2 });

const read: Line = {
  name: '300 items',
  unit: '/s',
  product: { name: 'product', ...spread(8_000), p50Ms: 1.5, p99Ms: 12, busy: 0.98 },
  others: [{ name: 'node:http', ...spread(10_000), p50Ms: 1, p99Ms: 6 }],
  ratio: spread(0.8),
  goal: { atLeast: 0.9 },
  p99: { ratio: spread(2), goal: { atMost: 2 } },
};

const start: Line = {
  name: '',
  unit: 's',
  product: { name: 'product', median: 0.8, least: 0.8, most: 0.8 },
  others: [],
  ratio: null,
  goal: { atMost: 1 },
};

describe('the table of the bench', () => {
  test('a line tells the ratio with its spread, the goals and both sides', () => {
    assert.equal(
      textOf('read-page', read),
      'read-page: 300 items: ratio 0.800 (0.400–1.600); goal ≥ 0.9 missed; p99 2.000, goal ≤ 2 ' +
        'met; product 8000/s (4000–16000) p50 1.50 ms p99 12 ms, 98 % busy, 123 µs of processor ' +
        'each; node:http 10000/s (5000–20000) p50 1.00 ms p99 6.00 ms',
    );
  });

  test('a line without others tells the product’s own value', () => {
    assert.equal(textOf('start', start), 'start: goal ≤ 1 met; product 0.80 s');
  });

  test('in Markdown a goal that is missed stands out', () => {
    const table = markdownTable([
      { scenario: 'read-page', lines: [read] },
      { scenario: 'start', lines: [start] },
    ]);
    const [, , first = '', second = ''] = table.split('\n');
    assert.match(first, /^\| read-page: 300 items \| ≥ 0\.9 \*\*missed\*\*, p99 ≤ 2 met \|/);
    assert.match(second, /^\| start \| ≤ 1 s met \| – \| 0\.80 s \| – \|/);
    const columns = table
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' | ').length);
    assert.equal(new Set(columns).size, 1);
  });

  test('the page keeps what is around the markers', () => {
    const machine = {
      ...{ day: '2026-01-02', commit: 'abc', cpu: 'Fast', cores: 2, memoryGiB: 8 },
      ...{ system: 'Linux', node: '26.0.0', postgres: '18.1', isPinned: true },
    };
    const effort = { rounds: 5, secondsPerRound: 3, isSmoke: false };
    const results = [{ scenario: 'start', lines: [start], notes: ['settings were raised'] }];
    const page = 'before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n';
    const written = withTable(page, { machine, effort, results });
    assert.match(written, /^before\n<!-- bench -->\n\nMeasured on 2026-01-02 at commit abc: Fast/);
    assert.match(written, /- start: settings were raised\n\n<!-- \/bench -->\nafter\n$/);
    assert.doesNotMatch(written, /old/);
    assert.throws(() => withTable('no markers', { machine, effort, results }), /no markers/);
  });
});
