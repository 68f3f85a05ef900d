import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { Database } from '../../src/database/database.ts';
import { essentials, openRestaurantFixture, type RestaurantFixture } from './fixture.ts';

let fixture: RestaurantFixture;
before(async () => {
  fixture = await openRestaurantFixture();
});
after(() => fixture.drop());

const edit = (guid: string, body: object) => fixture.call('restaurants.update', { guid, body });

test('backOffice.restaurants.update 200: of many edits at once none is lost', async () => {
  const { guid } = await fixture.newRestaurant(await fixture.newGroup());
  const fields = [
    'deliveryPrepTime',
    'deliveryTimeAfterOpen',
    'deliveryTimeBeforeClose',
    'takeoutPrepTime',
    'takeoutTimeAfterOpen',
    'takeoutTimeBeforeClose',
    'takeoutThrottlingTime',
    'deliveryThrottlingTime',
  ];
  const answers = await Promise.all(
    fields.map((field, index) => edit(guid, { prepTimes: { [field]: index + 1 } })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const { body } = await fixture.call('restaurants.get', { guid });
  const expected = Object.fromEntries(fields.map((field, index) => [field, index + 1]));
  assert.deepEqual(body.prepTimes, expected);
  assert.equal(body.version, 1 + fields.length);
  const versions = answers.map((answer) => answer.body.version).sort((a, b) => a - b);
  assert.deepEqual(versions, [2, 3, 4, 5, 6, 7, 8, 9]);
  const changes = await fixture.changesOf(guid);
  const chain = changes.map(({ after: then }) => then?.version).sort();
  assert.deepEqual(chain, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const { before: was, after: then } of changes.slice(1)) {
    assert.equal(Number(was?.version) + 1, then?.version);
  }
});

test('backOffice.restaurants.update 200 409: of many that read one version one wins', async () => {
  const { guid, version } = await fixture.newRestaurant(await fixture.newGroup());
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      edit(guid, { version, general: { description: `Writer ${index}` } }),
    ),
  );
  const winners = answers.filter(({ status }) => status === 200);
  assert.equal(winners.length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 11);
  const { body } = await fixture.call('restaurants.get', { guid });
  assert.deepEqual(body, winners[0]?.body);
  assert.equal((await fixture.changesOf(guid)).length, 2);
});

test('backOffice.managementGroups.update 409: of many that read one version one wins', async () => {
  const guid = await fixture.newGroup();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      fixture.call('managementGroups.update', {
        guid,
        body: { version: 1, name: `Name ${index}` },
      }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 11);
  assert.equal((await fixture.changesOf(guid)).length, 2);
});

test('backOffice.managementGroups.archive 409: nothing is live in an archived group', async () => {
  for (let round = 0; round < 8; round += 1) {
    const group = await fixture.newGroup();
    const other = await fixture.newGroup();
    const { guid: sleeping } = await fixture.newRestaurant(group);
    await fixture.call('restaurants.archive', { guid: sleeping });
    const { guid: moving } = await fixture.newRestaurant(other);
    const general = { ...essentials, managementGroupGuid: group };
    const [archived, ...others] = await Promise.all([
      fixture.call('managementGroups.archive', { guid: group }),
      fixture.call('restaurants.create', { body: { general } }),
      fixture.call('restaurants.unarchive', { guid: sleeping }),
      edit(moving, { general: { managementGroupGuid: group } }),
    ]);
    assert.ok(archived);
    for (const { status } of [archived, ...others]) assert.match(String(status), /200|409/);
    const query = { managementGroupGuid: group, archived: 'false' };
    const { results } = (await fixture.call('restaurants.list', { query })).body;
    if (archived.status === 200) assert.deepEqual(results, []);
    else assert.ok(results.length > 0);
  }
});

/** Loses the answer to the next COMMIT, which happened or did not. */
function losing(database: Database, lost: { happens: boolean | null }): Database {
  return {
    ...database,
    transaction: async (run, options) => {
      const { happens } = lost;
      lost.happens = null;
      if (happens === null) return database.transaction(run, options);
      if (happens) await database.transaction(run, options);
      else {
        const undone = new Error('undone');
        const tried = database.transaction(async (sql) => {
          await run(sql);
          throw undone;
        }, options);
        await assert.rejects(tried, undone);
      }
      throw new CommitUnknownError(new Error('the connection was lost'));
    },
  };
}

test('backOffice.restaurants.update PAY-I8 200 503: a lost COMMIT is read back', async () => {
  const lost: { happens: boolean | null } = { happens: null };
  const fragile = await openRestaurantFixture(({ database, ...deps }) => ({
    ...deps,
    database: losing(database as Database, lost),
  }));
  try {
    const group = await fragile.newGroup();
    const { guid } = await fragile.newRestaurant(group);
    for (const happens of [true, false]) {
      lost.happens = happens;
      const description = `Kept: ${happens}`;
      const answer = await fragile.call('restaurants.update', {
        guid,
        body: { general: { description } },
      });
      assert.equal(answer.status, happens ? 200 : 503);
      const { body } = await fragile.call('restaurants.get', { guid });
      assert.equal(body.general.description, 'Kept: true');
      if (happens) assert.deepEqual(answer.body, body);
      else assert.match(answer.body.message, /the change was not found afterwards: send it again/);
      assert.equal((await fragile.changesOf(guid)).length, 2);
    }
    lost.happens = true;
    const made = await fragile.call('managementGroups.create', { body: { name: 'Seen' } });
    assert.equal(made.status, 200);
    lost.happens = false;
    const body = { general: { ...essentials, managementGroupGuid: group } };
    assert.equal((await fragile.call('restaurants.create', { body })).status, 503);
    const { results } = (await fragile.call('restaurants.list')).body;
    assert.equal(results.length, 1);
  } finally {
    await fragile.drop();
  }
});
