import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import {
  ofGroup,
  ofRestaurant,
  openRestaurantFixture,
  operator,
  person,
  type RestaurantFixture,
} from './fixture.ts';

let fixture: RestaurantFixture;
before(async () => {
  fixture = await openRestaurantFixture();
});
after(() => fixture.drop());

const list = async (query: Readonly<Record<string, string>>, by = operator) =>
  (await fixture.call('managementGroups.list', { query, by })).body;

test('backOffice.managementGroups.create 200: a group is made, with a guid', async () => {
  const { status, body } = await fixture.call('managementGroups.create', {
    body: { name: 'Harbor Restaurants' },
  });
  const now = new Date(fixture.clock.nowMs()).toISOString();
  assert.equal(status, 200);
  const { guid, ...rest } = body;
  const expected = { name: 'Harbor Restaurants', archived: false, version: 1 };
  assert.deepEqual(rest, { ...expected, createdAt: now, modifiedAt: now });
  assert.deepEqual((await fixture.call('managementGroups.get', { guid })).body, body);
  const [change, ...more] = await fixture.changesOf(guid);
  assert.deepEqual(more, []);
  assert.deepEqual(change, {
    actor: 'operator',
    operation: 'backOffice.managementGroups.create',
    subjectKind: 'managementGroup',
    subjectId: guid,
    managementGroupGuid: guid,
    restaurantGuid: null,
    partnerGuid: null,
    before: null,
    after: body,
  });
});

test('backOffice.managementGroups.create 409: a guid may be brought along once', async () => {
  const guid = newGuid();
  const body = { guid: guid.toUpperCase(), name: 'From another system' };
  assert.equal((await fixture.call('managementGroups.create', { body })).body.guid, guid);
  const again = await fixture.call('managementGroups.create', { body });
  assert.equal(again.status, 409);
  assert.match(again.body.message, new RegExp(`with the guid ${guid} already`));
  const both = [body, body].map((each) => ({
    ...each,
    guid: '7d0c8f5a-6c1e-4f0b-9a53-2f4f6c1b9e77',
  }));
  const answers = await Promise.all(
    both.map((each) => fixture.call('managementGroups.create', { body: each })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test('backOffice.managementGroups.create 400 422: all that is wrong is told', async () => {
  const refusals: readonly (readonly [unknown, number, RegExp])[] = [
    [{}, 400, /^name is required and missing\.$/],
    [{ name: null }, 422, /name must be a string/],
    [['Harbor'], 422, /must be an object/],
    [{ name: 7 }, 422, /name must be a string/],
    [{ name: '' }, 422, /name must have 1 to 255 characters/],
    [{ name: ' \n' }, 422, /name must have 1 to 255 characters/],
    [{ name: 'x'.repeat(256) }, 422, /name has 256 characters; at most 255 are allowed/],
    [{ name: 'Half \ud800' }, 422, /name has half of a surrogate pair .* write both halves/],
    [{ nam: 'Harbor', name: 'Harbor' }, 422, /nam is no field here; perhaps "name" is meant\.$/],
    [{ name: 'Harbor', archived: true }, 422, /archived is no field here/],
    [{ guid: 'seven', name: '' }, 422, /guid must be a GUID, .*; name must have 1 to 255/],
  ];
  for (const [body, status, told] of refusals) {
    const answer = await fixture.call('managementGroups.create', { body });
    assert.equal(answer.status, status, JSON.stringify(body));
    assert.match(answer.body.message, told);
  }
});

test('backOffice.managementGroups.create 403: only the whole platform makes groups', async () => {
  const group = await fixture.newGroup();
  for (const by of [
    ofGroup(group),
    ofRestaurant(newGuid()),
    person({ kind: 'group', guid: group }),
  ]) {
    const answer = await fixture.call('managementGroups.create', { by, body: {} });
    assert.equal(answer.status, 403);
    assert.match(
      answer.body.message,
      /create needs restaurants\.admin:write for the whole platform.*: ask an operator/,
    );
  }
});

test('backOffice.managementGroups.update 200: a group is renamed, and it is recorded', async () => {
  const guid = await fixture.newGroup('Old name');
  const before = (await fixture.call('managementGroups.get', { guid })).body;
  fixture.clock.advance(60_000);
  const by = ofGroup(guid);
  const body = { ...before, name: 'New name' };
  const { status, body: renamed } = await fixture.call('managementGroups.update', {
    by,
    guid,
    body,
  });
  const modifiedAt = new Date(fixture.clock.nowMs()).toISOString();
  assert.equal(status, 200);
  assert.deepEqual(renamed, { ...before, name: 'New name', version: 2, modifiedAt });
  const [, change] = await fixture.changesOf(guid);
  assert.deepEqual([change?.before, change?.after], [before, renamed]);
});

test('backOffice.managementGroups.update 200: what changes nothing is not recorded', async () => {
  const guid = await fixture.newGroup('Steady');
  const before = (await fixture.call('managementGroups.get', { guid })).body;
  fixture.clock.advance(60_000);
  for (const body of [{}, { name: 'Steady' }, before]) {
    assert.deepEqual((await fixture.call('managementGroups.update', { guid, body })).body, before);
  }
  assert.equal((await fixture.changesOf(guid)).length, 1);
});

test('backOffice.managementGroups.update 409: another version than the one read', async () => {
  const guid = await fixture.newGroup('First');
  await fixture.call('managementGroups.update', { guid, body: { name: 'Second', version: 1 } });
  const body = { name: 'Third', version: 1 };
  const refused = await fixture.call('managementGroups.update', { guid, body });
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /its version is 2, and you sent version 1/);
  assert.equal((await fixture.call('managementGroups.get', { guid })).body.name, 'Second');
});

test('backOffice.managementGroups.update 422: what cannot be set so is told', async () => {
  const guid = await fixture.newGroup();
  for (const [body, told] of [
    [{ name: null }, /name must be a string/],
    [{ guid: newGuid() }, /guid never changes/],
    [{ archived: true }, /archived is false; use archive/],
    [{ version: 0 }, /version must be/],
    [{ version: 'new', nam: 'x' }, /version must be .*nam is no field here/],
  ] as const) {
    const answer = await fixture.call('managementGroups.update', { guid, body });
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.match(answer.body.message, told);
  }
});

test('backOffice.managementGroups 404: unknown and out of reach sound the same', async () => {
  const [mine, other] = [await fixture.newGroup(), await fixture.newGroup()];
  const { guid: restaurant } = await fixture.newRestaurant(mine);
  const by = ofGroup(mine);
  const answers = [
    ...['get', 'update'].flatMap((name) => [
      fixture.call(`managementGroups.${name}`, { by, guid: other, body: { name: 'Mine now' } }),
      fixture.call(`managementGroups.${name}`, { by, guid: newGuid(), body: {} }),
    ]),
    // Whoever looks after one restaurant does not reach its group as a whole.
    fixture.call('managementGroups.get', { by: ofRestaurant(restaurant), guid: mine }),
  ];
  const messages = new Set<string>();
  for (const { status, body } of await Promise.all(answers)) {
    assert.equal(status, 404);
    messages.add(body.message);
  }
  assert.equal(messages.size, 1);
  // Nobody but an operator archives groups, so that who is told so learns of none.
  for (const guid of [mine, other, newGuid(), 'harbor']) {
    for (const name of ['archive', 'unarchive']) {
      assert.equal((await fixture.call(`managementGroups.${name}`, { by, guid })).status, 403);
    }
  }
  assert.equal((await fixture.call('managementGroups.get', { guid: other })).body.version, 1);
});

test('backOffice.managementGroups.archive 200 409: only without live restaurants', async () => {
  const group = await fixture.newGroup('Closing down');
  const { guid } = await fixture.newRestaurant(group, { name: 'Last one' });
  const refused = await fixture.call('managementGroups.archive', { guid: group });
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /"Last one" of the management group is not archived/);
  await fixture.call('restaurants.archive', { guid });
  const archived = await fixture.call('managementGroups.archive', { guid: group });
  assert.deepEqual(
    [archived.status, archived.body.archived, archived.body.version],
    [200, true, 2],
  );
  const repeated = await fixture.call('managementGroups.archive', { guid: group });
  assert.deepEqual(repeated.body, archived.body);
  const back = await fixture.call('managementGroups.unarchive', { guid: group });
  assert.deepEqual([back.status, back.body.archived, back.body.version], [200, false, 3]);
  assert.equal((await fixture.call('restaurants.get', { guid })).body.general.archived, true);
  assert.equal((await fixture.changesOf(group)).length, 3);
});

test('backOffice.managementGroups.archive 403: a group does not archive itself', async () => {
  const guid = await fixture.newGroup();
  for (const name of ['archive', 'unarchive']) {
    const answer = await fixture.call(`managementGroups.${name}`, { by: ofGroup(guid), guid });
    assert.equal(answer.status, 403, name);
  }
  await fixture.call('managementGroups.archive', { guid });
  const answer = await fixture.call('managementGroups.unarchive', { by: ofGroup(guid), guid });
  assert.equal(answer.status, 403);
});

test('backOffice.managementGroups.list 200: pages by name hold every group once', async () => {
  const fresh = await openRestaurantFixture();
  try {
    const names = [
      'Dock',
      'anchor',
      'Bay',
      'Bay',
      'Cove',
      `${'N'.repeat(200)}1`,
      `${'N'.repeat(200)}0`,
    ];
    for (const name of names) await fresh.newGroup(name);
    const seen: { name: string; guid: string }[] = [];
    let pageToken = '';
    do {
      const query = { pageSize: '2', ...(pageToken ? { pageToken } : {}) };
      const { body } = await fresh.call('managementGroups.list', { query });
      assert.ok(body.results.length <= 2);
      seen.push(...body.results);
      pageToken = body.nextPageToken ?? '';
    } while (pageToken !== '');
    assert.equal(new Set(seen.map(({ guid }) => guid)).size, names.length);
    assert.deepEqual(seen.map(({ name }) => name).sort(), [...names].sort());
    const whole = (await fresh.call('managementGroups.list')).body;
    assert.deepEqual(whole, { results: seen, nextPageToken: null });
  } finally {
    await fresh.drop();
  }
});

test('backOffice.managementGroups.list 200: filters, and only what is reached', async () => {
  const word = newGuid();
  const [one, two] = [await fixture.newGroup(`One ${word}`), await fixture.newGroup(`TWO ${word}`)];
  await fixture.call('managementGroups.archive', { guid: two });
  const guids = async (query: Readonly<Record<string, string>>, by = operator) =>
    (await list(query, by)).results.map(({ guid }: { guid: string }) => guid).sort();
  assert.deepEqual(await guids({ search: word.toUpperCase() }), [one, two].sort());
  assert.deepEqual(await guids({ search: `two ${word}` }), [two]);
  assert.deepEqual(await guids({ search: word, archived: 'true' }), [two]);
  assert.deepEqual(await guids({ search: word, archived: 'false' }), [one]);
  assert.deepEqual(await guids({ search: `%${word}` }), [], 'no pattern of the database');
  assert.deepEqual(await guids({}, ofGroup(one)), [one]);
  assert.deepEqual(
    await guids({}, person({ kind: 'group', guid: one }, { kind: 'group', guid: two })),
    [one, two].sort(),
  );
  const { guid } = await fixture.newRestaurant(one);
  assert.deepEqual(await guids({}, ofRestaurant(guid)), []);
});

test('backOffice.managementGroups.list 400: a parameter that is none of its kind', async () => {
  const { nextPageToken } = await list({ pageSize: '1' });
  for (const [query, told] of [
    [{ archived: 'maybe' }, /archived must be true or false/],
    [{ search: '' }, /search must have 1 to 100/],
    [{ search: 'x'.repeat(101) }, /search has 101 characters/],
    [{ search: 'a\0b' }, /search must be a text without/],
    [{ pageSize: '0' }, /pageSize must be/],
    [{ pageToken: 'next' }, /pageToken does not come from/],
    [{ pageToken: nextPageToken, search: 'other' }, /search is not what the pageToken was issued/],
  ] as const) {
    const answer = await fixture.call('managementGroups.list', { query });
    assert.equal(answer.status, 400, JSON.stringify(query));
    assert.match(answer.body.message, told);
  }
});
