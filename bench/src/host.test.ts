import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostTimeOf, stolenShare } from './host.ts';

const stat = (user: number, idle: number, stolen: number) =>
  `cpu  ${user} 0 10 ${idle} 5 0 5 ${stolen} 70 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n`;

test('of the time between two readings the share that the host took is told', () => {
  const [before, after] = [hostTimeOf(stat(100, 200, 30)), hostTimeOf(stat(160, 220, 50))];
  assert.deepEqual(before, { all: 350, stolen: 30 });
  assert.equal(stolenShare(before, after), 0.2);
});

test('where nobody tells, or no time has passed, nothing was taken', () => {
  const some = hostTimeOf(stat(100, 200, 30));
  assert.equal(hostTimeOf('intr 1 2 3'), null);
  assert.equal(hostTimeOf('cpu  1 2 3\n'), null);
  for (const [before, after] of [
    [null, some],
    [some, null],
    [some, some],
  ] as const) {
    assert.equal(stolenShare(before, after), 0);
  }
});
