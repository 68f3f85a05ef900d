import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  errorClasses,
  type OperationId,
  type SavedView,
  savedViewsAtMost,
} from '@servery/contract';
import { openPeopleFixture, type PeopleFixture, type TestPerson } from './fixture.ts';

let fixture: PeopleFixture;
before(async () => {
  fixture = await openPeopleFixture();
});
after(() => fixture.drop());

const VIEW = { page: 'payments', name: 'Denied', query: 'state=DENIED' };

async function ask(by: TestPerson, id: OperationId, body?: unknown, params = {}) {
  return await fixture.call(id, { caller: by.caller, body, params });
}

const save = (by: TestPerson, view: object = {}) =>
  ask(by, 'backOffice.me.views.save', { ...VIEW, ...view });

async function listOf(by: TestPerson): Promise<readonly SavedView[]> {
  return (await ask(by, 'backOffice.me.views.list')).body;
}

test('backOffice.me.views.list 200: by page and name, and only one’s own', async () => {
  const person = await fixture.person('OPERATOR');
  const stranger = await fixture.person('OPERATOR');
  await save(stranger, { name: 'Not mine' });
  for (const [page, name] of [
    ['requests', 'a'],
    ['payments', 'b'],
    ['payments', 'A'],
  ]) {
    assert.equal((await save(person, { page, name })).status, 200);
  }
  const views = await listOf(person);
  assert.deepEqual(
    views.map(({ page, name }) => `${page} ${name}`),
    ['payments A', 'payments b', 'requests a'],
  );
});

test('backOffice.me.views.save 200: the name of a page is there once, and keeps its view', async () => {
  const person = await fixture.person('READ_ONLY', { restaurantGuid: fixture.own.guid });
  const first = await save(person);
  assert.equal(first.body.savedAt, new Date(fixture.clock.nowMs()).toISOString());
  fixture.clock.advance(60_000);
  const second = await save(person, { query: 'state=DENIED&period=week' });
  assert.equal(second.body.viewGuid, first.body.viewGuid);
  assert.ok(second.body.savedAt > first.body.savedAt);
  await save(person, { page: 'webhooks/deliveries', query: '' });
  assert.deepEqual(
    (await listOf(person)).map(({ page, query }) => [page, query]),
    [
      ['payments', 'state=DENIED&period=week'],
      ['webhooks/deliveries', ''],
    ],
  );
});

test('backOffice.me.views.save 409: one more than the maximum, also with two at once', async () => {
  const person = await fixture.person('OPERATOR');
  for (let number = 1; number < savedViewsAtMost; number += 1) {
    await save(person, { name: `View ${number}` });
  }
  const both = await Promise.all([save(person, { name: 'X' }), save(person, { name: 'Y' })]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  assert.equal((await listOf(person)).length, savedViewsAtMost);
  const replaced = await save(person, { name: 'View 1', query: 'state=VOIDED' });
  assert.equal(replaced.status, 200, 'a view that is there can still be replaced');
});

test('backOffice.me.views.save 422: no page, no query, or no name', async () => {
  const person = await fixture.person('OPERATOR');
  const wrong = [
    { page: '../secrets' },
    { page: 'https://example.com' },
    { page: '' },
    { query: 'state=two words' },
    { query: 'x'.repeat(1_001) },
    { name: '  ' },
    { name: 'x'.repeat(101) },
  ];
  for (const view of wrong) {
    const { status, body } = await save(person, view);
    assert.deepEqual(
      [status, body.code],
      [422, errorClasses.unprocessable.code],
      JSON.stringify(view),
    );
  }
  assert.deepEqual(await listOf(person), []);
});

test('backOffice.me.views.delete 200 404: one’s own, once, and nobody else’s', async () => {
  const person = await fixture.person('OPERATOR');
  const stranger = await fixture.person('OPERATOR');
  const { viewGuid } = (await save(person)).body;
  const remove = (by: TestPerson) => ask(by, 'backOffice.me.views.delete', undefined, { viewGuid });
  assert.equal((await remove(stranger)).status, 404);
  const { status, body } = await remove(person);
  assert.deepEqual([status, body], [200, { viewGuid }]);
  assert.equal((await remove(person)).status, 404);
  assert.deepEqual(await listOf(person), []);
});
