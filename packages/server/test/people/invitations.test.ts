import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemOrigin } from '../../src/audit/origin.ts';
import {
  announceFirstOperator,
  makeLinkOnMachine,
  NoLink,
} from '../../src/people/first-operator.ts';
import { findPersonOf } from '../../src/people/sessions.ts';
import { totpCode } from '../../src/people/totp.ts';
import { listAuditEntries } from '../audit/entry-rows-store.ts';
import { openPeopleFixture, PASSWORD, type PeopleFixture, type TestPerson } from './fixture.ts';

const DAY_MS = 86_400_000;
const NEXT = 'another fine sentence';

let fixture: PeopleFixture;
let operator: TestPerson;
before(async () => {
  fixture = await openPeopleFixture();
  operator = await fixture.person('OPERATOR');
});
after(() => fixture.drop());

async function invite(personGuid: string, within = fixture): Promise<string> {
  const { status, body } = await within.call('backOffice.people.invite', {
    caller: operator.caller,
    params: { personGuid },
  });
  assert.equal(status, 200);
  return body.invitation.token;
}

const accept = (body: object, within = fixture) =>
  within.call('backOffice.invitations.accept', { body: { name: 'Ada', password: NEXT, ...body } });
const inspect = (token: string, within = fixture) =>
  within.call('backOffice.invitations.inspect', { body: { token } });

test('backOffice.invitations 200: a link tells whom it is for, and opens once', async () => {
  const person = await fixture.person('READ_ONLY');
  const token = await invite(person.personGuid);
  const { body } = await inspect(token);
  assert.deepEqual([body.email, body.choosesEmail, body.needsTotp], [person.email, false, false]);
  const used = await accept({ token, name: 'Ada Lovelace' });
  assert.equal(used.status, 200);
  assert.equal(used.body.person.name, 'Ada Lovelace');
  assert.equal(used.body.person.invitedUntil, null);
  const cookie = /^backoffice_session=([\w-]+)\./.exec(used.headers['set-cookie'] ?? '')?.[1] ?? '';
  assert.equal((await findPersonOf(fixture.deps, cookie))?.personGuid, person.personGuid);
  const before = await findPersonOf(fixture.deps, person.session.token.reveal());
  assert.equal(before, null, 'sessions of before end');
  assert.equal((await accept({ token })).status, 404);
  assert.equal((await inspect(token)).status, 404);
  const logIn = (password: string) =>
    fixture.call('backOffice.sessions.begin', { body: { email: person.email, password } });
  assert.deepEqual([(await logIn(PASSWORD)).status, (await logIn(NEXT)).status], [401, 200]);
  const entries = await listAuditEntries(fixture.database.sql, person.personGuid);
  assert.deepEqual(
    entries.map(({ actor, operation }) => [actor, operation]),
    [
      [`person:${operator.personGuid}`, 'backOffice.people.invite'],
      [`person:${person.personGuid}`, 'backOffice.invitations.accept'],
    ],
  );
  for (const secret of [token, NEXT, 'argon2']) {
    assert.ok(!JSON.stringify(entries).includes(secret));
  }
});

test('backOffice.invitations.accept 404: of many at once one is let in', async () => {
  const { personGuid } = await fixture.person('READ_ONLY');
  const token = await invite(personGuid);
  const answers = await Promise.all(Array.from({ length: 8 }, () => accept({ token })));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array(7).fill(404)]);
});

test('backOffice.people.roles.give 200: a link of somebody else dies', async () => {
  const ownGroup = { managementGroupGuid: fixture.own.managementGroupGuid };
  const administrator = await fixture.person('GROUP_ADMINISTRATOR', ownGroup);
  const added = await fixture.call('backOffice.people.create', {
    caller: administrator.caller,
    body: { email: 'rising@example.com', name: 'R', role: { role: 'READ_ONLY', ...ownGroup } },
  });
  const { personGuid } = added.body.person;
  const { token } = added.body.invitation;
  const give = (by: TestPerson, role: object) =>
    fixture.call('backOffice.people.roles.give', {
      caller: by.caller,
      params: { personGuid },
      body: role,
    });
  await give(operator, { role: 'READ_ONLY', ...ownGroup });
  await give(administrator, { role: 'READ_ONLY', restaurantGuid: fixture.own.guid });
  assert.equal((await inspect(token)).status, 200, 'nothing more than its maker has');
  const { body } = await give(operator, { role: 'OPERATOR' });
  assert.equal(body.invitedUntil, null);
  assert.equal((await accept({ token })).status, 404);
  assert.equal((await accept({ token: await invite(personGuid) })).status, 200);
});

test('backOffice.people.create 200: so does one from elsewhere', async () => {
  const person = await fixture.person('READ_ONLY', { restaurantGuid: fixture.own.guid });
  const administratorOf = ({ managementGroupGuid }: { readonly managementGroupGuid: string }) =>
    fixture.person('GROUP_ADMINISTRATOR', { managementGroupGuid });
  const [first, second] = [
    await administratorOf(fixture.own),
    await administratorOf(fixture.other),
  ];
  const invited = await fixture.call('backOffice.people.invite', {
    caller: first.caller,
    params: { personGuid: person.personGuid },
  });
  const role = { role: 'READ_ONLY', restaurantGuid: fixture.other.guid };
  const add = (existingAccount: boolean) =>
    fixture.call('backOffice.people.create', {
      caller: second.caller,
      body: { email: person.email, name: 'X', role, existingAccount },
    });
  const { token } = invited.body.invitation;
  assert.equal((await add(false)).status, 409);
  assert.equal((await inspect(token)).status, 200, 'what is refused ends no link');
  assert.equal((await add(true)).status, 200);
  assert.equal((await accept({ token })).status, 404);
});

test('backOffice.invitations 404: only the newest link opens, for a week', async () => {
  const { personGuid } = await fixture.person('READ_ONLY');
  const first = await invite(personGuid);
  const second = await invite(personGuid);
  assert.equal((await inspect(first)).status, 404);
  assert.equal((await accept({ token: first })).status, 404);
  fixture.clock.advance(7 * DAY_MS - 1);
  assert.equal((await inspect(second)).status, 200);
  fixture.clock.advance(1);
  assert.equal((await inspect(second)).status, 404);
  assert.equal((await accept({ token: second })).status, 404);
});

test('backOffice.invitations.accept 422: a weak password uses nothing up', async () => {
  const person = await fixture.person('READ_ONLY');
  const token = await invite(person.personGuid);
  for (const password of ['elevenchars', 'aaaaaaaaaaaaaaa', `I am ${person.email}`]) {
    const { status, body } = await accept({ token, password });
    assert.equal(status, 422);
    assert.match(body.message, /^password must /);
  }
  const all = await accept({ token, name: ' ', email: 'nobody', password: 'short', codes: '1' });
  assert.equal(all.status, 422);
  assert.deepEqual(
    all.body.errors.map(({ message }: { message: string }) => message.split(':')[0]),
    ['name', 'email', 'codes'],
  );
  assert.doesNotMatch(JSON.stringify(all.body), /short|\.\./);
  assert.equal((await accept({ token })).status, 200);
});

test('backOffice.invitations.accept 200 422: who has an app is asked for its code', async () => {
  const person = await fixture.person('READ_ONLY');
  const begun = await fixture.call('backOffice.me.totp.begin', {
    caller: person.caller,
    body: { password: PASSWORD },
  });
  const secret = Buffer.from(
    (begun.body.secret.match(/./g) ?? [])
      .map((letter: string) =>
        'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
      )
      .join('')
      .match(/.{8}/g)
      .map((octet: string) => Number.parseInt(octet, 2)),
  );
  const code = (steps = 0) => totpCode(secret, Math.floor(fixture.clock.nowMs() / 30_000) + steps);
  const wrongCode = () => {
    const right = [-1, 0, 1].map(code);
    return ['000000', '111111', '222222', '333333'].find((each) => !right.includes(each)) ?? '';
  };
  await fixture.call('backOffice.me.totp.confirm', {
    caller: person.caller,
    body: { code: code(), password: PASSWORD },
  });
  const token = await invite(person.personGuid);
  assert.equal((await inspect(token)).body.needsTotp, true);
  assert.equal((await accept({ token })).status, 422, 'a mailbox alone is not enough');
  assert.equal((await accept({ token, totpCode: wrongCode() })).status, 422);
  fixture.clock.advance(30_000);
  assert.equal((await accept({ token, totpCode: code() })).status, 200);
  const again = await invite(person.personGuid);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 12; attempt += 1) {
    statuses.push((await accept({ token: again, totpCode: wrongCode() })).status);
  }
  assert.deepEqual(statuses, [...Array(10).fill(422), 429, 429], 'codes are not tried out');
});

test('start: nobody can run the platform: one link is told, and makes an operator', async () => {
  const empty = await openPeopleFixture();
  try {
    const deps = { ...empty.deps, clock: empty.clock };
    const lines: string[] = [];
    const start = () =>
      announceFirstOperator(deps, 'https://platform.example', (line) => lines.push(line));
    const told = (await Promise.all([start(), start(), start()])).filter((text) => text !== '');
    assert.equal(told.length, 1, 'of processes that start at once one tells it');
    assert.equal(lines.length, 2);
    const url = 'https://platform.example/console/invitation#';
    const token = told[0]?.split(url)[1]?.trim() ?? '';
    assert.match(token, /^[\w-]{43}$/);
    assert.equal(await start(), '', 'it is not told again');
    const { body } = await inspect(token, empty);
    assert.deepEqual([body.email, body.choosesEmail], [null, true]);
    assert.equal((await accept({ token }, empty)).status, 422, 'the address is chosen too');
    const taken = await empty.person('READ_ONLY');
    assert.equal((await accept({ token, email: taken.email }, empty)).status, 422);
    const used = await accept({ token, email: 'First@Example.com', name: 'Ada' }, empty);
    assert.equal(used.status, 200);
    assert.equal(used.body.person.email, 'first@example.com');
    assert.equal(used.body.person.roles[0].role, 'OPERATOR');
    assert.equal(await start(), '');
    const all = await listAuditEntries(empty.database.sql);
    const entries = all.filter(({ operation }) => operation === 'start');
    assert.ok(entries.every(({ actor }) => actor === 'system:start'));
    assert.ok(!JSON.stringify(entries).includes(token));
  } finally {
    await empty.drop();
  }
});

test('start: a link that is over is told anew', async () => {
  const empty = await openPeopleFixture();
  try {
    const deps = { ...empty.deps, clock: empty.clock };
    const start = () => announceFirstOperator(deps, 'http://127.0.0.1', () => {});
    assert.notEqual(await start(), '');
    empty.clock.advance(7 * DAY_MS);
    assert.notEqual(await start(), '');
  } finally {
    await empty.drop();
  }
});

test('start: who has the machine makes a link, for the first operator or anybody', async () => {
  const empty = await openPeopleFixture();
  try {
    const deps = { ...empty.deps, clock: empty.clock };
    const origin = systemOrigin(deps, 'command-line', 'people link');
    const first = await makeLinkOnMachine(deps, { email: null }, origin);
    assert.equal(first.email, null);
    const second = await makeLinkOnMachine(deps, { email: null }, origin);
    assert.equal((await inspect(first.token.reveal(), empty)).status, 404, 'replaced');
    const body = { token: second.token.reveal(), email: 'first@example.com' };
    assert.equal((await accept(body, empty)).status, 200);
    const refused = (email: string | null) =>
      assert.rejects(makeLinkOnMachine(deps, { email }, origin), NoLink);
    await refused(null);
    await refused('nobody@example.com');
    const link = await makeLinkOnMachine(
      deps,
      { email: 'first@example.com', removesTotp: true },
      origin,
    );
    assert.equal(link.email, 'first@example.com');
    assert.equal((await accept({ token: link.token.reveal() }, empty)).status, 200);
  } finally {
    await empty.drop();
  }
});
