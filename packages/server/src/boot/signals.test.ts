import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { watchSignals } from './signals.ts';

function watched(env: Record<string, string>) {
  const source = new EventEmitter();
  const exits: number[] = [];
  const time = { ms: 5 };
  const signals = watchSignals({
    ...{ source, env, elapsedMs: () => time.ms, giveUp: async () => {} },
    exit: (code) => void exits.push(code),
  });
  return { signals, exits, time, send: (name: string) => void source.emit(name, name) };
}

const NPM = { npm_lifecycle_event: 'start' };

test('stop: a Ctrl-C that npm passes on a second time is one', async () => {
  const { signals, time, send } = watched(NPM);
  send('SIGINT');
  await signals.first;
  time.ms += 999;
  send('SIGINT');
  assert.ok(!signals.isSecond());
  time.ms += 1;
  send('SIGINT');
  assert.equal(await signals.second, 130);
});

test('stop: where nobody passes signals on, a third is the end', async () => {
  const { signals, exits, send } = watched({});
  send('SIGTERM');
  send('SIGTERM');
  assert.equal(await signals.second, 143);
  send('SIGINT');
  assert.deepEqual(exits, [130]);
});

test('stop: another signal than the first was not passed on', async () => {
  const { signals, send } = watched(NPM);
  send('SIGINT');
  send('SIGTERM');
  assert.equal(await signals.second, 143);
});
