import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updatePassword } from '../../src/people/credential-store.ts';
import { forgetPeoplesPast } from '../../src/people/forget.ts';
import { officePeopleHandlers } from '../../src/people/office/handlers.ts';
import { hashPassword } from '../../src/people/password.ts';
import { forgiveAttempts, slowDown } from '../../src/people/slow-down.ts';
import { callOperation } from '../request.ts';
import { openPeopleFixture, PASSWORD, type PeopleFixture } from './fixture.ts';
import { countAttempts } from './fixture-store.ts';

const MINUTE_MS = 60_000;
const WRONG = 'this is not the one';

let fixture: PeopleFixture;
before(async () => {
  fixture = await openPeopleFixture();
});
after(() => fixture.drop());

async function logIn(email: string, password: string, address = '203.0.113.1', cookie = '') {
  return await fixture.call('backOffice.sessions.begin', {
    ...{ body: { email, password }, address },
    ...(cookie !== '' && { headers: { cookie } }),
  });
}

/** What a browser keeps of an answer. */
function cookieOf({ headers }: { headers: Readonly<Record<string, string>> }): string {
  return (headers['set-cookie'] ?? '').split(';')[0] ?? '';
}

/** What attempts had to wait since the last look. */
function waited(): number[] {
  return fixture.pauses.splice(0);
}

test('backOffice.sessions.begin 200: a password opens, however one writes', async () => {
  const { email, personGuid } = await fixture.person('OPERATOR');
  const { status, body, headers } = await logIn(` ${email.toUpperCase()} `, PASSWORD);
  assert.equal(status, 200);
  assert.equal(body.person.personGuid, personGuid);
  assert.deepEqual(
    body.person.roles.map(({ role }: { role: string }) => role),
    ['OPERATOR'],
  );
  const [first = '', ...attributes] = (headers['set-cookie'] ?? '').split('; ');
  assert.match(first, /^backoffice_session=[\w-]{43}\.[\w-]{12}~[\w-]{43}$/);
  assert.deepEqual(attributes, [
    'Path=/backoffice/v1',
    'Max-Age=31536000',
    'HttpOnly',
    'SameSite=Strict',
  ]);
  const token = first.split(/[=.]/)[1] ?? '';
  assert.ok(!JSON.stringify(body).includes(token), 'what opens is in the cookie alone');
});

test('backOffice.sessions.begin 401: whatever is wrong, the words are the same', async () => {
  const { email } = await fixture.person('OPERATOR');
  const left = await fixture.person('READ_ONLY');
  await fixture.call('backOffice.people.deactivate', {
    principal: fixture.machine,
    params: { personGuid: left.personGuid },
  });
  const answers = [
    await logIn(email, WRONG),
    await logIn('nobody@example.com', PASSWORD),
    await logIn('no address at all', PASSWORD),
    await logIn(left.email, PASSWORD),
  ];
  for (const { status, body } of answers) {
    assert.equal(status, 401);
    assert.equal(body.message, answers[0]?.body.message);
  }
});

test('backOffice.sessions.begin 422: an unknown field is told, and no value', async () => {
  const { email } = await fixture.person('OPERATOR');
  const { status, body } = await fixture.call('backOffice.sessions.begin', {
    ...{ body: { email, password: PASSWORD, code: '123456' }, address: '203.0.113.1' },
  });
  assert.equal(status, 422);
  assert.match(body.message, /^code is no field here; remove it\. Known are .*totpCode\.$/);
  for (const sent of [email, PASSWORD, '123456']) assert.ok(!JSON.stringify(body).includes(sent));
});

test('backOffice.sessions.begin: an account that is not there costs the same work', async () => {
  const { email, personGuid: guid } = await fixture.person('OPERATOR');
  const hashed = {
    passwordHash: await hashPassword(PASSWORD),
    now: new Date(fixture.clock.nowMs()),
  };
  await updatePassword(fixture.database.sql, guid, hashed);
  let attempts = 0;
  const costOf = async (account: string) => {
    attempts += 1;
    const began = process.cpuUsage();
    await logIn(account, WRONG, `192.0.2.${attempts}`);
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const areAlike = () => unknown < known * 3 && known < unknown * 3;
  // The least of several attempts is the hash that each compares: all else, such as what the host
  // took away meanwhile, only adds to it.
  for (let turn = 1; turn <= 3 || (turn <= 30 && !areAlike()); turn += 1) {
    known = Math.min(known, await costOf(email));
    unknown = Math.min(unknown, await costOf('nobody.else@example.com'));
  }
  assert.ok(areAlike(), `${known} µs, unknown ${unknown} µs`);
  waited();
});

test('backOffice.sessions.begin 429: guessing from one address gets slow, then ends', async () => {
  const { email } = await fixture.person('OPERATOR');
  waited();
  const statuses: number[] = [];
  for (let attempt = 1; attempt <= 21; attempt += 1) {
    statuses.push((await logIn(email, WRONG, '203.0.113.3')).status);
  }
  assert.deepEqual(statuses.slice(0, 19), Array(19).fill(401));
  assert.deepEqual(statuses.slice(19), [429, 429]);
  assert.deepEqual(waited().slice(0, 7), [500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000]);
  const refused = await logIn(email, PASSWORD, '203.0.113.3');
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '900']);
  const elsewhere = await logIn(email, PASSWORD, '203.0.113.4');
  assert.equal(elsewhere.status, 200, 'its owner comes from elsewhere');
  assert.ok(waited().every((waitMs) => waitMs <= 2_000));
});

test('backOffice.sessions.begin 200: a browser that was in before gets in meanwhile', async () => {
  const { email } = await fixture.person('OPERATOR');
  const other = await fixture.person('OPERATOR');
  const address = '203.0.113.11';
  const cookie = cookieOf(await logIn(email, PASSWORD, address));
  const stranger = cookieOf(await logIn(other.email, PASSWORD, address));
  for (let attempt = 0; attempt < 25; attempt += 1) await logIn(email, WRONG, address);
  assert.equal((await logIn(email, PASSWORD, address)).status, 429);
  const foreign = await logIn(email, PASSWORD, address, stranger);
  assert.equal(foreign.status, 429, 'not of this account');
  waited();
  const known = await logIn(email, PASSWORD, address, cookie);
  assert.deepEqual([known.status, waited()], [200, []], 'at once');
  const marks = [cookie, cookieOf(known)].map((each) => each.split('.')[1]);
  assert.equal(marks[0], marks[1], 'it stays the same browser');
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 20; attempt += 1) {
    statuses.push((await logIn(email, WRONG, address, cookie)).status);
  }
  assert.deepEqual([statuses[18], statuses[19]], [401, 429], 'nor may it guess without end');
});

test('backOffice.sessions.begin 429: a new password makes other browsers strangers', async () => {
  const person = await fixture.person('OPERATOR');
  const { email } = person;
  const address = '203.0.113.12';
  const stolen = cookieOf(await logIn(email, PASSWORD, address));
  const headers = { cookie: `backoffice_session=${person.session.token.reveal()}` };
  fixture.clock.advance(1_000);
  const next = 'another fine sentence';
  const changed = await fixture.call('backOffice.me.password.change', {
    ...{ caller: person.caller, headers, body: { currentPassword: PASSWORD, newPassword: next } },
  });
  const own = cookieOf(changed);
  assert.equal(own.split(/[=.]/)[1], person.session.token.reveal(), 'the session goes on');
  for (let attempt = 0; attempt < 25; attempt += 1) await logIn(email, WRONG, address);
  assert.equal((await logIn(email, next, address, stolen)).status, 429, 'one of the strangers');
  waited();
  const known = await logIn(email, next, address, own);
  assert.deepEqual([known.status, waited()], [200, []], 'the one that changed it is known');
});

test('backOffice.sessions.begin 200: what is over is over, however much was tried', async () => {
  const { email } = await fixture.person('OPERATOR');
  for (let minute = 0; minute < 15; minute += 1) {
    for (const _ of [1, 2]) await logIn(email, WRONG, '203.0.113.5');
    fixture.clock.advance(MINUTE_MS);
  }
  const { status } = await logIn(email, PASSWORD, '203.0.113.5');
  assert.equal(status, 200, 'a quarter of an hour after the first attempt, not the last');
});

test('backOffice.sessions.begin 200: a mistyped password is forgiven', async () => {
  const { email } = await fixture.person('OPERATOR');
  for (let round = 0; round < 3; round += 1) {
    waited();
    for (const _ of [1, 2]) await logIn(email, WRONG, '203.0.113.6');
    assert.equal((await logIn(email, PASSWORD, '203.0.113.6')).status, 200);
    assert.ok(
      waited().every((waitMs) => waitMs <= 250),
      'each round is the first one here',
    );
  }
});

test('backOffice.sessions.begin 429: guesses at once count each other', async () => {
  const { email } = await fixture.person('OPERATOR');
  waited();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => logIn(email, WRONG, '203.0.113.7')),
  );
  const judged = answers.filter(({ status }) => status === 401);
  assert.equal(judged.length, 19);
  // The three that were free here are slowed by the account where the others overtook them, for
  // two seconds at most: what is longer was counted here alone.
  const waits = waited().sort((one, other) => one - other);
  assert.ok(waits.length >= 16, `three were free: ${waits}`);
  assert.deepEqual(waits.slice(-13), [4_000, 8_000, ...Array(11).fill(16_000)]);
});

test('backOffice.sessions.begin 401: from many addresses it gets slow, no more', async () => {
  const { email } = await fixture.person('OPERATOR');
  waited();
  for (let host = 1; host <= 40; host += 1) await logIn(email, WRONG, `198.51.100.${host}`);
  const waits = waited();
  assert.equal(waits.length, 30);
  assert.equal(Math.max(...waits), 2_000);
  assert.equal((await logIn(email, PASSWORD, '198.51.100.99')).status, 200);
  assert.deepEqual(waited(), [2_000]);
});

test('backOffice.sessions.begin 429: guessing at many accounts from one address ends', async () => {
  const { email } = await fixture.person('OPERATOR');
  const address = '203.0.113.20';
  const cookie = cookieOf(await logIn(email, PASSWORD, address));
  const attemptAt = (name: string) => ({ email: `${name}@example.com`, address, known: null });
  // The counting alone, for what takes time is the hash that comes after it.
  for (let round = 0; round < 40; round += 1) {
    await slowDown(fixture.deps, attemptAt('right'));
    await forgiveAttempts(fixture.deps, attemptAt('right'));
  }
  waited();
  const outcomes: string[] = [];
  for (let guess = 1; guess <= 201; guess += 1) {
    const judged = slowDown(fixture.deps, attemptAt(`guess${guess}`)).then(() => 'judged');
    outcomes.push(await judged.catch(({ errorClass }) => errorClass));
  }
  const waits = waited();
  assert.deepEqual(
    [waits.length, waits[0], waits.at(-1)],
    [169, 250, 4_000],
    'right ones do not count',
  );
  assert.deepEqual(outcomes.slice(198), ['judged', ...Array(2).fill('tooManyRequests')]);
  assert.equal((await logIn(email, PASSWORD, address)).status, 429);
  assert.equal((await logIn(email, PASSWORD, address, cookie)).status, 200, 'known here');
  assert.equal((await logIn(email, PASSWORD, '203.0.113.21')).status, 200, 'from elsewhere');
});

test('backOffice.sessions.begin 429: the addresses of one IPv6 network are one', async () => {
  const { email } = await fixture.person('OPERATOR');
  const statuses: number[] = [];
  for (let host = 1; host <= 20; host += 1) {
    statuses.push((await logIn(email, WRONG, `2001:db8:1:2::${host}`)).status);
  }
  assert.equal(statuses.at(-1), 429);
  assert.equal((await logIn(email, PASSWORD, '2001:db8:1:3::1')).status, 200);
});

test('backOffice.sessions.begin 401: a password changed meanwhile opens nothing', async () => {
  const person = await fixture.person('OPERATOR');
  // The last operator could not be deactivated.
  await fixture.person('OPERATOR');
  const { database } = fixture.deps;
  const meanwhile = async (work: () => Promise<unknown>) => {
    const handlers = officePeopleHandlers({
      ...fixture.deps,
      database: {
        ...database,
        transaction: async (run, options) => {
          await work();
          return await database.transaction(run, options);
        },
      },
    });
    const body = { email: person.email, password: PASSWORD };
    return (await callOperation(handlers, 'backOffice.sessions.begin', { body })).status;
  };
  const change = (currentPassword: string, newPassword: string) =>
    fixture.call('backOffice.me.password.change', {
      caller: person.caller,
      body: { currentPassword, newPassword },
    });
  const next = 'another fine sentence';
  assert.equal(await meanwhile(() => change(PASSWORD, next)), 401);
  await change(next, PASSWORD);
  assert.equal(await meanwhile(async () => {}), 200);
  const operation = (id: 'deactivate' | 'reactivate') =>
    fixture.call(`backOffice.people.${id}`, {
      principal: fixture.machine,
      params: { personGuid: person.personGuid },
    });
  assert.equal(await meanwhile(() => operation('deactivate')), 401);
});

test('backOffice.sessions.begin 401: an account that is not there is slowed too', async () => {
  waited();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await logIn('not.there@example.com', WRONG, '203.0.113.8');
  }
  assert.deepEqual(waited(), [500, 1_000]);
});

test('backOffice.sessions.begin 400 422: what is missing or wrong is told', async () => {
  const cases = [
    [{}, 400],
    [{ email: 'ada@example.com' }, 400],
    [[], 422],
    [{ email: 'ada@example.com', password: '' }, 422],
    [{ email: 'ada@example.com', password: 'x'.repeat(1_001) }, 422],
    [{ email: 'ada@example.com', password: 'x', totpCode: 7 }, 422],
  ] as const;
  for (const [body, status] of cases) {
    const answer = await fixture.call('backOffice.sessions.begin', { body });
    assert.equal(answer.status, status, JSON.stringify(body).slice(0, 80));
  }
});

test('start: attempts that count no more are forgotten', async () => {
  await logIn('forgotten@example.com', WRONG, '203.0.113.9');
  assert.ok((await countAttempts(fixture.database.sql)) > 0);
  fixture.clock.advance(16 * MINUTE_MS);
  await forgetPeoplesPast(fixture.deps);
  assert.equal(await countAttempts(fixture.database.sql), 0);
});

test('backOffice.sessions.begin 503: a server that stops judges nobody who waits', async () => {
  const { email } = await fixture.person('OPERATOR');
  const stopping = { ...fixture.deps, pause: () => Promise.reject(new Error('stopping')) };
  const handlers = officePeopleHandlers(stopping);
  const body = { email, password: PASSWORD };
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const wrong = { body: { ...body, password: WRONG }, address: '203.0.113.10' };
    statuses.push((await callOperation(handlers, 'backOffice.sessions.begin', wrong)).status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 503]);
});
