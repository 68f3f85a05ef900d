import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { eventTypes } from '@servery/contract';
import { type LocalReceiver, runOn, startReceiver } from './listening.ts';
import { runHere } from './remote-platform.ts';

const GUID = '01929d2f-5e61-7f6a-8a51-3c7f1d0b9a11';

let folder: string;
let receiver: LocalReceiver;
/**
 * Breaks connections off and refuses when a test says so, which the real platform cannot be made to
 * do; listen.test.ts holds `servery listen` to that one.
 */
let scripted: Server;
let env: Record<string, string>;
/** What was asked of it, and how it answers a stream: the first one as the first entry. */
let asked: string[];
/** How many streams are answered at all, and what the next ones are refused with. */
let refused: { after: number; statuses: number[] };
let streams: ((response: ServerResponse) => void)[];

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-listen-'));
});
after(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  receiver = await startReceiver();
  asked = [];
  streams = [];
  refused = { after: 0, statuses: [] };
  scripted = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url?.startsWith('/platform/v1/events/stream')) {
      const status = refused.after > 0 ? undefined : refused.statuses.shift();
      refused.after -= 1;
      if (status !== undefined) return response.writeHead(status).end('{"message":"Not now."}');
      response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
      return streams.shift()?.(response);
    }
    const isToken = request.url === '/oauth/token';
    const json = isToken ? { access_token: 'x.y.z', expires_in: 9 } : { isMovable: false };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(json));
  });
  await new Promise<void>((resolve) => scripted.listen(0, '127.0.0.1', resolve));
  env = {
    SERVERY_URL: `http://127.0.0.1:${(scripted.address() as AddressInfo).port}`,
    SERVERY_CLIENT_ID: 'partner',
    SERVERY_CLIENT_SECRET: 'svs_of-this-test-only',
    XDG_CONFIG_HOME: await mkdtemp(path.join(folder, 'home-')),
  };
});
afterEach(async () => {
  await receiver.stop();
  scripted.closeAllConnections();
  scripted.close();
});

function ready(cursor: string): string {
  const data = JSON.stringify({ cursor, missedCount: 0, eventTypes });
  return `id: ${cursor}\nevent: ready\ndata: ${data}\n\n`;
}

function event(position: number): string {
  const fields = {
    timestamp: '2026-01-31T18:30:00.000Z',
    eventCategory: 'partner',
    eventType: 'partner_updated',
    guid: `event-${position}`,
    details: { restaurantName: 'Corner Diner' },
  };
  return `id: ${position}.0\nevent: event\ndata: ${JSON.stringify(fields)}\n\n`;
}

const listen = (...args: string[]) => runOn(['listen', '--forward-to', receiver.url, ...args], env);
const guidsOf = () => receiver.received.map(({ body }) => JSON.parse(body).guid);
const cursors = () =>
  asked.filter((one) => one.includes('/stream')).map((one) => one.split('?')[1]);

describe('servery listen, at a platform that breaks off', () => {
  test('servery listen: a connection that breaks is made again, behind what was done', async () => {
    streams = [
      (response) => response.end(`${ready('0.0')}${event(1)}`),
      (response) => response.write(`${ready('1.0')}${event(2)}`, () => response.destroy()),
      (response) => response.write(`${ready('2.0')}${event(3)}`),
    ];
    const { code, err } = await listen('--max-events', '3').ended;
    assert.equal(code, 0, err);
    assert.deepEqual(guidsOf(), ['event-1', 'event-2', 'event-3']);
    assert.deepEqual(cursors(), [undefined, 'after=1.0', 'after=2.0']);
    assert.match(err, /^Connection lost: it ended\. Trying again in 0\.5 s\.$/m);
    assert.match(err, /lost: (it broke|the connection was cut)\. Trying again in 0\.5 s\.$/m);
    assert.match(err, /Resumed where it broke off \(cursor 2\.0\)\./);
  });

  test('servery listen: a refusal that passes is waited for, one that stays is not', async () => {
    refused = { after: 1, statuses: [401, 404] };
    streams = [
      (response) => response.end(`${ready('0.0')}${event(1)}`),
      (response) => response.write(`${ready('1.0')}${event(2)}`),
    ];
    const passed = await listen('--max-events', '2').ended;
    assert.equal(passed.code, 0, passed.err);
    assert.deepEqual(cursors(), [undefined, 'after=1.0', 'after=1.0', 'after=1.0']);
    refused = { after: 1, statuses: [401, 401, 401] };
    streams = [(response) => response.end(ready('2.0'))];
    assert.match(passed.err, /^Connection lost: it answers 401\. Trying again in 1 s\.$/m);
    const stays = await listen().ended;
    assert.equal(stays.code, 3, stays.err);
    refused = { after: 0, statuses: [403] };
    assert.equal((await listen().ended).code, 3, 'nobody was let in before');
  });

  test('servery listen --exit-on-failure: the next run begins with what failed', async () => {
    receiver.answer = 500;
    streams = [
      (response) => response.write(`${ready('4.0')}${event(5)}${event(6)}`),
      (response) => response.write(`${ready('4.0')}${event(5)}`),
    ];
    const failed = await listen('--exit-on-failure').ended;
    assert.equal(failed.code, 6);
    assert.deepEqual(guidsOf(), ['event-5'], 'nothing goes past the one that failed');
    receiver.answer = 200;
    const again = await listen('--max-events', '1').ended;
    assert.equal(again.code, 0, again.err);
    assert.deepEqual(cursors(), [undefined, 'after=4.0']);
  });

  test('servery trigger: changes nothing where no sandbox is', async () => {
    const args = ['trigger', 'partner_removed', '--partner', GUID, '--restaurant', GUID];
    const { code, err } = await runHere(args, env);
    assert.equal(code, 2, err);
    assert.match(err, /is not a sandbox, .* --synthetic/s);
    assert.deepEqual(asked, ['POST /oauth/token', 'GET /backoffice/v1/clock']);
  });
});
