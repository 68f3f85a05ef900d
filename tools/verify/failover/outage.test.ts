import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../crash/history.ts';
import { findOutages } from './outage.ts';

function acknowledgedAt(second: number, server: string): Operation {
  return {
    ...{ client: 'c', server, kind: 'put', merchantGuid: 'm', paymentUuid: 'p', argument: '' },
    ...{ startUs: second * 1e6 - 100, endUs: second * 1e6, status: 200, state: 'AUTHORIZED' },
    ...{ version: null, orderGuid: null, body: '', retryAfter: null },
  };
}

test('an outage is the longest time without an acknowledged payment after its own strike', () => {
  const operations = [
    ...[1, 2, 3, 24, 25, 60].map((second) => acknowledgedAt(second, 'a')),
    ...[1, 2, 3, 27, 28].map((second) => acknowledgedAt(second, 'b')),
    { ...acknowledgedAt(10, 'a'), status: 503, state: null },
    { ...acknowledgedAt(70, 'b'), status: 503, state: null },
  ];
  const strikes = [
    { kind: 'hang', atUs: 3.5e6 },
    { kind: 'kill', atUs: 29e6 },
  ] as const;
  const found = findOutages(strikes, operations, ['a', 'b']);
  assert.deepEqual(
    found.map(({ seconds, secondsByServer }) => [seconds, ...secondsByServer.values()]),
    [
      [21, 21, 24],
      [32, 35, 42],
    ],
  );
});
