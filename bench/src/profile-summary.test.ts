import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selfTimes } from './profile-summary.ts';

test('self times are added up by function and by file or package, the longest first', () => {
  const frame = (functionName: string, url: string, lineNumber = 0) => ({
    callFrame: { functionName, url, lineNumber },
  });
  const times = selfTimes({
    nodes: [
      { id: 1, ...frame('send', 'file:///somewhere/packages/server/src/http/send.ts', 9) },
      { id: 2, ...frame('', 'file:///somewhere/packages/server/src/http/send.ts', 19) },
      { id: 3, ...frame('parse', 'file:///somewhere/node_modules/@a/b/src/types.js', 1) },
      { id: 4, ...frame('(idle)', '') },
    ],
    samples: [1, 2, 1, 3, 4],
    timeDeltas: [1_000, 2_000, 3_000, 5_000, 4_000],
  });
  assert.deepEqual(times, {
    totalMs: 15,
    functions: [
      { name: 'parse node_modules/@a/b/src/types.js:2', selfMs: 5 },
      { name: 'send packages/server/src/http/send.ts:10', selfMs: 4 },
      { name: '(idle)', selfMs: 4 },
      { name: '(anonymous) packages/server/src/http/send.ts:20', selfMs: 2 },
    ],
    files: [
      { name: 'packages/server/src/http/send.ts', selfMs: 6 },
      { name: '@a/b', selfMs: 5 },
      { name: '(idle)', selfMs: 4 },
    ],
  });
});
