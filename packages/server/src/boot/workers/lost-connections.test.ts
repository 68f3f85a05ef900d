import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { hangUpWhenGone } from './lost-connections.ts';

/** A worker as Node.js has it: connections are sent to it, and it answers those that it took. */
function worker() {
  const sent: unknown[] = [];
  const process = Object.assign(new EventEmitter(), {
    send: (message: unknown) => sent.push(message) > 0,
    disconnect: () => {},
  });
  hangUpWhenGone(process as unknown as ChildProcess);
  const closed: number[] = [];
  const hand = (seq: number) =>
    (process.send as (message: object, handle: object) => boolean)(
      { cmd: 'NODE_CLUSTER', act: 'newconn', seq },
      { close: () => closed.push(seq) },
    );
  const take = (ack: number) => process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack });
  return { process, hand, take, closed, sent };
}

test('workers: what a dead worker had not taken is hung up on, and nothing else', () => {
  const { process, hand, take, closed, sent } = worker();
  for (const seq of [1, 2, 3]) hand(seq);
  take(2);
  assert.equal(sent.length, 3);
  process.emit('exit');
  assert.deepEqual(closed, [1, 3]);
});

test('workers: what is given to a dead worker is hung up on at once', () => {
  const { process, hand, closed, sent } = worker();
  process.emit('exit');
  hand(1);
  assert.deepEqual(closed, [1]);
  assert.equal(sent.length, 0, 'its channel would only fail');
});

test('workers: the end of a channel is told while a connection is on its way', () => {
  const { process, hand, take } = worker();
  let told = 0;
  process.on('disconnect', () => {
    told += 1;
  });
  process.disconnect();
  assert.equal(told, 0, 'Node.js tells it then');
  hand(1);
  process.disconnect();
  assert.equal(told, 1);
  take(1);
  process.disconnect();
  assert.equal(told, 1);
});
