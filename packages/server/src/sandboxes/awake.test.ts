import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineClock } from '@servery/support/clock.ts';
import { sleep } from '@servery/support/timer.ts';
import { ApiError } from '../http/errors.ts';
import { AwakeSandboxes, type OpenSandbox } from './awake.ts';
import type { SandboxRow } from './registry-store.ts';

test('sandboxes: one more than the database can serve closes an idle one, or is refused', async () => {
  const open = new Set<string>();
  const awake = new AwakeSandboxes({
    realClock: machineClock,
    find: async (name) => ({ name, databaseName: name }) as SandboxRow,
    findExpiry: async () => null,
    open: async ({ name }) => {
      open.add(name);
      assert.ok(open.size <= 2, 'more are open than there are connections for');
      return {
        clock: { mode: 'RUNNING', nowMs: () => 0 },
        nextWorkMs: async () => null,
        beginStop: () => {},
        stop: async () => void open.delete(name),
      } as unknown as OpenSandbox;
    },
    recordUse: async () => {},
    onError: (error) => assert.fail(String(error)),
    openAtMost: 2,
  });
  const first = await awake.enter('first');
  const second = await awake.enter('second');
  const isRefused = (error: unknown) =>
    error instanceof ApiError && /^2 sandboxes are in use/.test(error.message);
  await assert.rejects(awake.enter('third'), isRefused);
  first.leave();
  const third = await awake.enter('third');
  assert.deepEqual([...open], ['second', 'third']);
  third.leave();
  second.leave();
  // Each of them needs the place of another one.
  const names = Array.from({ length: 6 }, (_, at) => `more-${at}`);
  for (const name of names) (await awake.enter(name)).leave();
  await awake.stop();
  assert.equal(open.size, 0);
});

test('sandboxes: many that are called at the same moment are opened a few at a time', async () => {
  let opening = 0;
  let most = 0;
  const awake = new AwakeSandboxes({
    realClock: machineClock,
    find: async (name) => ({ name, databaseName: name }) as SandboxRow,
    findExpiry: async () => null,
    open: async () => {
      opening += 1;
      most = Math.max(most, opening);
      await sleep(0);
      opening -= 1;
      return {
        clock: { mode: 'RUNNING', nowMs: () => 0 },
        nextWorkMs: async () => null,
        beginStop: () => {},
        stop: async () => {},
      } as unknown as OpenSandbox;
    },
    recordUse: async () => {},
    onError: (error) => assert.fail(String(error)),
    openAtMost: 100,
  });
  const names = Array.from({ length: 100 }, (_, at) => `many-${at}`);
  for (const visit of await Promise.all(names.map((name) => awake.enter(name)))) visit.leave();
  assert.ok(most > 1 && most <= 10, `${most} were opened at once`);
  await awake.stop();
});
