import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import type { Database } from '../../src/database/database.ts';
import { UnclearGroup } from '../../src/group-document/export.ts';
import { ImportRefused } from '../../src/group-document/import-refused.ts';
import { insertRawEvent } from '../payments/fixture-store.ts';
import { type GroupDocumentFixture, openGroupDocumentFixture } from './fixture.ts';

let fixture: GroupDocumentFixture;

before(async () => {
  fixture = await openGroupDocumentFixture();
});
after(() => fixture.drop());

/** A group whose items fill several batches, with an account. */
const group = (name: string, itemCount: number) => ({
  format: 'servery.group/1',
  managementGroup: { name },
  clients: [{ name: 'Kitchen', userAccessType: 'CUSTOMER', scopes: ['stock:read'] }],
  restaurants: [
    {
      info: { general: { name: `${name} Grill`, timeZone: 'Europe/Rome', currencyCode: 'EUR' } },
      configuration: {
        menuItems: Array.from({ length: itemCount }, (_, index) => ({ name: `Dish ${index}` })),
      },
    },
  ],
});

test('import: of two imports of one new group at once, the slower one is refused', async () => {
  const outcomes = await Promise.allSettled([
    fixture.load(group('Race', 30)),
    fixture.load(group('Race', 20)),
  ]);
  const [loser, ...more] = outcomes.filter(({ status }) => status === 'rejected');
  assert.equal(more.length, 0);
  assert.ok(loser?.status === 'rejected' && loser.reason instanceof ImportRefused);
  const { menuItems } = JSON.parse(await fixture.dump('Race')).restaurants[0].configuration;
  const isFirst = outcomes[0]?.status === 'fulfilled';
  assert.equal(menuItems.length, isFirst ? 30 : 20);
});

test('import: of two groups that take one restaurant at once, one is refused', async () => {
  const guid = '7d0e65a1-5a0b-4c0e-9f66-0a4b1d5ce010';
  const taking = (name: string) => {
    const document = group(name, 3);
    return { ...document, restaurants: document.restaurants.map((own) => ({ ...own, guid })) };
  };
  const outcomes = await Promise.allSettled([
    fixture.load(taking('Left')),
    fixture.load(taking('Right')),
  ]);
  const [loser, ...more] = outcomes.filter(({ status }) => status === 'rejected');
  assert.equal(more.length, 0);
  assert.ok(loser?.status === 'rejected' && loser.reason instanceof ImportRefused);
  assert.match(loser.reason.message, /of a restaurant of another group/);
});

test('import --replace: two at once follow each other; the group is what one says', async () => {
  await fixture.load(group('Queue', 5));
  await Promise.all([
    fixture.load(group('Queue', 40), { replace: true }),
    fixture.load(group('Queue', 25), { replace: true }),
  ]);
  const { menuItems } = JSON.parse(await fixture.dump('Queue')).restaurants[0].configuration;
  const live = menuItems.filter(({ archived }: { archived: boolean }) => !archived);
  assert.ok([25, 40].includes(live.length), `${live.length} items are live`);
  assert.equal(await fixture.publishNumber('Queue Grill'), 3);
});

test('import --replace: a payment at its restaurant does not wait for its COMMIT', async () => {
  await fixture.load(group('Till', 2));
  const [till] = JSON.parse(await fixture.dump('Till')).restaurants;
  const submitted = {
    version: 1,
    previous: null,
    from: 'NEW',
    cause: 'submitted',
    to: 'PENDING',
    attempt: 1,
  };
  const beforeCommit: Database = {
    ...fixture.database,
    transaction: (run, options) =>
      fixture.database.transaction(async (sql) => {
        const result = await run(sql);
        await fixture.database.transaction(async (payment) => {
          await payment.unsafe(`set local lock_timeout = '500ms'`);
          const key = { merchantGuid: till.guid, paymentUuid: newGuid() };
          await insertRawEvent(payment, key, submitted);
        });
        return result;
      }, options),
  };
  const { changedObjects } = await fixture.load(group('Till', 3), { replace: true }, beforeCommit);
  assert.equal(changedObjects, 1);
});

test('import: one that is aborted between two batches changes nothing', async () => {
  await fixture.load(group('Finished', 1));
  const ending = new AbortController();
  const reason = new Error('enough');
  const seen: number[] = [];
  const aborted = fixture.load(group('Aborted', 2_500), {
    signal: ending.signal,
    onProgress: (done) => {
      seen.push(done);
      ending.abort(reason);
    },
  });
  await assert.rejects(aborted, reason);
  assert.deepEqual(seen, [1_000]);
  await assert.rejects(fixture.dump('Aborted'), UnclearGroup);
});

test('import: a repeated transaction counts anew and gives the last secret', async () => {
  const seen: number[] = [];
  const secrets: string[] = [];
  const rollback = new Error('as a deadlock does');
  const repeating: Database = {
    ...fixture.database,
    transaction: async (run, options) => {
      const lost = fixture.database.transaction(async (sql) => {
        const result = (await run(sql)) as { newClients: { clientSecret: string }[] };
        secrets.push(result.newClients[0]?.clientSecret ?? '');
        throw rollback;
      });
      await assert.rejects(lost, rollback);
      return fixture.database.transaction(run, options);
    },
  };
  const options = { onProgress: (done: number) => seen.push(done) };
  const { newClients } = await fixture.load(group('Again', 1_200), options, repeating);
  assert.deepEqual(seen, [1_000, 1_200, 1_000, 1_200]);
  assert.notEqual(newClients[0]?.clientSecret, secrets[0]);
  assert.equal(JSON.parse(await fixture.dump('Again')).clients.length, 1);
});
