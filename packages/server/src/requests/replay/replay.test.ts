import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../http/errors.ts';
import type { Caller } from '../../http/operation.ts';
import type { ReplayEnvironment, ReplayTarget } from './ports.ts';
import { type Replay, replay } from './replay.ts';

test('replay: a copy that the request could not be sent to is dropped', async () => {
  const done: string[] = [];
  const environment = {
    scopesOf: async () => [],
    readNowMs: async () => 0,
    signIn: () => Promise.reject(new ApiError('unavailable', 'Try again.')),
  } as unknown as ReplayEnvironment;
  const target: Partial<ReplayTarget> = {
    environment,
    leave: () => void done.push('leave'),
    undo: async () => void done.push('undo'),
  };
  const targets = {
    mainUrl: () => '',
    enter: async () => target as ReplayTarget,
    copy: async () => target as ReplayTarget,
  };
  const caller = { type: 'BACK_OFFICE', scopes: new Set() } as unknown as Caller;
  const sender = { kind: 'client', clientId: 'one' } as const;
  const [logged, rebuilt] = [{ at: '' }, { card: null }];
  const who = { sender, note: null };
  const asked = { into: null, who, caller, logged, rebuilt } as unknown as Replay;
  const deps = { brand: 'Platform', here: environment, targets };
  await assert.rejects(replay(deps, asked), /Try again/);
  assert.deepEqual(done, ['leave', 'undo']);
});
