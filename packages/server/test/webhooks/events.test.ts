import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import { createClient } from '../../src/clients/clients.ts';
import { ApiError } from '../../src/http/errors.ts';
import type { Principal } from '../../src/http/operation.ts';
import { connect, disconnect, updateReferences } from '../../src/partners/connections.ts';
import { queueRestaurantEvents } from '../../src/webhooks/delivery/queue-restaurant-events.ts';
import { deletePastEventReaders } from '../../src/webhooks/events/event-reader-store.ts';
import { newestPlace } from '../../src/webhooks/events/read-events.ts';
import { EventStreams } from '../../src/webhooks/events/streams.ts';
import { partnerEventHandlers } from '../../src/webhooks/partner/handlers.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { at, origin } from '../partners/test-origin.ts';
import { answerOf, callOperation, NOW_MS, principal, type RequestParts } from '../request.ts';
import { insertLiveConnection, insertPartner, insertRestaurant } from '../rows.ts';
import { deleteEvent, deleteOldEvents, insertExtra } from './event-rows-store.ts';

const DAY_MS = 86_400_000;
const LOOKS_OF_A_MINUTE = 240;

let own: TestDatabase;
let streams: EventStreams;
let handlers: ReturnType<typeof partnerEventHandlers>;
let partnerGuid: string;
let realClock: FixedClock;
let account: Principal;
/** Whether the token of a stream is taken when it is looked at again. */
let isTokenLive = true;
const onError = (error: unknown) => {
  throw error;
};
const nobody = { firstName: null, lastName: null, email: null, phone: null };
const references = { externalGroupRef: null, externalRestaurantRef: null };

before(async () => {
  own = await createTestDatabase();
});
after(() => own.drop());
beforeEach(async () => {
  const { database } = own;
  realClock = new FixedClock(NOW_MS);
  streams = new EventStreams({
    database,
    realClock,
    onError,
    limits: { atMost: 3, atMostOfOne: 2 },
  });
  isTokenLive = true;
  handlers = handlersOf();
  partnerGuid = await insertPartner(database.sql);
  account = principal({ partnerGuid });
});

function handlersOf(): ReturnType<typeof partnerEventHandlers> {
  const { database } = own;
  const authenticate = async () => {
    if (!isTokenLive) throw new ApiError('unauthorized', 'The token has ended.');
    return account;
  };
  return partnerEventHandlers({ ...at(database), realClock, eventStreams: streams, authenticate });
}

/** Three events of the partner: a restaurant connects, changes and leaves. */
async function threeEvents(): Promise<void> {
  const { database } = own;
  const { guid: restaurantGuid } = await insertRestaurant(database.sql);
  const change = { restaurantGuid, partnerGuid, employee: nobody, origin };
  await connect(at(database), { ...change, ...references });
  await updateReferences(at(database, NOW_MS + 1), { ...change, externalGroupRef: 'group-2' });
  await disconnect(at(database, NOW_MS + 2), { ...change, reason: 'enough' });
}

const list = (query: Record<string, string> = {}, caller: Principal = account) =>
  callOperation(handlers, 'platform.events.list', { principal: caller, query });

/** Opens a stream; fails when it is refused. */
async function open(parts: RequestParts = {}): Promise<AsyncIterator<string>> {
  const request = { principal: account, ...parts };
  const { stream } = await answerOf(handlers, 'platform.events.stream', request);
  return (stream ?? assert.fail('no stream'))[Symbol.asyncIterator]();
}

async function piece(stream: AsyncIterator<string>): Promise<string> {
  const { done, value } = await stream.next();
  assert.ok(!done, 'the stream goes on');
  return value;
}

/** The pieces that are there, read without waiting for one that is not. */
async function pieces(stream: AsyncIterator<string>): Promise<string> {
  streams.stop();
  let text = '';
  for (let next = await stream.next(); !next.done; next = await stream.next()) text += next.value;
  return text;
}

const kinds = (text: string) => [...text.matchAll(/^event: (\w+)$/gm)].map(([, kind]) => kind);
const ids = (text: string) => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id);
const types = (text: string) => [...text.matchAll(/"eventType":"(\w+)"/g)].map(([, type]) => type);

test('platform.events.list 200 PTN-7: all of the partner, in their order, by a cursor', async () => {
  await threeEvents();
  const { body } = await list();
  assert.deepEqual(
    body.results.map((entry: { position: number; event: { eventType: string } }) => [
      entry.position,
      entry.event.eventType,
    ]),
    [
      [1, 'partner_added'],
      [2, 'partner_updated'],
      [3, 'partner_removed'],
    ],
  );
  assert.deepEqual([body.nextCursor, body.hasMore, body.missedCount], ['3.0', false, 0]);
  const first = (await list({ pageSize: '2' })).body;
  assert.deepEqual([first.results.length, first.nextCursor, first.hasMore], [2, '2.0', true]);
  const rest = (await list({ after: first.nextCursor })).body;
  assert.deepEqual(
    rest.results.map(({ position }: { position: number }) => position),
    [3],
  );
  const nothing = (await list({ after: rest.nextCursor })).body;
  assert.deepEqual([nothing.results, nothing.nextCursor], [[], '3.0']);
});

test('platform.events.list 200 PTN-7: a filter moves the cursor past what it leaves out', async () => {
  await threeEvents();
  const { body } = await list({ eventType: 'partner_added' });
  assert.deepEqual([body.results.length, body.nextCursor, body.hasMore], [1, '3.0', false]);
});

test('platform.events.list 200 PTN-7: nothing of another partner', async () => {
  await threeEvents();
  const other = principal({ partnerGuid: await insertPartner(own.database.sql) });
  const { body } = await list({}, other);
  assert.deepEqual([body.results, body.nextCursor], [[], '0.0']);
});

test('platform.events.list 200 PTN-7: a cursor that is too old is told what was missed', async () => {
  await threeEvents();
  await deleteOldEvents(own.database.sql, partnerGuid, 2);
  const { body } = await list({ after: '1' });
  assert.deepEqual([body.results.length, body.missedCount], [1, 1]);
  assert.equal((await list({ after: '2' })).body.missedCount, 0);
  await deleteOldEvents(own.database.sql, partnerGuid, 3);
  assert.equal((await list({ after: '1' })).body.missedCount, 2);
  assert.equal((await list()).body.missedCount, 0);
});

test('platform.events.list 200 PTN-7: what is missing among what is kept is told too', async () => {
  await threeEvents();
  await deleteEvent(own.database.sql, partnerGuid, 2);
  const { body } = await list({ after: '1' });
  assert.deepEqual([body.results.length, body.missedCount], [1, 1]);
  assert.equal((await list({ after: '2' })).body.missedCount, 0);
  const page = (await list({ after: '0', pageSize: '1' })).body;
  assert.deepEqual([page.nextCursor, page.missedCount], ['1.0', 0], 'each is told of once');
  const filtered = (await list({ after: '0', eventType: 'partner_removed' })).body;
  assert.deepEqual([filtered.results.length, filtered.missedCount], [1, 1]);
  await deleteEvent(own.database.sql, partnerGuid, 3);
  assert.equal((await list({ after: '2' })).body.missedCount, 1, 'the oldest is before the cursor');
});

test('platform.events.list 400: no cursor, size or type, or one from elsewhere', async () => {
  await threeEvents();
  const wrong = [
    ...[{ after: 'x' }, { after: '-1' }, { after: '1.2.3' }, { after: '1e3' }, { after: '4' }],
    ...[{ after: '3.1' }, { pageSize: '0' }, { pageSize: '201' }, { eventType: 'partner_lost' }],
  ];
  for (const query of wrong) assert.equal((await list(query)).status, 400, JSON.stringify(query));
  assert.match((await list({ after: '4' })).body.message, /another platform/);
});

test('platform.events.list 403 AUTH-7: not for the account of a management group', async () => {
  const group = principal({ type: 'CUSTOMER', managementGroupGuid: newGuid() });
  assert.equal((await list({}, group)).status, 403);
  const request = { principal: group };
  assert.equal((await callOperation(handlers, 'platform.events.stream', request)).status, 403);
});

test('platform.events.stream 200 PTN-7: begins now, and tells what is posted', async () => {
  await threeEvents();
  const stream = await open();
  assert.match(await piece(stream), /id: 3\.0\nevent: ready\ndata: \{"cursor":"3\.0","missed/);
  await streams.look();
  await threeEvents();
  await streams.look();
  const text = await piece(stream);
  assert.deepEqual(kinds(text), ['event', 'event', 'event']);
  assert.deepEqual(ids(text), ['4.0', '5.0', '6.0', '6.0']);
  const [, data = ''] = /^data: (.*)$/m.exec(text) ?? [];
  const { results } = (await list({ after: '3', pageSize: '1' })).body;
  assert.deepEqual(JSON.parse(data), results[0].event);
});

test('platform.events.stream 200 PTN-7: goes on where it broke off, replays marked', async () => {
  await threeEvents();
  await insertExtra(own.database.sql, { partnerGuid, number: 1, position: 2 });
  await insertExtra(own.database.sql, { partnerGuid, number: 2, position: null });
  const stream = await open({ headers: { 'last-event-id': '2.0' }, query: { after: '1' } });
  await streams.look();
  const text = await pieces(stream);
  assert.deepEqual(kinds(text), ['ready', 'event', 'replay', 'test']);
  assert.deepEqual(ids(text), ['2.0', '3.0', '3.1', '3.2', '3.2']);
  assert.deepEqual(types(text), ['partner_removed', 'partner_updated', 'partner_added']);
});

test('platform.events.stream 200 PTN-7: only a type, and the cursor moves on', async () => {
  await threeEvents();
  await insertExtra(own.database.sql, { partnerGuid, number: 1, position: 2 });
  const stream = await open({ query: { after: '0.0', eventType: 'partner_removed' } });
  await streams.look();
  const text = await pieces(stream);
  assert.deepEqual(kinds(text), ['ready', 'event']);
  assert.equal(ids(text).at(-1), '3.1');
});

test('platform.events.stream 200 AUTH-9: ends with the right, and tells nothing after it', async () => {
  const stream = await open();
  await piece(stream);
  isTokenLive = false;
  await threeEvents();
  await streams.look();
  assert.equal((await stream.next()).done, true);
  isTokenLive = true;
  const idle = await open();
  await piece(idle);
  isTokenLive = false;
  for (let look = 0; look < 10; look += 1) await streams.look();
  assert.equal((await idle.next()).done, true);
});

test('platform.events.stream 200: a comment comes while nothing happens', async () => {
  const stream = await open();
  await piece(stream);
  for (let look = 0; look < 60; look += 1) await streams.look();
  assert.equal(await piece(stream), ': nothing new\n\n');
});

test('platform.events.stream 200 AUTH-9 PTN-7: what nobody reads waits, goes with the right, and comes piece by piece later', async () => {
  for (let round = 0; round < 70; round += 1) await threeEvents();
  const slow = await open({ query: { after: '0' } });
  for (let look = 0; look < 5; look += 1) await streams.look();
  isTokenLive = false;
  for (let look = 0; look < 10; look += 1) await streams.look();
  assert.equal((await slow.next()).done, true, 'it was full, and nothing was looked for');
  isTokenLive = true;
  const late = await open();
  await threeEvents();
  await streams.look();
  isTokenLive = false;
  await threeEvents();
  await streams.look();
  assert.equal((await late.next()).done, true, 'something more was found');
  isTokenLive = true;
  const stream = await open({ query: { after: '0' } });
  for (let look = 0; look < 10; look += 1) await streams.look();
  const text = await pieces(stream);
  assert.equal(kinds(text).filter((kind) => kind === 'event').length, 150);
  streams = new EventStreams({ database: own.database, realClock, onError });
  handlers = handlersOf();
  const rest = await open({ query: { after: ids(text).at(-1) ?? '' } });
  assert.deepEqual(ids(await piece(rest)), ['150.0']);
  await streams.look();
  const next = await piece(rest);
  assert.equal(kinds(next).length, 50);
  await streams.look();
  // A piece ends with its last one again, as the place to go on from.
  const left = new Set([...ids(next), ...ids(await piece(rest))]);
  const expected = Array.from({ length: 66 }, (_, index) => `${151 + index}.0`);
  assert.deepEqual([...left], expected, 'nothing is lost');
});

test('platform.events.stream 429: a limit for each account, and one for all', async () => {
  const first = await open();
  await open();
  const refused = await callOperation(handlers, 'platform.events.stream', { principal: account });
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '60');
  await first.return?.();
  await open();
  const other = principal({ partnerGuid });
  await open({ principal: other });
  const full = await callOperation(handlers, 'platform.events.stream', { principal: other });
  assert.equal(full.status, 429);
});

test('platform.events.stream 400: a cursor that is none', async () => {
  for (const headers of [{ 'last-event-id': 'abc' }, { 'last-event-id': '9' }]) {
    const request = { principal: account, headers };
    assert.equal((await callOperation(handlers, 'platform.events.stream', request)).status, 400);
  }
});

/** A partner with a connected restaurant and no endpoint. */
async function openMenuReader() {
  const { database } = own;
  const { guid: restaurantGuid } = await insertRestaurant(database.sql);
  const given = { name: 'Reader', type: 'PARTNER', partnerGuid, scopes: ['menus:read'] } as const;
  const deps = { sql: database.sql, vault: createVault(Buffer.alloc(32, 7)) };
  const { clientId } = await createClient(deps, given, NOW_MS);
  await insertLiveConnection(database.sql, restaurantGuid, partnerGuid);
  const reader = principal({ partnerGuid, clientId, scopes: new Set(given.scopes) });
  return {
    reader,
    /** The menus change after this time. Gives the position of the newest event. */
    async changeMenus(laterMs = 0): Promise<number> {
      realClock.advance(laterMs);
      await deletePastEventReaders(database.sql, realClock.nowMs());
      const details = { restaurantGuid, publishedDate: new Date(NOW_MS).toISOString() };
      const events = async () => [{ type: 'menus_updated', details } as const];
      await database.transaction((sql) =>
        queueRestaurantEvents(sql, {
          ...{ restaurantGuid, types: ['menus_updated'], at: new Date(NOW_MS), events },
        }),
      );
      return (await newestPlace(database.sql, partnerGuid)).position;
    },
  };
}

test('platform.events.list 200 HOOK-2: for a day after it, events are kept without an endpoint', async () => {
  const { reader, changeMenus } = await openMenuReader();
  assert.equal(await changeMenus(), 0, 'nobody looks');
  await list({}, reader);
  assert.equal(await changeMenus(), 1);
  assert.equal(await changeMenus(DAY_MS), 2);
  await list({ eventType: 'partner_added' }, reader);
  assert.equal(await changeMenus(DAY_MS), 3, 'a filtered list keeps all types');
  assert.equal(await changeMenus(DAY_MS), 3, 'nobody looks anymore');
  const { body } = await list({}, reader);
  assert.equal(body.results.length, 3);
});

test('platform.events.stream 200 HOOK-2: events are kept while it is open, and for a day', async () => {
  const { reader, changeMenus } = await openMenuReader();
  account = reader;
  const stream = await open({ principal: reader });
  await piece(stream);
  for (let day = 1; day <= 3; day += 1) {
    assert.equal(await changeMenus(DAY_MS), day);
    for (let look = 0; look < LOOKS_OF_A_MINUTE; look += 1) await streams.look();
  }
  await stream.return?.();
  assert.equal(await changeMenus(2 * DAY_MS), 3);
});
