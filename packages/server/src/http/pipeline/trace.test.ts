import assert from 'node:assert/strict';
import { test } from 'node:test';
import { continueTrace } from './trace.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

test('traceparent API-3: a valid one goes on with its trace and flags, and a new parent', () => {
  const trace = continueTrace(`00-${TRACE_ID}-00f067aa0ba902b7-01`);
  assert.equal(trace?.traceId, TRACE_ID);
  assert.match(trace?.traceparent ?? '', new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
  assert.ok(!trace?.traceparent.includes('00f067aa0ba902b7'));
});

test('traceparent API-3: an invalid one counts as absent', () => {
  for (const header of [
    undefined,
    '',
    'x',
    `ff-${TRACE_ID}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `00-${TRACE_ID.toUpperCase()}-00f067aa0ba902b7-01`,
  ]) {
    assert.equal(continueTrace(header), null);
  }
});
