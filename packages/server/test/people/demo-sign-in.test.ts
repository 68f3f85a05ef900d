import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPeopleFixture, type PeopleFixture, type TestPerson } from './fixture.ts';

const HERE = { address: '127.0.0.1', headers: { host: 'localhost:4400' } };

let fixture: PeopleFixture;
let operator: TestPerson;
let stranger: TestPerson;

before(async () => {
  fixture = await openPeopleFixture();
  operator = await fixture.person('OPERATOR');
  stranger = await fixture.person('OPERATOR');
  await fixture.database.sql`
    update person set email = 'operator@demo.example' where guid = ${operator.personGuid}`;
});

after(() => fixture.drop());

const list = async (where: object) =>
  (await fixture.call('backOffice.sessions.demoPeople', where)).body;

test('backOffice.sessions.demoPeople 200: on the same machine, the people of the demo alone', async () => {
  const { personGuid } = operator;
  const [found, ...others] = await list(HERE);
  assert.deepEqual(others, []);
  assert.equal(found.personGuid, personGuid);
  assert.equal(found.role, 'OPERATOR');
  assert.equal(found.placeName, null);
});

test('backOffice.sessions.demoPeople 200: nobody for another machine, or by another name', async () => {
  assert.deepEqual(await list({ ...HERE, address: '203.0.113.7' }), []);
  assert.deepEqual(await list({ ...HERE, headers: { host: 'rebound.example' } }), []);
  assert.deepEqual(await list({ ...HERE, headers: {} }), []);
});

test('backOffice.sessions.beginDemo 200: one click begins a session like any other', async () => {
  const body = { personGuid: operator.personGuid };
  const begun = await fixture.call('backOffice.sessions.beginDemo', { ...HERE, body });
  assert.equal(begun.status, 200);
  assert.equal(begun.body.person.personGuid, operator.personGuid);
  assert.match(begun.headers['set-cookie'] ?? '', /HttpOnly; SameSite=Strict/);
});

test('backOffice.sessions.beginDemo 404: nobody else is let in without a password', async () => {
  const begin = async (personGuid: string, where: object = HERE) =>
    (await fixture.call('backOffice.sessions.beginDemo', { ...where, body: { personGuid } }))
      .status;
  assert.equal(await begin(stranger.personGuid), 404);
  assert.equal(await begin(operator.personGuid, { ...HERE, address: '203.0.113.7' }), 404);
  await fixture.database.sql`
    update person set totp_confirmed_at = ${new Date(0)}, sealed_totp_secret = ${Buffer.alloc(1)}
    where guid = ${operator.personGuid}`;
  assert.equal(await begin(operator.personGuid), 404, 'an authenticator app is asked for');
});

test('backOffice.sessions.demoToken 200 404: only this machine gets a token, and only of the demo', async () => {
  const get = async (account: string, where: object = HERE) =>
    await fixture.call('backOffice.sessions.demoToken', { ...where, body: { account } });
  const { status, body } = await get('partner');
  assert.equal(status, 200);
  assert.deepEqual(body, { clientId: 'demo-partner', accessToken: 'a.b.c' });
  assert.equal((await get('somebody')).status, 404);
  assert.equal((await get('partner', { ...HERE, address: '203.0.113.7' })).status, 404);
  assert.equal(
    (await get('partner', { ...HERE, headers: { host: 'rebound.example' } })).status,
    404,
  );
});
