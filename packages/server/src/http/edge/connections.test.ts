import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { Connections, type TurnedAway } from './connections.ts';

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  readonly remotePort: number;
  isDestroyed = false;

  constructor(remoteAddress: string, remotePort: number) {
    super();
    this.remoteAddress = remoteAddress;
    this.remotePort = remotePort;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

/** A listener with so many places, and the lines that the log got. */
function stage(limit: number) {
  const lines: object[] = [];
  const counts: Record<TurnedAway, number> = { refused: 0, ended: 0 };
  const clock = { ms: 0 };
  const connections = new Connections({
    limit,
    log: { warn: (fields: object) => void lines.push(fields) },
    monotonicMs: () => clock.ms,
    onTurnedAway: (how) => {
      counts[how] += 1;
    },
  });
  const server = new EventEmitter();
  connections.watch(server as unknown as Server);
  let port = 0;
  const connect = (address: string) => {
    port += 1;
    const socket = new FakeSocket(address, port);
    server.emit('connection', socket);
    return socket;
  };
  const ask = (socket: FakeSocket, complete = true) => {
    const response = new EventEmitter();
    const request = { socket, complete } as unknown as IncomingMessage;
    const isRefused = connections.begin(request, response as ServerResponse);
    return { isRefused, answer: () => response.emit('close') };
  };
  return { connections, server, lines, counts, clock, connect, ask };
}

test('connections: at the limit the one that came first and asked nothing goes', () => {
  const { connections, connect, ask, counts } = stage(3);
  const [first, second, third] = [connect('a'), connect('a'), connect('a')];
  ask(first).answer();
  const newest = connect('a');
  assert.deepEqual(
    [first, second, third].map(({ isDestroyed }) => isDestroyed),
    [false, true, false],
  );
  assert.equal(ask(newest).isRefused, false);
  assert.equal(connections.open, 3);
  assert.deepEqual(counts, { refused: 0, ended: 1 });
});

test('connections 503: where all are at work the new one is refused, and then served again', () => {
  const { connections, connect, ask, counts } = stage(2);
  const one = connect('a');
  ask(one);
  ask(connect('b'));
  const late = connect('c');
  assert.equal(ask(late).isRefused, true);
  assert.deepEqual(counts, { refused: 1, ended: 0 });
  assert.equal(connections.open, 2, 'a refused connection takes no place');
  one.destroy();
  assert.equal(ask(connect('c')).isRefused, false);
  assert.equal(ask(late).isRefused, true);
});

test('connections: one address cannot keep all others out', () => {
  const { connect, ask } = stage(10);
  const held = Array.from({ length: 9 }, () => connect('2001:db8:1:2::1'));
  for (const [at, socket] of held.entries()) if (at > 0) ask(socket).answer();
  ask(held[0] as FakeSocket);
  const other = connect('b');
  ask(other).answer();
  assert.equal(ask(connect('c')).isRefused, false);
  assert.deepEqual(held.map(({ isDestroyed }) => isDestroyed).indexOf(true), 1, 'none at work');
  assert.equal(ask(connect('2001:db8:1:2::9')).isRefused, true, 'its own network has the most');
  assert.equal(other.isDestroyed, false);
});

test('connections: a request that still arrives gives way to a smaller holder', () => {
  const { connect, ask } = stage(3);
  const slow = [connect('a'), connect('a'), connect('a')];
  for (const socket of slow) ask(socket, false);
  assert.equal(ask(connect('b')).isRefused, false);
  assert.equal(slow[0]?.isDestroyed, true);
});

test('connections: a request at work stays although the next one on it still arrives', () => {
  const { connect, ask } = stage(3);
  const pipelined = [connect('a'), connect('a'), connect('a')];
  for (const socket of pipelined) ask(socket);
  for (const socket of pipelined) ask(socket, false);
  assert.equal(ask(connect('b')).isRefused, true);
  assert.ok(pipelined.every(({ isDestroyed }) => !isDestroyed));
});

test('connections: a silent one of a small network goes when the largest has none to give', () => {
  const { connect, ask, connections } = stage(4);
  for (let at = 0; at < 3; at += 1) ask(connect('a'));
  const silent = connect('b');
  assert.equal(ask(connect('c')).isRefused, false);
  assert.equal(silent.isDestroyed, true);
  assert.equal(connections.open, 4);
  assert.equal(ask(connect('b')).isRefused, true, 'the one that spoke since is not silent');
});

test('connections: however many are refused, few wait to be told so', () => {
  const { connect, ask } = stage(1);
  ask(connect('a'));
  const refused = Array.from({ length: 100 }, () => connect('b'));
  assert.equal(refused.filter(({ isDestroyed }) => !isDestroyed).length, 32);
  assert.equal(refused.at(-1)?.isDestroyed, false);
});

test('connections: the log tells it at once, and then every ten seconds at most', () => {
  const { connect, ask, lines, clock } = stage(1);
  ask(connect('a'));
  for (let at = 0; at < 50; at += 1) connect('b');
  assert.deepEqual(lines, [{ limit: 1, refused: 1, ended: 0 }]);
  clock.ms = 10_000;
  connect('b');
  assert.deepEqual(lines.slice(1), [{ limit: 1, refused: 50, ended: 0 }]);
});

test('connections: behind TLS a request is known by the connection that it came over', () => {
  const { server, connect, ask } = stage(1);
  const bare = connect('a');
  const secure = new FakeSocket('a', bare.remotePort);
  server.emit('secureConnection', secure as unknown as Socket);
  ask(secure);
  const late = connect('b');
  assert.equal(secure.isDestroyed, false, 'it is at work');
  const lateSecure = new FakeSocket('b', late.remotePort);
  server.emit('secureConnection', lateSecure as unknown as Socket);
  assert.equal(ask(lateSecure).isRefused, true);
});
