import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { upsertObjects } from '../../src/configuration/write-store.ts';
import { countWaiting } from '../database.ts';
import { holdEntries } from '../people/fixture-store.ts';
import { NOW_MS } from '../request.ts';
import {
  essentials,
  everyField,
  ofGroup,
  ofRestaurant,
  openRestaurantFixture,
  operator,
  person,
  type RestaurantFixture,
} from './fixture.ts';

let fixture: RestaurantFixture;
let group: string;
before(async () => {
  fixture = await openRestaurantFixture();
  group = await fixture.newGroup();
});
after(() => fixture.drop());

const edit = (guid: string, body: unknown, by = operator) =>
  fixture.call('restaurants.update', { guid, body, by });
const read = async (guid: string) => (await fixture.call('restaurants.get', { guid })).body;

/** A printer as it is published. */
const printer = (guid: string) => ({
  ...{ collection: 'printers', guid, multiLocationId: null, externalId: null },
  ...{ fields: { name: 'Bar' }, archived: false, modifiedAt: null },
});

/** What is told of each fault: where it is, and what is wrong. */
const toldIn = ({ errors }: { errors: readonly { message: string }[] }): string[] =>
  errors.map(({ message }) => message.replace(': ', ' '));

test('backOffice.restaurants.create 200: what is left out is null or its default', async () => {
  const made = await fixture.newRestaurant(group);
  const now = new Date(fixture.clock.nowMs()).toISOString();
  assert.equal(made.general.closeoutHour, 4);
  assert.equal(made.general.archived, false);
  assert.equal(made.general.managementGroupGuid, group);
  assert.equal(made.location.city, null);
  assert.equal(made.orders.approval, 'auto');
  assert.deepEqual(made.schedules.daySchedules, {});
  assert.equal(made.schedules.weekSchedule.monday, null);
  assert.equal(made.onlineOrdering.paymentOptions.takeout.cash, false);
  assert.deepEqual([made.version, made.publishNumber], [1, 1]);
  assert.deepEqual([made.createdAt, made.modifiedAt], [now, now]);
  assert.deepEqual(await read(made.guid), made);
  const [change] = await fixture.changesOf(made.guid);
  assert.deepEqual([change?.before, change?.after], [null, made]);
  assert.deepEqual([change?.managementGroupGuid, change?.restaurantGuid], [group, made.guid]);
  const history = await fixture.database.sql`
    select number, cause, published_by as "publishedBy", published_at as "publishedAt"
    from publication where restaurant_guid = ${made.guid}`;
  const publishedAt = new Date(fixture.clock.nowMs());
  const begun = { number: 1, cause: 'BEGUN', publishedBy: 'operator', publishedAt };
  assert.deepEqual([...history], [begun]);
});

test('backOffice.restaurants.create 200: each field can be set, an answer sent on', async () => {
  const { general, ...sections } = everyField;
  const made = await fixture.newRestaurant(group, general, sections);
  const { guid, version, publishNumber, createdAt, modifiedAt, ...told } = made;
  const whole = { ...general, managementGroupGuid: group, archived: false };
  assert.deepEqual(told, { ...sections, general: whole });
  const moved = await fixture.call('restaurants.create', { body: { ...made, guid: newGuid() } });
  assert.equal(moved.status, 200);
  assert.deepEqual({ ...moved.body, guid }, made);
});

test('backOffice.restaurants.create 409: a guid may be brought along once', async () => {
  const guid = newGuid();
  const body = { guid, general: { ...essentials, managementGroupGuid: group } };
  const answers = await Promise.all(
    [body, body, body].map((each) => fixture.call('restaurants.create', { body: each })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  // Neither may a group that does not reach the other restaurant take its guid.
  const other = await fixture.newGroup();
  const theirs = { ...body, general: { ...essentials, managementGroupGuid: other } };
  const refused = await fixture.call('restaurants.create', { by: ofGroup(other), body: theirs });
  assert.equal(refused.status, 409);
  assert.equal((await fixture.changesOf(guid)).length, 1);
});

test('backOffice.restaurants.create 200: a guid of null is made, and what is ignored may be anything', async () => {
  const general = { ...essentials, managementGroupGuid: group };
  const ignored = { version: 'x', publishNumber: null, createdAt: 7, modifiedAt: 'x' };
  const body = { guid: null, ...ignored, general };
  const made = await fixture.call('restaurants.create', { body });
  assert.equal(made.status, 200, JSON.stringify(made.body));
});

test('backOffice.restaurants.create 400 422: all that is wrong is told at once', async () => {
  const missing = await fixture.call('restaurants.create', { body: {} });
  assert.equal(missing.status, 400);
  assert.match(missing.body.message, /^general is required and missing\.$/);
  const some = { general: { name: 'Corner', timeZone: null }, delivery: { minimum: -1 } };
  const { status, body } = await fixture.call('restaurants.create', { body: some });
  assert.equal(status, 400);
  const told = toldIn(body).join('\n');
  for (const field of ['timeZone', 'currencyCode', 'managementGroupGuid']) {
    assert.match(told, new RegExp(`general\\.${field} is required and missing`));
  }
  assert.match(told, /delivery\.minimum must be at least 0/);
  const cleared = await fixture.call('restaurants.create', { body: { general: null } });
  assert.equal(cleared.status, 400);
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ guid: 'x', general: { ...essentials, managementGroupGuid: group } }, /guid must be a GUID/],
    [
      { general: { ...essentials, managementGroupGuid: 'x' } },
      /managementGroupGuid must be a GUID/,
    ],
    [
      { general: { ...essentials, managementGroupGuid: group, archived: true } },
      /general\.archived is false for a new restaurant/,
    ],
  ];
  for (const [sent, words] of wrong) {
    const answer = await fixture.call('restaurants.create', { body: sent });
    assert.equal(answer.status, 422, JSON.stringify(sent));
    assert.match(answer.body.message, words);
  }
  const general = { ...essentials, managementGroupGuid: group };
  const both = await fixture.call('restaurants.create', {
    body: { general: { ...general, timeZone: 'Europe/Rom', currencyCode: 'QQQ' } },
  });
  assert.equal(both.status, 422);
  assert.deepEqual(toldIn(both.body), [
    'general.timeZone "Europe/Rom" is not a time zone; ' +
      'write a name of the IANA database, for example America/New_York',
    'general.currencyCode must be an ISO 4217 code, for example EUR; "QQQ" is not a currency',
  ]);
  assert.doesNotMatch(both.body.message, /\.\./);
  for (const wrongGeneral of [7, 'x', [], { ...general, name: 7, timeZone: 7, currencyCode: 7 }]) {
    const answer = await fixture.call('restaurants.create', { body: { general: wrongGeneral } });
    assert.equal(answer.status, 422, JSON.stringify(wrongGeneral));
  }
});

test('backOffice.restaurants.create 403 422: only in a group that is reached', async () => {
  const [mine, other] = [await fixture.newGroup(), await fixture.newGroup()];
  const create = (managementGroupGuid: string, by = ofGroup(mine)) =>
    fixture.call('restaurants.create', {
      by,
      body: { general: { ...essentials, managementGroupGuid } },
    });
  const made = await create(mine);
  assert.equal(made.status, 200);
  const refused = [await create(other), await create(newGuid())];
  for (const { status, body } of refused) {
    assert.equal(status, 422);
    assert.match(
      body.message,
      /managementGroupGuid is not a management group that you have full access to/,
    );
  }
  const single = await create(mine, ofRestaurant(made.body.guid));
  assert.equal(single.status, 403);
  assert.match(
    single.body.message,
    /for the whole management group.*: ask an administrator of the group/,
  );
  const mixed = person(
    { kind: 'restaurant', guid: made.body.guid },
    { kind: 'group', guid: other },
  );
  assert.equal((await create(mine, mixed)).status, 422);
  assert.equal((await create(other, mixed)).status, 200);
});

test('backOffice.restaurants.update 200: each field is set, read, and nothing else', async () => {
  const { guid } = await fixture.newRestaurant(group);
  const patches = leavesOf(everyField)
    // What rules bind together is set together below.
    .filter(([path]) => !/schedules|latitude|longitude/.test(path.join('.')))
    .map(([path, value]) => path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value));
  assert.ok(patches.length > 45);
  const { latitude, longitude } = everyField.location;
  patches.push({ schedules: everyField.schedules }, { location: { latitude, longitude } });
  for (const patch of patches) {
    const beforeIt = await read(guid);
    const { status, body } = await edit(guid, patch);
    assert.equal(status, 200, JSON.stringify(patch));
    const expected = merged(beforeIt, patch) as Record<string, unknown>;
    const isChange = JSON.stringify(expected) !== JSON.stringify(beforeIt);
    assert.deepEqual(body, { ...expected, version: beforeIt.version + (isChange ? 1 : 0) });
  }
  const whole = await read(guid);
  const general = { ...everyField.general, managementGroupGuid: group, archived: false };
  const {
    version: _v,
    publishNumber: _p,
    createdAt: _c,
    modifiedAt: _m,
    guid: _g,
    ...told
  } = whole;
  assert.deepEqual(told, { ...everyField, general });
  const changes = await fixture.changesOf(guid);
  assert.equal(changes.length, whole.version);
  assert.deepEqual(changes.at(-1)?.after, whole);
  for (const [index, change] of changes.entries()) {
    assert.deepEqual(change.before, changes[index - 1]?.after ?? null);
  }
});

type Leaf = readonly [path: readonly string[], value: unknown];

function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** One field at a time is easily merged without the code under test. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const copy: Record<string, unknown> = { ...(target as Record<string, unknown>) };
  for (const [name, value] of Object.entries(patch)) copy[name] = merged(copy[name], value);
  return copy;
}

test('backOffice.restaurants.update 200: null clears, or gives the default back', async () => {
  const { general, ...sections } = everyField;
  const { guid } = await fixture.newRestaurant(group, general, sections);
  const { body } = await edit(guid, {
    general: { locationName: null, closeoutHour: null, firstBusinessDate: null },
    urls: null,
    location: { latitude: null, longitude: null },
    schedules: { daySchedules: { 22: null }, weekSchedule: { monday: null, sunday: null } },
    delivery: { enabled: null, area: null },
    onlineOrdering: { paymentOptions: { takeout: null } },
    prepTimes: { takeoutPrepTime: null },
    orders: { approval: null },
  });
  assert.deepEqual(
    [body.general.locationName, body.general.closeoutHour, body.general.firstBusinessDate],
    [null, 4, null],
  );
  assert.equal(body.general.name, 'Harbor Kitchen');
  assert.deepEqual([...new Set(Object.values(body.urls))], [null]);
  assert.deepEqual(Object.keys(body.schedules.daySchedules), ['1']);
  assert.deepEqual(
    [body.schedules.weekSchedule.sunday, body.schedules.weekSchedule.friday],
    [null, '1'],
  );
  assert.deepEqual(body.delivery, { enabled: false, minimum: 15.5, area: null });
  assert.equal(body.onlineOrdering.paymentOptions.takeout.ccInStore, false);
  assert.equal(body.onlineOrdering.paymentOptions.delivery.cash, true);
  assert.deepEqual([body.prepTimes.takeoutPrepTime, body.prepTimes.deliveryPrepTime], [null, 40]);
  assert.equal(body.orders.approval, 'auto');
});

test('backOffice.restaurants.update 200: what changes nothing is no change', async () => {
  const { general, ...sections } = everyField;
  const made = await fixture.newRestaurant(group, general, sections);
  fixture.clock.advance(60_000);
  for (const body of [{}, { general: {} }, { general: { name: general.name } }, made]) {
    assert.deepEqual((await edit(made.guid, body)).body, made);
  }
  assert.equal((await fixture.changesOf(made.guid)).length, 1);
});

test('backOffice.restaurants.update 409: another version than the one read', async () => {
  const made = await fixture.newRestaurant(group);
  await edit(made.guid, { ...made, general: { name: 'First' } });
  const refused = await edit(made.guid, { ...made, general: { name: 'Second' } });
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /its version is 2, and you sent version 1/);
  assert.equal((await read(made.guid)).general.name, 'First');
  assert.equal((await edit(made.guid, { general: { name: 'Third' } })).status, 200);
  assert.equal((await edit(made.guid, { general: { name: 'Fourth' }, version: 3 })).status, 200);
});

test('backOffice.restaurants.update 422: every fault is told, and nothing changes', async () => {
  const { general, ...sections } = everyField;
  const made = await fixture.newRestaurant(group, general, sections);
  const { status, body } = await edit(made.guid, {
    general: { timeZone: 'Mars/Base', currencyCode: 'QQQ', closeoutHour: 1 },
    urls: { website: 'harbor.example' },
    location: { latitude: null, phone: 'ask at the bar' },
    schedules: { weekSchedule: { monday: '7' } },
    delivery: { area: 'not a polyline~~~' },
  });
  assert.equal(status, 422);
  const told = toldIn(body);
  for (const words of [
    /general\.timeZone "Mars\/Base" is not a time zone/,
    /general\.currencyCode must be an ISO 4217 code, for example EUR; "QQQ" is not a currency/,
    /urls\.website is not a web address/,
    /location\.latitude is missing; a place needs both/,
    /location\.phone is not a phone number/,
    /schedules\.weekSchedule\.monday there is no "7" in daySchedules/,
    /schedules\.daySchedules\["1"\]\.services\[1\]\.hours\.endTime must be at most 01:00/,
    /delivery\.area is not an encoded polyline/,
  ]) {
    assert.equal(told.filter((message: string) => words.test(message)).length, 1, String(words));
  }
  assert.equal(told.length, 8);
  assert.deepEqual(await read(made.guid), made);
});

test('backOffice.restaurants.create 400: rules are told beside faults of form', async () => {
  const { general: _general, ...sections } = everyField;
  const answer = await fixture.call('restaurants.create', {
    body: {
      ...sections,
      general: { ...essentials, managementGroupGuid: group, timeZone: 'Mars/Base', name: 7 },
      location: { latitude: 41.88, phone: 7 },
      schedules: { daySchedules: { 1: { services: 'none' } } },
    },
  });
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  assert.deepEqual(toldIn(answer.body), [
    'general.name must be a string: put it in quotation marks, for example "4000"',
    'location.phone must be a string or null: put it in quotation marks, for example "4000"',
    'schedules.daySchedules["1"].services must be null or a list of at most 100 objects',
    'schedules.daySchedules["1"].scheduleName is required and missing',
    'general.timeZone "Mars/Base" is not a time zone; ' +
      'write a name of the IANA database, for example America/New_York',
  ]);
});

test('backOffice.restaurants.create 400: half a place misses its other half', async () => {
  const general = { ...essentials, managementGroupGuid: group };
  const body = { general, location: { latitude: 41.88 } };
  const answer = await fixture.call('restaurants.create', { body });
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  assert.match(answer.body.message, /^location\.longitude is missing/);
});

test('backOffice.restaurants.update 409 422: another version, and rules beside faults of form', async () => {
  const made = await fixture.newRestaurant(group);
  const wrong = { general: { timeZone: 'Mars/Base', name: 7 } };
  assert.equal((await edit(made.guid, { ...wrong, version: 9 })).status, 409);
  const { status, body } = await edit(made.guid, wrong);
  assert.equal(status, 422);
  assert.equal(toldIn(body).length, 2);
  for (const sent of [null, 7, 'x', []]) {
    assert.equal((await edit(made.guid, sent as unknown as object)).status, 422);
  }
});

const refusals: readonly (readonly [string, unknown, RegExp])[] = [
  ['a list', [], /body must be an object/],
  ['a section that is none', { general: 7 }, /general must be an object/],
  ['a name that nobody can see', { general: { name: ' ' } }, /general\.name is empty/],
  ['a name cleared', { general: { name: null } }, /general\.name is required and missing/],
  ['all of general cleared', { general: null }, /general must be an object/],
  ['a long name', { general: { name: 'x'.repeat(256) } }, /at most 255/],
  [
    'a long address',
    { urls: { website: `https://a.example/${'x'.repeat(2048)}` } },
    /at most 2048/,
  ],
  [
    'a mistyped field',
    { general: { timezone: 'UTC' } },
    /is no field here; perhaps "timeZone" is meant/,
  ],
  ['a mistyped section', { deliverys: {} }, /is no field here; perhaps "delivery" is meant/],
  ['another guid', { guid: newGuid() }, /guid never changes/],
  ['an archive', { general: { archived: true } }, /use archive to change it/],
  ['an archive by null', { general: { archived: null } }, /use archive to change it/],
  ['a version of no kind', { version: '1' }, /version must be a whole number/],
  ['half of a character', { general: { name: 'a\udc00' } }, /half of a surrogate pair/],
  ['a script as an address', { urls: { orderOnline: 'javascript:alert(1)' } }, /not a web address/],
  [
    'a blank in an address',
    { urls: { checkGiftCard: 'https://a b.example' } },
    /not a web address/,
  ],
  ['a short number', { location: { phone: '11' } }, /not a phone number/],
  [
    'a time that there is not',
    {
      schedules: {
        daySchedules: {
          3: {
            scheduleName: 'Day',
            services: [
              {
                name: 'All day',
                hours: { startTime: '25:00:00.000', endTime: '26:00:00.000' },
                overnight: false,
              },
            ],
          },
        },
      },
    },
    /schedules\.daySchedules\["3"\]\.services\[0\]\.hours\.startTime .*HH:mm:ss/,
  ],
  [
    'a key of a day that is a card number',
    { schedules: { daySchedules: { 4111111111111111: { scheduleName: 'Day', services: [] } } } },
    /the keys here have at most 9 digits/,
  ],
];
for (const [what, patch, told] of refusals) {
  test(`backOffice.restaurants.update 422: ${what} is refused`, async () => {
    const made = await fixture.newRestaurant(group);
    const { status, body } = await edit(made.guid, patch);
    assert.equal(status, 422);
    assert.match(body.message, told);
    assert.deepEqual(await read(made.guid), made);
  });
}

test('backOffice.restaurants.update 422: of very many faults a hundred are shown', async () => {
  const { guid } = await fixture.newRestaurant(group);
  const names = Array.from({ length: 1_000 }, (_, index) => [`field${index}`, 1]);
  const { status, body } = await edit(guid, { prepTimes: Object.fromEntries(names) });
  assert.equal(status, 422);
  assert.equal(body.errors.length, 100);
  assert.match(body.message, /and 997 more faults\.$/);
});

test('backOffice.restaurants.update 200 422: what was wrong before hinders nobody', async () => {
  const { guid } = await fixture.newRestaurant(group);
  const { sql } = fixture.database;
  // As it may have been imported when there was no rule yet.
  await sql`update restaurant set urls = '{"website": "harbor"}' where guid = ${guid}`;
  const renamed = await edit(guid, { general: { name: 'Renamed' } });
  assert.deepEqual([renamed.status, renamed.body.urls.website], [200, 'harbor']);
  assert.equal((await edit(guid, renamed.body)).status, 200);
  const worse = await edit(guid, { urls: { website: 'pier' }, general: { name: ' ' } });
  assert.equal(worse.status, 422);
  assert.match(worse.body.message, /name is empty.*website is not a web address/);
  assert.equal((await edit(guid, { urls: { website: null } })).body.urls.website, null);
});

test('backOffice.restaurants.update 200: no card number is stored (PAY-I7)', async () => {
  const { guid } = await fixture.newRestaurant(group);
  const { body } = await edit(guid, {
    general: { description: 'Pay with 4111 1111 1111 1111, thanks' },
    location: { address2: '4111111111111111' },
  });
  assert.equal(body.general.description, 'Pay with [card number removed], thanks');
  assert.equal(body.location.address2, '[card number removed]');
  const stored = JSON.stringify(await fixture.changesOf(guid));
  assert.doesNotMatch(stored, /4111 ?1111/);
});

test('backOffice.restaurants.update 200: a restaurant may go to another group', async () => {
  const [from, to] = [await fixture.newGroup('From'), await fixture.newGroup('To')];
  const made = await fixture.newRestaurant(from);
  const move = (managementGroupGuid: string, by = operator) =>
    edit(made.guid, { general: { managementGroupGuid } }, by);
  const ofBoth = person({ kind: 'group', guid: from }, { kind: 'group', guid: to });
  const itsOwn = person({ kind: 'restaurant', guid: made.guid }, { kind: 'group', guid: to });
  const refused = [
    await move(to, ofGroup(from)),
    await move(to, ofRestaurant(made.guid)),
    // Nobody takes a restaurant whose group he does not reach.
    await move(to, itsOwn),
    await move(newGuid(), ofBoth),
  ];
  for (const { status, body } of refused) {
    assert.equal(status, 422);
    assert.match(
      body.message,
      /managementGroupGuid is not a management group that you have full access to/,
    );
  }
  const moved = await move(to.toUpperCase(), ofBoth);
  assert.deepEqual([moved.status, moved.body.general.managementGroupGuid], [200, to]);
  assert.equal(
    (await fixture.call('restaurants.get', { guid: made.guid, by: ofGroup(from) })).status,
    404,
  );
  assert.equal(
    (await fixture.call('restaurants.get', { guid: made.guid, by: ofGroup(to) })).status,
    200,
  );
  // The group that it left is to read that it did.
  const [, change] = await fixture.changesOf(made.guid);
  assert.deepEqual([change?.managementGroupGuid, change?.restaurantGuid], [from, made.guid]);
});

test('backOffice.restaurants.update 409: a GUID is that of one object in a group', async () => {
  const [from, to] = [await fixture.newGroup('From'), await fixture.newGroup('To')];
  const [moving, there] = [await fixture.newRestaurant(from), await fixture.newRestaurant(to)];
  const shared = newGuid();
  const { sql } = fixture.database;
  await upsertObjects(sql, there.guid, JSON.stringify([printer(shared)]), new Date(NOW_MS));
  const own = JSON.stringify([printer(shared), printer(newGuid())]);
  await upsertObjects(sql, moving.guid, own, new Date(NOW_MS));
  const move = (managementGroupGuid: string) =>
    edit(moving.guid, { general: { managementGroupGuid } });
  const refused = await move(to);
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, new RegExp(`for example ${shared}\\. Create a restaurant`));
  const { general } = (await fixture.call('restaurants.get', { guid: moving.guid })).body;
  assert.equal(general.managementGroupGuid, from);
  assert.equal((await fixture.changesOf(moving.guid)).length, 1);
  // Elsewhere nothing has it; and among its own it does not stand in its own way.
  const elsewhere = await move(await fixture.newGroup('Elsewhere'));
  assert.equal(elsewhere.status, 200, JSON.stringify(elsewhere.body));
});

test('backOffice.restaurants.update 409: nothing goes to a group that is archived', async () => {
  const [from, to] = [await fixture.newGroup(), await fixture.newGroup('Closed')];
  const made = await fixture.newRestaurant(from);
  await fixture.call('managementGroups.archive', { guid: to });
  const moved = await edit(made.guid, { general: { managementGroupGuid: to } });
  assert.equal(moved.status, 409);
  assert.match(moved.body.message, /"Closed" is archived: unarchive it first/);
  const body = { general: { ...essentials, managementGroupGuid: to } };
  assert.equal((await fixture.call('restaurants.create', { body })).status, 409);
});

test('backOffice.restaurants.update 409: of two with one GUID one moves', async () => {
  const to = await fixture.newGroup('To');
  const moving = await Promise.all(
    ['From one', 'From another'].map(async (name) =>
      fixture.newRestaurant(await fixture.newGroup(name)),
    ),
  );
  const shared = newGuid();
  const { sql } = fixture.database;
  for (const { guid } of moving) {
    await upsertObjects(sql, guid, JSON.stringify([printer(shared)]), new Date(NOW_MS));
  }
  // Whoever is not kept waiting by the other one has looked for the GUID, and not committed.
  const { begun } = await fixture.database.transaction(async (tx) => {
    await holdEntries(tx);
    const moves = moving.map(({ guid }) => edit(guid, { general: { managementGroupGuid: to } }));
    while ((await countWaiting(sql)) < moves.length);
    return { begun: moves };
  });
  const statuses = (await Promise.all(begun)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 409]);
});
