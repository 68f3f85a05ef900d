import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { restaurantAccess } from '../../src/partners/access.ts';
import { openEnvironmentClock } from '../../src/sandbox/clock.ts';
import { clockMover } from '../../src/sandbox/move-clock.ts';
import { clockHandlers } from '../../src/sandbox/office/handlers.ts';
import { createStockRestoration } from '../../src/stock/restore.ts';
import { findRestaurantForUpdate } from '../../src/stock/store.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { countWaiting, createTestDatabase, type TestDatabase } from '../database.ts';
import { idleCaches } from '../freshness/caches.ts';
import { callOperation, principal } from '../request.ts';
import { openStockFixture, type StockFixture } from './fixture.ts';

const HOUR_MS = 3_600_000;
const LONGEST_WAIT_MS = 60_000;
const BACKGROUND = { isSequential: false };

let testDatabase: TestDatabase;
/** Another process. */
let elsewhere: Database;
before(async () => {
  testDatabase = await createTestDatabase();
  elsewhere = connectDatabase({ url: testDatabase.url, poolSize: 2 });
});
after(async () => {
  await elsewhere.close();
  await testDatabase.drop();
});
/** What one test leaves to be done would be done in another. */
beforeEach(async () => {
  await testDatabase.database.sql`delete from stock`;
});

const untilOf = async (fixture: StockFixture, guid: string, until: string) =>
  (await fixture.put(guid, 'OUT_OF_STOCK', { until })).until;

const later = ({ clock }: StockFixture, ms = HOUR_MS) => new Date(clock.nowMs() + ms).toISOString();

test('stock restoration: it comes at its instant, never early, and is told', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  const until = await untilOf(fixture, guid, later(fixture));
  const work = createStockRestoration(fixture.restoreDeps);
  assert.equal(await work.nextDueMs(), Date.parse(String(until)));
  fixture.clock.advance(HOUR_MS - 1);
  assert.deepEqual(await fixture.restore(), []);
  assert.deepEqual(await fixture.restore(true), []);
  assert.equal(await fixture.state(guid), `OUT_OF_STOCK ${until}`);
  fixture.clock.advance(1);
  assert.deepEqual(await fixture.restore(), [
    {
      ...{ dueMs: fixture.clock.nowMs(), kind: 'stock', merchantGuid: fixture.restaurant.guid },
      ...{ paymentUuid: null, fromState: null, cause: null, toState: null },
    },
  ]);
  assert.equal(await fixture.state(guid), 'IN_STOCK');
  assert.equal(await work.nextDueMs(), null);
  assert.deepEqual(await fixture.restore(), []);
  const [entry] = await testDatabase.database.sql<{ actor: string; operation: string }[]>`
    select actor, operation from audit_entry where restaurant_guid = ${fixture.restaurant.guid}
    order by guid desc limit 1`;
  assert.deepEqual(entry, { actor: 'system:clock', operation: 'stock.restore' });
});

const CLOSE_OUTS = [
  ['before midnight', 'America/Chicago', 4, '2026-03-05T02:00:00Z', '2026-03-05T10:00:00.000Z'],
  ['after midnight', 'America/Chicago', 4, '2026-03-05T08:00:00Z', '2026-03-05T10:00:00.000Z'],
  ['at the close-out', 'America/Chicago', 4, '2026-03-05T10:00:00Z', '2026-03-06T10:00:00.000Z'],
  ['in spring', 'America/Chicago', 4, '2026-03-08T02:00:00Z', '2026-03-08T09:00:00.000Z'],
  ['in autumn', 'America/Chicago', 4, '2026-11-01T02:00:00Z', '2026-11-01T10:00:00.000Z'],
  ['into the gap', 'Europe/Berlin', 2, '2026-03-28T20:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['into the hour twice', 'Europe/Berlin', 2, '2026-10-24T20:00:00Z', '2026-10-25T01:00:00.000Z'],
  ['at midnight', 'Asia/Kathmandu', 0, '2026-03-05T12:00:00Z', '2026-03-05T18:15:00.000Z'],
] as const;

for (const [title, timeZone, closeoutHour, now, expected] of CLOSE_OUTS) {
  test(`backOffice.stock.set 200: until closeOut, ${title}`, async () => {
    const fixture = await openStockFixture(testDatabase.database, { timeZone, closeoutHour, now });
    const guid = await fixture.item('Soup');
    assert.equal(await untilOf(fixture, guid, 'closeOut'), expected);
    fixture.clock.advance(Date.parse(expected) - Date.parse(now) - 1);
    assert.deepEqual(await fixture.restore(), []);
    fixture.clock.advance(1);
    assert.equal((await fixture.restore()).length, 1);
    assert.equal(await fixture.state(guid), 'IN_STOCK');
  });
}

test('stock restoration: a later change by hand cancels it, by anybody', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const names = ['without until', 'later until', 'in stock', 'few', 'partner few', 'partner alike'];
  const guids = await Promise.all(names.map((name) => fixture.item(name)));
  const [none = '', put = '', back = '', few = '', partners = '', alike = ''] = guids;
  for (const guid of guids) await untilOf(fixture, guid, later(fixture));
  await fixture.put(none, 'OUT_OF_STOCK');
  await fixture.put(put, 'OUT_OF_STOCK', { until: later(fixture, 2 * HOUR_MS) });
  await fixture.put(back, 'IN_STOCK');
  await fixture.put(few, 'QUANTITY', { quantity: 1 });
  await fixture.partnerUpdate([
    { guid: partners, status: 'QUANTITY', quantity: 2 },
    { guid: alike, status: 'OUT_OF_STOCK' },
  ]);
  fixture.clock.advance(HOUR_MS);
  assert.equal((await fixture.restore()).length, 1);
  const states = await Promise.all(guids.map((guid) => fixture.state(guid)));
  assert.deepEqual(states, [
    ...['OUT_OF_STOCK', `OUT_OF_STOCK ${later(fixture)}`, 'IN_STOCK', 'QUANTITY 1', 'QUANTITY 2'],
    'IN_STOCK',
  ]);
});

test('stock restoration: what is archived comes back too', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  await untilOf(fixture, guid, later(fixture));
  await fixture.archive(guid);
  fixture.clock.advance(HOUR_MS);
  assert.equal((await fixture.restore()).length, 1);
  assert.equal(await fixture.state(guid), 'IN_STOCK');
});

test('stock restoration: processes at once restore each item once', async () => {
  const pantries = await Promise.all(
    Array.from({ length: 8 }, () => openStockFixture(testDatabase.database)),
  );
  for (const fixture of pantries) {
    const guids = await Promise.all(['A', 'B', 'C'].map((name) => fixture.item(name)));
    const until = later(fixture);
    await fixture.set(guids.map((guid) => ({ guid, status: 'OUT_OF_STOCK', until })));
  }
  const [first] = pantries;
  assert.ok(first);
  const deps = first.restoreDeps;
  first.clock.advance(HOUR_MS);
  const nowMs = first.clock.nowMs();
  const works = [deps, { ...deps, database: elsewhere }, { ...deps, database: elsewhere }].map(
    createStockRestoration,
  );
  const runs = works.flatMap((work, index) => [
    work.runDue(nowMs, { isSequential: index === 2 }),
    work.runDue(nowMs, BACKGROUND),
  ]);
  const done = (await Promise.all(runs)).flat();
  assert.equal(done.length, 24);
  for (const { restaurant, changes } of pantries) {
    const mine = done.filter(({ merchantGuid }) => merchantGuid === restaurant.guid);
    assert.equal(mine.length, 3);
    const causes = (await changes()).map(({ cause }) => cause).toSorted();
    assert.deepEqual(causes, ['RESTORED', 'RESTORED', 'RESTORED', 'SET', 'SET', 'SET']);
  }
});

test('stock restoration race: against sets at once, history and stock agree', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  for (let round = 0; round < 12; round += 1) {
    await untilOf(fixture, guid, later(fixture));
    fixture.clock.advance(HOUR_MS);
    await Promise.all([
      fixture.restore(round % 2 === 0),
      fixture.put(guid, 'QUANTITY', { quantity: round + 1 }),
    ]);
    await fixture.restore();
    assert.equal(
      await fixture.state(guid),
      `QUANTITY ${round + 1}`,
      'the later change is not undone',
    );
  }
  const versions = (await fixture.changes({ item: guid })).toSorted(
    (one, other) => one.version - other.version,
  );
  let before: unknown = { status: 'IN_STOCK', quantity: null, until: null };
  for (const change of versions) {
    assert.deepEqual(change.before, before);
    before = change.after;
  }
});

test('stock restoration: restaurants that somebody holds keep no other from its own', async () => {
  const { database } = testDatabase;
  const [first, second, free] = [
    await openStockFixture(database),
    await openStockFixture(database),
    await openStockFixture(database),
  ];
  const [soup, pie, bread] = [
    await first.item('Soup'),
    await second.item('Pie'),
    await free.item('Bread'),
  ];
  await untilOf(first, soup, later(first, 1));
  await untilOf(second, pie, later(second, 2));
  await untilOf(free, bread, later(free));
  first.clock.advance(HOUR_MS);
  // The first is tried before the second, and found held after it.
  const secondTried = Promise.withResolvers<void>();
  let tries = 0;
  // Without the limit of who stands in line: a machine that is held up would reach it in the test.
  const transaction: Database['transaction'] = async (run) => {
    tries += 1;
    if (tries === 1) await secondTried.promise;
    const isSecond = tries === 2;
    return await database.transaction(run).finally(() => isSecond && secondTried.resolve());
  };
  const deps = { ...first.restoreDeps, database: { ...database, transaction } };
  const work = createStockRestoration(deps);
  const nowMs = first.clock.nowMs();
  const waiting = await database.transaction(async (sql) => {
    for (const { restaurant } of [first, second]) {
      await findRestaurantForUpdate(sql, restaurant.guid);
    }
    const run = work.runDue(nowMs, BACKGROUND);
    const startedMs = performance.now();
    while ((await free.state(bread)) !== 'IN_STOCK') {
      assert.ok(performance.now() - startedMs < LONGEST_WAIT_MS, 'it was held up');
    }
    // It has passed both by, and stands in line.
    while ((await countWaiting(database.sql)) === 0) {
      assert.ok(performance.now() - startedMs < LONGEST_WAIT_MS, 'it stands in no line');
    }
    return { run };
  });
  assert.equal((await waiting.run).length, 2, 'it stood in line for the first');
  assert.equal(await first.state(soup), 'IN_STOCK');
  await work.runDue(nowMs, BACKGROUND);
  assert.equal(await second.state(pie), 'IN_STOCK');
});

test('stock restoration: a failure at one restaurant keeps no other from its own', async () => {
  const { database } = testDatabase;
  const [broken, sound] = [await openStockFixture(database), await openStockFixture(database)];
  const [soup, bread] = [await broken.item('Soup'), await sound.item('Bread')];
  await untilOf(broken, soup, later(broken, 1));
  await untilOf(sound, bread, later(sound, 2));
  sound.clock.advance(HOUR_MS);
  let failures = 0;
  const transaction: Database['transaction'] = async (run, options) => {
    failures += 1;
    if (failures === 1) throw new Error('broken');
    return await database.transaction(run, options);
  };
  const told: object[] = [];
  const deps = {
    ...sound.restoreDeps,
    database: { ...database, transaction },
    log: { warn: (facts: object) => told.push(facts) } as never,
  };
  const work = createStockRestoration(deps);
  assert.equal((await work.runDue(sound.clock.nowMs(), BACKGROUND)).length, 1);
  assert.equal(told.length, 1);
  assert.equal((await work.runDue(sound.clock.nowMs(), BACKGROUND)).length, 1);
  failures = 0;
  await untilOf(broken, soup, later(broken, 1));
  broken.clock.advance(HOUR_MS);
  await assert.rejects(work.runDue(broken.clock.nowMs(), { isSequential: true }), /broken/);
});

test('stock restoration: a clock that went back is looked at before anything is done', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  const until = await untilOf(fixture, guid, later(fixture));
  const stale = fixture.clock.nowMs() + 2 * HOUR_MS;
  const clock = { nowMs: () => fixture.clock.nowMs(), refresh: async () => true };
  const work = createStockRestoration({ ...fixture.restoreDeps, clock });
  assert.deepEqual(await work.runDue(stale, BACKGROUND), []);
  assert.equal(await fixture.state(guid), `OUT_OF_STOCK ${until}`);
  const moving = { ...clock, nowMs: () => stale, refresh: async () => false };
  const held = createStockRestoration({ ...fixture.restoreDeps, clock: moving });
  assert.deepEqual(await held.runDue(stale, BACKGROUND), [], 'the mover does it');
});

test('stock restoration: with two connections in all it goes on', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const others = await Promise.all(
    Array.from({ length: 3 }, () => openStockFixture(testDatabase.database)),
  );
  for (const each of [fixture, ...others]) {
    await untilOf(each, await each.item('Soup'), later(each));
  }
  const realClock = new FixedClock(fixture.clock.nowMs() + HOUR_MS);
  const { clock } = await openEnvironmentClock({ database: elsewhere, realClock }, 'sandbox');
  const deps = { ...fixture.restoreDeps, database: elsewhere, clock, realClock };
  const done = await createStockRestoration(deps).runDue(clock.nowMs(), BACKGROUND);
  assert.equal(done.length, 4);
});

test('stock restoration: what is due next is told within reach', async () => {
  const { database } = testDatabase;
  const [own, foreign] = [await openStockFixture(database), await openStockFixture(database)];
  await untilOf(own, await own.item('Soup'), later(own, 2 * HOUR_MS));
  await untilOf(own, await own.item('Pie'), later(own, HOUR_MS));
  await untilOf(foreign, await foreign.item('Bread'), later(foreign, 1));
  const work = createStockRestoration(own.restoreDeps);
  const nowMs = own.clock.nowMs();
  const reach = { ...everywhere, isPlatform: false };
  assert.equal(await work.nextDueMs(), nowMs + 1);
  const ofGroup = { ...reach, groupGuids: [own.restaurant.managementGroupGuid] };
  assert.equal(await work.nextDueMs(ofGroup), nowMs + HOUR_MS);
  const ofRestaurant = { ...reach, restaurantGuids: [foreign.restaurant.guid] };
  assert.equal(await work.nextDueMs(ofRestaurant), nowMs + 1);
  assert.equal(await work.nextDueMs(reach), null);
});

test('backOffice.clock.advance 200: what came back is listed, each at its time', async () => {
  const { database } = testDatabase;
  const now = '2026-03-05T12:00:00.000Z';
  const realClock = new FixedClock(Date.parse(now));
  const { movable: clock } = await openEnvironmentClock({ database, realClock }, 'sandbox');
  assert.ok(clock);
  const [own, foreign] = [
    await openStockFixture(database, { now }),
    await openStockFixture(database, { now }),
  ];
  const dueWork = [
    {
      kind: 'stock',
      isDeadline: true,
      work: createStockRestoration({ ...own.restoreDeps, clock, realClock }),
    },
  ];
  const onError = (error: unknown) => assert.fail(String(error));
  const mover = clockMover({ database, realClock, clock, dueWork, onError });
  await mover.freeze();
  const [late, early, others] = [
    await own.item('Late'),
    await own.item('Early'),
    await foreign.item('Others'),
  ];
  await untilOf(own, late, '2026-03-05T14:00:00.000Z');
  await untilOf(own, early, '2026-03-05T13:00:00.000Z');
  await untilOf(foreign, others, '2026-03-05T13:30:00.000Z');
  const handlers = clockHandlers({
    ...{ clock, realClock, mover, dueWork },
    access: restaurantAccess({ ...idleCaches(database), database }),
  });
  const { managementGroupGuid, guid } = own.restaurant;
  const caller = principal({ type: 'BACK_OFFICE', managementGroupGuid });
  const status = await callOperation(handlers, 'backOffice.clock.get', { caller });
  assert.deepEqual(status.body.nextDeadline, { at: '2026-03-05T13:00:00.000Z', kind: 'stock' });
  const first = await callOperation(handlers, 'backOffice.clock.next', { caller });
  assert.equal(first.body.clock.now, '2026-03-05T13:00:00.000Z');
  assert.equal(first.body.done.length, 1);
  const move = await callOperation(handlers, 'backOffice.clock.advance', {
    ...{ caller, body: { duration: 'PT5H' } },
  });
  assert.deepEqual(move.body.done, [
    {
      ...{ at: '2026-03-05T14:00:00.000Z', kind: 'stock', merchantGuid: guid, paymentUuid: null },
      ...{ fromState: null, cause: null, toState: null, webhook: null },
    },
  ]);
  assert.equal(await foreign.state(others), 'IN_STOCK', 'done all the same');
  assert.deepEqual(
    (await own.changes()).map(({ cause, at }) => `${cause} ${at.slice(11, 16)}`),
    ['RESTORED 14:00', 'RESTORED 13:00', 'SET 12:00', 'SET 12:00'],
  );
});
