import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { FinishedRequest } from '../../src/http/pipeline/observe.ts';
import type { LogFilter } from '../../src/requests/log-store.ts';
import { RequestStreams, type Watch } from '../../src/requests/streams.ts';
import { createLogWriter } from '../../src/requests/write-log.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { NOW_MS } from '../request.ts';
import { insertRestaurant } from '../rows.ts';
import { finishedRequest, refusal } from './finished-request.ts';
import { deleteAllRequests } from './log-rows-store.ts';

let own: TestDatabase;
let realClock: FixedClock;
let streams: RequestStreams;
const onError = (error: unknown) => {
  throw error;
};
before(async () => {
  own = await createTestDatabase();
});
after(() => own.drop());
beforeEach(async () => {
  await deleteAllRequests(own.database.sql);
  realClock = new FixedClock(NOW_MS);
  const limits = { atMost: 3, atMostOfOne: 2 };
  streams = new RequestStreams({ database: own.database, realClock, onError, limits });
});

const all: LogFilter = { reach: everywhere };

async function log(...requests: FinishedRequest[]): Promise<void> {
  const unlimited = () => Number.POSITIVE_INFINITY;
  const budget = { allowedMs: unlimited, nowMs: () => 0, served: () => {} };
  const count = () => {};
  const { database } = own;
  const writer = createLogWriter({ database, brand: 'P', realClock, budget, count, onError });
  for (const request of requests) writer.finished(request);
  await writer.flush();
}

/** One second goes by: what was written is looked at. */
async function second(): Promise<void> {
  realClock.advance(1_000);
  await streams.look();
}

/** Opens a stream; each for another caller, if nobody is named. */
const open = (
  filter = all,
  from: Parameters<RequestStreams['open']>[1] = null,
  watch: Partial<Watch> = {},
) => {
  const reachNow = async () => filter.reach;
  return streams.open({ by: newGuid(), reachNow, filter, ...watch }, from)[Symbol.asyncIterator]();
};

/** The next piece that is no comment; fails at the end of the stream. */
async function piece(stream: AsyncIterator<string>): Promise<string> {
  const { done, value } = await stream.next();
  assert.ok(!done, 'the stream goes on');
  return value;
}

const idsIn = (text: string) => [...text.matchAll(/"requestId":"([^"]+)"/g)].map(([, id]) => id);

test('backOffice.requests.stream 200: requests come once each, as events', async () => {
  await log(finishedRequest('stock.list'));
  realClock.advance(1);
  const stream = open();
  assert.equal(await piece(stream), 'retry: 1000\n\n');
  const requests = [finishedRequest('stock.list'), finishedRequest('stock.update', { refusal })];
  await second();
  await log(...requests);
  await second();
  const text = await piece(stream);
  assert.deepEqual(new Set(idsIn(text)), new Set(requests.map(({ requestId }) => requestId)));
  assert.match(text, /^id: \d+-[0-9a-f-]{36}\nevent: request\ndata: \{.*\}\n\n/);
  const third = finishedRequest('stock.list');
  await log(third);
  for (let number = 0; number < 3; number += 1) await second();
  assert.deepEqual(idsIn(await piece(stream)), [third.requestId]);
  await stream.return?.();
});

test('backOffice.requests.stream 200: what another process wrote late is not missed', async () => {
  const stream = open();
  await piece(stream);
  realClock.advance(5_000);
  await streams.look();
  // Its clock says two seconds ago: the row was committed after a younger one had been told.
  const late = finishedRequest('stock.list');
  realClock.advance(-2_000);
  await log(late);
  realClock.advance(2_000);
  await second();
  // What was told is still taken, and nobody waits for what was not.
  streams.stop();
  assert.deepEqual(idsIn(await piece(stream)), [late.requestId]);
});

test('backOffice.requests.stream 200: only what fits, and of a status', async () => {
  const stream = open({ ...all, status: '4xx', operation: 'stock.update' });
  await piece(stream);
  const wanted = finishedRequest('stock.update', { status: 403, refusal });
  await log(
    finishedRequest('stock.update'),
    finishedRequest('stock.list', { status: 403, refusal }),
    wanted,
  );
  await second();
  assert.deepEqual(idsIn(await piece(stream)), [wanted.requestId]);
});

test('backOffice.requests.stream 200: a stream goes on where another one broke off', async () => {
  const first = finishedRequest('stock.list');
  const other = finishedRequest('stock.list');
  await log(first);
  const told = realClock.nowMs();
  realClock.advance(20_000);
  await log(other);
  realClock.advance(20_000);
  const stream = open(all, { loggedAtMs: told, requestId: first.requestId });
  await piece(stream);
  await second();
  assert.deepEqual(idsIn(await piece(stream)), [other.requestId]);
});

test('backOffice.requests.stream 200: a comment shows that a quiet stream lives', async () => {
  const stream = open();
  await piece(stream);
  for (let number = 0; number < 15; number += 1) await second();
  assert.equal(await piece(stream), ': nothing new\n\n');
});

test('backOffice.requests.stream 200: a reader that takes nothing is hung up on', async () => {
  const stream = open();
  for (let number = 0; number < 25; number += 1) {
    await log(finishedRequest('stock.list'));
    await second();
  }
  assert.equal((await stream.next()).done, true, 'and nothing is kept for it');
  open();
  open();
  open();
});

test('backOffice.requests.stream 200: all streams end when the process stops', async () => {
  const stream = open();
  await piece(stream);
  const waiting = stream.next();
  streams.stop();
  assert.equal((await waiting).done, true);
  assert.throws(() => open(), /maximum number of streams/);
});

test('backOffice.requests.stream 429: a process follows so many streams and no more', async () => {
  const [first] = [open(), open(), open()];
  assert.throws(() => open(), /maximum number of streams/);
  await first?.return?.();
  open();
});

test('backOffice.requests.stream 429: one caller leaves streams for the others', async () => {
  const by = 'person:one';
  const [first] = [open(all, null, { by }), open(all, null, { by })];
  assert.throws(() => open(all, null, { by }), /maximum number of streams/);
  await first?.return?.();
  open(all, null, { by });
  open();
});

test('backOffice.requests.stream 200 AUTH-9: a stream ends with the rights of its reader', async () => {
  const nowhere = { isPlatform: false, groupGuids: [], restaurantGuids: [], partnerGuids: [] };
  const { guid: restaurantGuid } = await insertRestaurant(own.database.sql);
  let reach = everywhere;
  const stream = open(all, null, { reachNow: async () => reach });
  await piece(stream);
  const first = finishedRequest('stock.list');
  await log(first);
  await second();
  assert.deepEqual(idsIn(await piece(stream)), [first.requestId]);
  reach = { ...nowhere, restaurantGuids: [restaurantGuid] };
  const elsewhere = finishedRequest('stock.list', { restaurantGuid: newGuid() });
  const here = finishedRequest('stock.list', { restaurantGuid });
  await log(elsewhere, here);
  await second();
  assert.deepEqual(idsIn(await piece(stream)), [here.requestId], 'a role was taken');
  reach = nowhere;
  await log(finishedRequest('stock.list', { restaurantGuid }));
  const waiting = stream.next();
  await second();
  assert.equal((await waiting).done, true, 'nothing is told anymore');
});

test('backOffice.requests.stream 200: nothing is told while rights cannot be asked', async () => {
  const errors: unknown[] = [];
  const lenient = new RequestStreams({
    ...{ database: own.database, realClock, onError: (error) => void errors.push(error) },
  });
  let isAway = true;
  const reachNow = async () => {
    if (isAway) throw new Error('the database is away');
    return everywhere;
  };
  const stream = lenient.open({ by: 'a', filter: all, reachNow }, null)[Symbol.asyncIterator]();
  await piece(stream);
  const request = finishedRequest('stock.list');
  await log(request);
  realClock.advance(1_000);
  await lenient.look();
  assert.equal(errors.length, 1);
  isAway = false;
  await lenient.look();
  assert.deepEqual(idsIn(await piece(stream)), [request.requestId], 'and it goes on then');
  lenient.stop();
});

test('backOffice.requests.stream 200: after five minutes a reader has to come again', async () => {
  const stream = open();
  await piece(stream);
  const pieces: string[] = [];
  const reading = (async () => {
    for (let next = await stream.next(); !next.done; next = await stream.next()) {
      pieces.push(next.value);
    }
  })();
  for (let number = 0; number < 300; number += 1) await second();
  await reading;
  assert.ok(pieces.length > 0);
});
