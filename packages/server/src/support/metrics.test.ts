import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sleep } from '@servery/support/timer.ts';
import { createMetrics } from './metrics.ts';

test('a sandbox that rests leaves no memory behind: its metrics let go of it', async () => {
  setFlagsFromString('--expose-gc');
  const kept = measured();
  // A weak reference keeps its target to the end of the turn that made it.
  await sleep(0);
  runInNewContext('gc')();
  assert.equal(kept.deref(), undefined);
});

/** A database whose connections were counted, and that nobody needs anymore. */
function measured(): WeakRef<object> {
  const database = { connections: 2 };
  createMetrics().gauge({
    ...{ name: 'connections', help: 'C.', label: 'state', values: ['idle'], isOfProcess: true },
    read: async () => [['idle', database.connections]] as const,
  });
  return new WeakRef(database);
}
