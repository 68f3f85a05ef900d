import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OperationId } from '@servery/contract';
import { errorClasses } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { forgetPeoplesPast } from '../../src/people/forget.ts';
import { findPersonOf } from '../../src/people/sessions.ts';
import { totpCode } from '../../src/people/totp.ts';
import { listAuditEntries } from '../audit/entry-rows-store.ts';
import { countWaiting } from '../database.ts';
import { openPeopleFixture, PASSWORD, type PeopleFixture, type TestPerson } from './fixture.ts';
import { countSessions } from './fixture-store.ts';

const HOUR_MS = 3_600_000;
const STEP_MS = 30_000;
const NEXT = 'another fine sentence';

let fixture: PeopleFixture;
before(async () => {
  fixture = await openPeopleFixture();
});
after(() => fixture.drop());

async function ask(by: TestPerson, id: OperationId, body?: unknown, params = {}) {
  const headers = { cookie: `backoffice_session=${by.session.token.reveal()}` };
  return await fixture.call(id, { caller: by.caller, body, params, headers });
}

async function logIn(email: string, more: object) {
  return await fixture.call('backOffice.sessions.begin', {
    body: { email, password: PASSWORD, ...more },
    address: newGuid(),
  });
}

const isLive = async (session: { token: { reveal(): string } }) =>
  (await findPersonOf(fixture.deps, session.token.reveal())) !== null;

function bytesOf(base32: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...base32].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
  const octets = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)));
}

/** The code that an app shows now, or `steps` half minutes later. */
function codeOf(secret: string, steps = 0): string {
  return totpCode(bytesOf(secret), Math.floor(fixture.clock.nowMs() / STEP_MS) + steps);
}

/** A code that is wrong, also half a minute before and after. */
function wrongCodeOf(secret: string): string {
  const right = [-1, 0, 1].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
}

const begin = (person: TestPerson, password = PASSWORD) =>
  ask(person, 'backOffice.me.totp.begin', { password });
const confirm = (person: TestPerson, code: string, password = PASSWORD) =>
  ask(person, 'backOffice.me.totp.confirm', { code, password });

/** A person with an authenticator app; gives its secret and the recovery codes. */
async function withApp(): Promise<{ person: TestPerson; secret: string; codes: string[] }> {
  const person = await fixture.person('OPERATOR');
  const { secret } = (await begin(person)).body;
  const confirmed = await confirm(person, codeOf(secret));
  assert.equal(confirmed.status, 200);
  return { person, secret, codes: confirmed.body.recoveryCodes };
}

test('backOffice.session.get 200: the session, its token, the person as he is', async () => {
  const person = await fixture.person('OPERATOR');
  const { status, body } = await ask(person, 'backOffice.session.get');
  assert.equal(status, 200);
  assert.equal(body.sessionGuid, person.session.guid);
  assert.equal(body.csrfToken, person.session.csrfToken);
  assert.equal(body.person.email, person.email);
});

test('backOffice.session.end 200: it opens no more, and the browser forgets it', async () => {
  const person = await fixture.person('OPERATOR');
  const { status, body, headers } = await ask(person, 'backOffice.session.end');
  assert.deepEqual([status, body.sessionGuid], [200, person.session.guid]);
  assert.match(headers['set-cookie'] ?? '', /^backoffice_session=; Path=\S+ Max-Age=0; HttpOnly/);
  assert.equal(await isLive(person.session), false);
  const entries = await listAuditEntries(fixture.database.sql, person.session.guid);
  assert.deepEqual(
    entries.map(({ subjectKind, operation }) => [subjectKind, operation]),
    [
      ['session', 'test'],
      ['session', 'backOffice.session.end'],
    ],
  );
});

test('backOffice.me.sessions 200 404: one sees and ends one’s own, and nobody else’s', async () => {
  const person = await fixture.person('OPERATOR');
  const stranger = await fixture.person('OPERATOR');
  fixture.clock.advance(60_000);
  const second = await fixture.session(person.personGuid);
  const { body } = await ask(person, 'backOffice.me.sessions.list');
  assert.deepEqual(
    body.map((each: { sessionGuid: string; isCurrent: boolean }) => [
      each.sessionGuid,
      each.isCurrent,
    ]),
    [
      [second.guid, false],
      [person.session.guid, true],
    ],
  );
  const end = (sessionGuid: string) =>
    ask(person, 'backOffice.me.sessions.end', undefined, { sessionGuid });
  for (const guid of [stranger.session.guid, newGuid(), 'x']) {
    assert.equal((await end(guid)).status, 404);
  }
  assert.ok(await isLive(stranger.session));
  assert.equal((await end(second.guid)).status, 200);
  assert.equal(await isLive(second), false);
  assert.ok(await isLive(person.session));
});

test('backOffice.people.sessions 200 403 404: of people who may do no more than oneself', async () => {
  const operator = await fixture.person('OPERATOR');
  const place = { managementGroupGuid: fixture.own.managementGroupGuid };
  const reader = await fixture.person('READ_ONLY', place);
  const administrator = await fixture.person('GROUP_ADMINISTRATOR', place);
  const list = (by: TestPerson, personGuid: string) =>
    ask(by, 'backOffice.people.sessions.list', undefined, { personGuid });
  const end = (by: TestPerson, personGuid: string, sessionGuid: string) =>
    ask(by, 'backOffice.people.sessions.end', undefined, { personGuid, sessionGuid });
  const { body } = await list(operator, reader.personGuid);
  assert.deepEqual(
    body.map((each: { sessionGuid: string; isCurrent: boolean }) => [
      each.sessionGuid,
      each.isCurrent,
    ]),
    [[reader.session.guid, false]],
  );
  assert.equal((await list(administrator, operator.personGuid)).status, 404);
  const { personGuid } = operator;
  const role = { role: 'READ_ONLY', ...place };
  assert.equal(
    (await ask(operator, 'backOffice.people.roles.give', role, { personGuid })).status,
    200,
  );
  assert.equal((await list(administrator, operator.personGuid)).status, 403);
  const stolen = await end(administrator, operator.personGuid, operator.session.guid);
  assert.equal(stolen.status, 403);
  const other = await end(operator, administrator.personGuid, reader.session.guid);
  assert.equal(other.status, 404, 'the session of somebody else');
  assert.ok(await isLive(operator.session));
  assert.ok(await isLive(reader.session));
  assert.equal((await end(operator, reader.personGuid, reader.session.guid)).status, 200);
  assert.equal(await isLive(reader.session), false);
  const entries = await listAuditEntries(fixture.database.sql, reader.session.guid);
  assert.equal(entries.at(-1)?.actor, `person:${operator.personGuid}`);
});

test('start: a session ends after 12 idle hours and after a week, and is forgotten', async () => {
  const idle = await fixture.person('OPERATOR');
  fixture.clock.advance(12 * HOUR_MS - 1);
  assert.ok(await isLive(idle.session), 'it was used just before');
  fixture.clock.advance(12 * HOUR_MS);
  assert.equal(await isLive(idle.session), false);
  const busy = await fixture.person('OPERATOR');
  for (let hour = 0; hour < 7 * 24; hour += 6) {
    assert.ok(await isLive(busy.session), `hour ${hour}`);
    fixture.clock.advance(6 * HOUR_MS);
  }
  assert.equal(await isLive(busy.session), false);
  assert.ok((await countSessions(fixture.database.sql)) >= 2);
  await forgetPeoplesPast(fixture.deps);
  const kept = await fixture.person('OPERATOR');
  await forgetPeoplesPast(fixture.deps);
  assert.equal(await countSessions(fixture.database.sql), 1);
  assert.ok(await isLive(kept.session));
});

test('backOffice.me.password.change 200: other sessions end, the own one goes on', async () => {
  const person = await fixture.person('OPERATOR');
  const second = await fixture.session(person.personGuid);
  fixture.clock.advance(1_000);
  const { status } = await ask(person, 'backOffice.me.password.change', {
    currentPassword: PASSWORD,
    newPassword: NEXT,
  });
  assert.equal(status, 200);
  assert.deepEqual([await isLive(second), await isLive(person.session)], [false, true]);
  assert.equal((await logIn(person.email, {})).status, 401);
  assert.equal((await logIn(person.email, { password: NEXT })).status, 200);
  const [entry] = await listAuditEntries(fixture.database.sql, person.personGuid);
  assert.equal(entry?.operation, 'backOffice.me.password.change');
  assert.doesNotMatch(JSON.stringify(entry), /argon2|sentence/);
});

test('backOffice.me.password.change 403 422: the present one, and none that is weak', async () => {
  const person = await fixture.person('OPERATOR');
  const change = (currentPassword: string, newPassword: string) =>
    ask(person, 'backOffice.me.password.change', { currentPassword, newPassword });
  assert.equal((await change('not mine at all', NEXT)).status, 403);
  assert.equal((await change(PASSWORD, 'short')).status, 422);
  assert.equal((await change(PASSWORD, PASSWORD)).status, 422);
  assert.equal((await change(PASSWORD, `I am ${person.email}`)).status, 422);
  assert.equal((await logIn(person.email, {})).status, 200, 'the password stays');
});

test('backOffice.me.password.change 429: a session alone tries out no passwords', async () => {
  const person = await fixture.person('OPERATOR');
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const body = { currentPassword: 'not mine at all', newPassword: NEXT };
    statuses.push((await ask(person, 'backOffice.me.password.change', body)).status);
  }
  assert.deepEqual([statuses[18], statuses[19]], [403, 429]);
  const remove = await ask(person, 'backOffice.me.totp.remove', { password: 'not mine' });
  assert.equal(remove.status, 429);
});

test('backOffice.me.totp 200: an app is begun, confirmed, and asked for from then on', async () => {
  const { person, secret, codes } = await withApp();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  const missing = await logIn(person.email, {});
  assert.equal(missing.status, 401);
  assert.equal(missing.body.code, errorClasses.secondFactorRequired.code, 'programs ask for it');
  assert.match(missing.body.message, /totpCode/);
  const wrongPassword = await logIn(person.email, { password: 'not the one at all' });
  assert.doesNotMatch(wrongPassword.body.message, /totpCode/);
  const wrong = await logIn(person.email, { totpCode: wrongCodeOf(secret) });
  assert.deepEqual([wrong.status, wrong.body.code], [401, errorClasses.unauthorized.code]);
  assert.equal((await logIn(person.email, { totpCode: codeOf(secret) })).status, 401, 'used');
  fixture.clock.advance(STEP_MS);
  const totpCode = codeOf(secret);
  const { status, body } = await logIn(person.email, { totpCode });
  assert.deepEqual([status, body.person.hasTotp], [200, true]);
  assert.equal((await logIn(person.email, { totpCode })).status, 401, 'a code counts once');
});

const DAY_MS = 24 * HOUR_MS;
const WRONG_A_DAY = 10;

/** Logs in from an address that nobody used before; what did not get in is its status. */
async function guess(email: string, totpCode: string, more: { cookie?: string } = {}) {
  const { status, headers, body } = await fixture.call('backOffice.sessions.begin', {
    body: { email, password: PASSWORD, totpCode },
    address: newAddress(),
    ...(more.cookie !== undefined && { headers: { cookie: more.cookie } }),
  });
  return { status, headers, message: body.message as string };
}

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

test('backOffice.sessions.begin 429: wrong codes are ten a day, from any addresses', async () => {
  const { person, secret, codes } = await withApp();
  const { email } = person;
  let judged = 0;
  // Two days of an attacker who has the password and as many addresses as there are requests.
  for (let day = 1; day <= 2; day += 1) {
    const tried = await Promise.all(
      Array.from({ length: 20 }, () => guess(email, wrongCodeOf(secret))),
    );
    for (let hour = 0; hour < 23; hour += 1) {
      fixture.clock.advance(HOUR_MS);
      await forgetPeoplesPast(fixture.deps);
      tried.push(await guess(email, wrongCodeOf(secret)));
    }
    judged += tried.filter(({ status }) => status === 401).length;
    assert.ok(tried.every(({ status }) => status === 401 || status === 429));
    assert.ok(judged <= day * WRONG_A_DAY, `${judged} guesses were judged by day ${day}`);
    // Nor does one of the app that is right get in meanwhile.
    fixture.clock.advance(STEP_MS);
    const { status, headers, message } = await guess(email, codeOf(secret));
    assert.equal(status, 429);
    assert.match(
      message,
      /refused until 20.* recovery code.* people link .*--remove-totp.* change/,
    );
    assert.ok(Number(headers['retry-after']) <= HOUR_MS / 1_000);
    const recovered = await guess(email, codes[day]?.toLowerCase() ?? '');
    assert.equal(recovered.status, 200, 'nobody can guess a recovery code: it lets the owner in');
    assert.equal((await guess(email, codes[day] ?? '')).status, 401, 'once');
    fixture.clock.advance(HOUR_MS - STEP_MS);
  }
  assert.ok(judged >= 2 * (WRONG_A_DAY - 1), 'a person that mistypes has some attempts each day');
  assert.equal((await guess(email, codeOf(secret))).status, 200, 'a day later its owner is in');
});

test('backOffice.sessions.begin 429: one mark of a device has one count of codes', async () => {
  const { person, secret } = await withApp();
  const { email } = person;
  fixture.clock.advance(STEP_MS);
  const first = await guess(email, codeOf(secret));
  const cookie = (first.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  let judged = 0;
  for (let time = 0; time < 2 * WRONG_A_DAY; time += 1) {
    const { status } = await guess(email, wrongCodeOf(secret), { cookie: `${cookie}~${time}` });
    if (status === 401) judged += 1;
  }
  assert.ok(judged <= WRONG_A_DAY, `${judged} wrong codes were judged`);
});

test('backOffice.me.totp.confirm 200: marks from before the app have no codes', async () => {
  const person = await fixture.person('OPERATOR');
  const { email } = person;
  const gathered: string[] = [];
  for (let time = 0; time < 3; time += 1) {
    const { headers } = await logIn(email, {});
    gathered.push((headers['set-cookie'] ?? '').split(';')[0] ?? '');
  }
  const { secret } = (await begin(person)).body;
  const confirmed = await confirm(person, codeOf(secret));
  const own = (confirmed.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  assert.equal(own.split(/[=.]/)[1], person.session.token.reveal(), 'the session goes on');
  let judged = 0;
  for (const cookie of gathered) {
    for (let time = 0; time < WRONG_A_DAY; time += 1) {
      if ((await guess(email, wrongCodeOf(secret), { cookie })).status === 401) judged += 1;
    }
  }
  assert.equal(judged, WRONG_A_DAY, 'they are all strangers');
  fixture.clock.advance(STEP_MS);
  assert.equal((await guess(email, codeOf(secret))).status, 429);
  const known = await guess(email, codeOf(secret), { cookie: own });
  assert.equal(known.status, 200, 'the browser that confirmed the app is known');
  const removed = await ask(person, 'backOffice.me.totp.remove', { password: PASSWORD });
  const [mark] = (removed.headers['set-cookie'] ?? '').split(';');
  const again = await fixture.call('backOffice.sessions.begin', {
    body: { email, password: PASSWORD },
    headers: { cookie: mark ?? '' },
    address: newAddress(),
  });
  const kept = [mark, again.headers['set-cookie']?.split(';')[0]].map((one) => one?.split('.')[1]);
  assert.equal(kept[0], kept[1], 'and stays the same one when it removes the app');
});

test('backOffice.sessions.begin 401: the day of wrong codes begins at a wrong one', async () => {
  const { person, secret } = await withApp();
  const { email } = person;
  fixture.clock.advance(STEP_MS);
  assert.equal((await guess(email, codeOf(secret))).status, 200);
  fixture.clock.advance(HOUR_MS);
  const statuses: number[] = [];
  let waitSeconds = 0;
  for (let time = 0; time <= WRONG_A_DAY; time += 1) {
    const { status, headers } = await guess(email, wrongCodeOf(secret));
    statuses.push(status);
    waitSeconds = Number(headers['retry-after']);
  }
  assert.deepEqual(statuses, [...Array(WRONG_A_DAY).fill(401), 429]);
  assert.equal(waitSeconds, DAY_MS / 1_000);
});

test('backOffice.sessions.begin 200: a right code gives no guesses back', async () => {
  const { person, secret } = await withApp();
  let judged = 0;
  for (let round = 0; round < 6; round += 1) {
    for (let time = 0; time < 4; time += 1) {
      if ((await guess(person.email, wrongCodeOf(secret))).status === 401) judged += 1;
    }
    fixture.clock.advance(STEP_MS);
    await guess(person.email, codeOf(secret));
  }
  assert.ok(judged <= WRONG_A_DAY, `${judged} wrong codes were judged`);
});

test('backOffice.sessions.begin 200: guesses lock out no browser of the owner', async () => {
  const { person, secret } = await withApp();
  const { email } = person;
  fixture.clock.advance(STEP_MS);
  const first = await guess(email, codeOf(secret));
  const cookie = (first.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  for (let time = 0; time < 12; time += 1) await guess(email, wrongCodeOf(secret));
  fixture.clock.advance(STEP_MS);
  assert.equal((await guess(email, codeOf(secret))).status, 429);
  assert.equal((await guess(email, codeOf(secret), { cookie })).status, 200, 'known before');
  const judged: number[] = [];
  for (let time = 0; time < 12; time += 1) {
    judged.push((await guess(email, wrongCodeOf(secret), { cookie })).status);
  }
  assert.ok(judged.filter((status) => status === 401).length <= WRONG_A_DAY, 'nor for ever');
});

test('backOffice.sessions.begin 200: who lacks the password uses up no codes', async () => {
  const { person, secret } = await withApp();
  const { email } = person;
  for (let time = 0; time < 2 * WRONG_A_DAY; time += 1) {
    const body = { email, password: 'not the one', totpCode: wrongCodeOf(secret) };
    const answer = await fixture.call('backOffice.sessions.begin', { body, address: newAddress() });
    assert.equal(answer.status, 401);
  }
  fixture.clock.advance(STEP_MS);
  assert.equal((await guess(email, codeOf(secret))).status, 200);
});

test('backOffice.me.password.change 200: it ends a lock of codes, and open links', async () => {
  const { person, secret } = await withApp();
  const { email, personGuid } = person;
  const invited = await fixture.call('backOffice.people.invite', {
    principal: fixture.machine,
    params: { personGuid },
  });
  const { token } = invited.body.invitation;
  for (let time = 0; time < 12; time += 1) {
    // A link asks for the code too, and counts with the log-ins.
    const body = { token, name: 'Ada', password: NEXT, totpCode: wrongCodeOf(secret) };
    await fixture.call('backOffice.invitations.accept', { body, address: newAddress() });
  }
  fixture.clock.advance(STEP_MS);
  assert.equal((await guess(email, codeOf(secret))).status, 429);
  const changed = await ask(person, 'backOffice.me.password.change', {
    currentPassword: PASSWORD,
    newPassword: NEXT,
  });
  assert.equal(changed.status, 200);
  const next = { email, password: NEXT, totpCode: codeOf(secret) };
  const answer = await fixture.call('backOffice.sessions.begin', {
    body: next,
    address: newAddress(),
  });
  assert.equal(answer.status, 200, 'an attacker does not know the new password');
  const inspected = await fixture.call('backOffice.invitations.inspect', { body: { token } });
  assert.equal(inspected.status, 404);
});

test('backOffice.me.totp.confirm 429: a first code is not tried out either', async () => {
  const person = await fixture.person('OPERATOR');
  const { secret } = (await begin(person)).body;
  const statuses: number[] = [];
  for (let time = 0; time < 12; time += 1) {
    statuses.push((await confirm(person, wrongCodeOf(secret))).status);
  }
  assert.deepEqual(statuses, [...Array(WRONG_A_DAY).fill(422), 429, 429]);
  fixture.clock.advance(DAY_MS);
  assert.equal((await confirm(person, codeOf(secret))).status, 200, 'a day later');
});

test('backOffice.me.totp 200: a code that is sent many times at once opens once', async () => {
  const { person, secret, codes } = await withApp();
  fixture.clock.advance(STEP_MS);
  const oneOf = async (totpCode: string | undefined) => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => logIn(person.email, { totpCode })),
    );
    return answers.filter(({ status }) => status === 200).length;
  };
  assert.equal(await oneOf(codeOf(secret)), 1);
  assert.equal(await oneOf(codes[0]), 1);
  assert.equal((await logIn(person.email, { totpCode: codes[1]?.toLowerCase() })).status, 200);
});

test('backOffice.me.totp.confirm 200: other sessions end; no entry holds a secret', async () => {
  const person = await fixture.person('OPERATOR');
  const second = await fixture.session(person.personGuid);
  const { secret, uri } = (await begin(person)).body;
  assert.match(uri, new RegExp(`^otpauth://totp/Platform:.*secret=${secret}&issuer=Platform$`));
  const begun = await begin(person);
  assert.equal(begun.status, 200, 'until it is confirmed, it may be begun anew');
  const old = await confirm(person, codeOf(secret));
  assert.equal(old.status, 422, 'the secret of before is no more');
  const confirmed = await confirm(person, codeOf(begun.body.secret));
  assert.equal(confirmed.status, 200);
  assert.deepEqual([await isLive(second), await isLive(person.session)], [false, true]);
  const [entry] = await listAuditEntries(fixture.database.sql, person.personGuid);
  assert.deepEqual([entry?.before?.hasTotp, entry?.after?.hasTotp], [false, true]);
  const secrets = [begun.body.secret, ...confirmed.body.recoveryCodes];
  for (const each of secrets) assert.ok(!JSON.stringify(entry).includes(each));
});

test('backOffice.me.totp 409: what was not begun, and what is there already', async () => {
  const person = await fixture.person('OPERATOR');
  assert.equal((await confirm(person, '123456')).status, 409);
  const { person: other } = await withApp();
  assert.equal((await begin(other)).status, 409);
  assert.equal((await confirm(other, '123456')).status, 409);
});

test('backOffice.me.totp 400 403 429: a session alone locks nobody out by an app', async () => {
  const person = await fixture.person('OPERATOR');
  assert.equal((await ask(person, 'backOffice.me.totp.begin', {})).status, 400);
  assert.equal((await ask(person, 'backOffice.me.totp.confirm', { code: '123456' })).status, 400);
  const wrong = await begin(person, 'not mine at all');
  assert.equal(wrong.status, 403);
  assert.match(wrong.body.message, /^password is wrong: no app was begun\. Send the password that/);
  const early = await confirm(person, '123456', 'not mine at all');
  assert.equal(early.status, 403, 'not even whether one was begun is told');
  const { secret } = (await begin(person)).body;
  assert.equal((await confirm(person, codeOf(secret), 'not mine at all')).status, 403);
  const { body } = await logIn(person.email, {});
  assert.equal(body.person.hasTotp, false, 'logging in asks for no code');
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 19; attempt += 1) {
    statuses.push((await begin(person, 'not mine at all')).status);
  }
  assert.deepEqual([statuses[17], statuses[18]], [403, 429], 'passwords are not tried out');
});

test('backOffice.me.totp.remove 200 403: with the password, and the codes go too', async () => {
  const { person, codes } = await withApp();
  assert.equal((await ask(person, 'backOffice.me.totp.remove', { password: 'no' })).status, 403);
  const removed = await ask(person, 'backOffice.me.totp.remove', { password: PASSWORD });
  assert.deepEqual([removed.status, removed.body.hasTotp], [200, false]);
  assert.equal((await logIn(person.email, {})).status, 200);
  const { secret } = (await begin(person)).body;
  fixture.clock.advance(STEP_MS);
  await confirm(person, codeOf(secret));
  assert.equal((await logIn(person.email, { totpCode: codes[0] })).status, 401);
});

test('backOffice.people.removeTotp 200: for a person who lost the telephone and the codes', async () => {
  const { person } = await withApp();
  const operator = await fixture.person('OPERATOR');
  const params = { personGuid: person.personGuid };
  const { status, body } = await fixture.call('backOffice.people.removeTotp', {
    caller: operator.caller,
    params,
  });
  assert.deepEqual([status, body.hasTotp], [200, false]);
  assert.equal(await isLive(person.session), false);
  assert.equal((await logIn(person.email, {})).status, 200);
});

test('backOffice.me 401: a session that ended meanwhile changes nothing', async () => {
  const person = await fixture.person('OPERATOR');
  const { secret } = (await begin(person)).body;
  const { sql } = fixture.database;
  // Whoever learnt the password waits with his changes while its owner ends that session.
  const { begun } = await fixture.database.transaction(async (tx) => {
    await tx`select from person where guid = ${person.personGuid} for update`;
    const change = { currentPassword: PASSWORD, newPassword: NEXT };
    const changes = [
      ask(person, 'backOffice.me.password.change', change),
      confirm(person, codeOf(secret)),
      ask(person, 'backOffice.me.totp.remove', { password: PASSWORD }),
    ];
    while ((await countWaiting(sql)) < changes.length);
    await tx`delete from person_session where person_guid = ${person.personGuid}`;
    return { begun: changes };
  });
  const answers = await Promise.all(begun);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 401],
  );
  assert.equal((await logIn(person.email, {})).status, 200);
});
