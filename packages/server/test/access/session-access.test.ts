import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readSessionCookie, sessionCookie } from '../../src/people/session-cookie.ts';
import { findPersonOf } from '../../src/people/sessions.ts';
import { makePerson } from './callers.ts';
import { type AccessFixture, openAccessFixture } from './fixture.ts';

let fixture: AccessFixture;
before(async () => {
  fixture = await openAccessFixture();
});
after(() => fixture.close());

const platform = { kind: 'platform', guid: null } as const;
const PEOPLE = '/backoffice/v1/people';
const SESSION = '/backoffice/v1/session';

async function newSession(): Promise<{ cookie: string; 'x-csrf-token': string }> {
  const person = await makePerson(fixture.deps, 'OPERATOR', platform);
  return (await person.newHeaders()) as { cookie: string; 'x-csrf-token': string };
}

const send = (path: string, headers: Record<string, string>, method = 'GET', body?: object) =>
  fixture.send({ method, path, headers, body });

test('backOffice.people.create 403: what changes something repeats the CSRF token', async () => {
  const { cookie, 'x-csrf-token': token } = await newSession();
  const other = await newSession();
  const create = (headers: Record<string, string>) =>
    send(PEOPLE, { cookie, ...headers }, 'POST', {});
  const missing = await create({});
  assert.equal(missing.status, 403);
  assert.match(missing.message, /The header X-CSRF-Token is missing: send the csrfToken/);
  for (const wrong of ['', 'x', other['x-csrf-token'], `${token}x`]) {
    const refused = await create({ 'x-csrf-token': wrong });
    assert.equal(refused.status, 403);
    assert.match(refused.message, /X-CSRF-Token is not this session's/);
  }
  assert.equal((await create({ 'x-csrf-token': token })).status, 400, 'the body is looked at');
});

test('backOffice.people.list 200: reading takes the cookie alone', async () => {
  const { cookie } = await newSession();
  for (const method of ['GET', 'HEAD']) {
    assert.equal((await send(PEOPLE, { cookie }, method)).status, 200);
  }
  assert.equal((await send(PEOPLE, { cookie: `a=b; ${cookie}; c=d` })).status, 200);
});

test('backOffice.session.get 401: a session that is none, or has ended', async () => {
  const session = await newSession();
  for (const cookie of ['backoffice_session=x', 'backoffice_session=', 'other=x']) {
    assert.equal((await send(SESSION, { cookie })).status, 401, cookie);
  }
  const { status, message } = await send(SESSION, {});
  assert.deepEqual(
    [status, /^The cookie of a session is missing: log in/.test(message)],
    [401, true],
  );
  assert.match((await send(PEOPLE, {})).message, /^The Authorization header is missing/);
  assert.equal((await send(SESSION, session)).status, 200);
  assert.equal((await send(SESSION, session, 'DELETE')).status, 200);
  const ended = await send(SESSION, session);
  assert.deepEqual([ended.status, ended.message], [401, 'The session has ended: log in again.']);
});

test('backOffice.session.get 401: an Authorization header counts, not the cookie', async () => {
  const session = await newSession();
  const both = { ...session, authorization: 'Bearer none' };
  assert.equal((await send(SESSION, both)).status, 401);
});

test('backOffice.requests.stream 429 AUTH-9: four of one caller, none without a session', async () => {
  const session = await newSession();
  const open = async (headers: Record<string, string>) =>
    await fetch(`${fixture.deps.url}/backoffice/v1/requests/stream`, { headers });
  const streams = await Promise.all([1, 2, 3, 4].map(() => open(session)));
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.equal((await open(session)).status, 429);
  const other = await open(await newSession());
  assert.equal(other.status, 200, 'there are streams for others');
  assert.equal((await send(SESSION, session, 'DELETE')).status, 200);
  // Whoever goes on reading comes to the end of each, without the five minutes that one lasts.
  for (const stream of streams) assert.match(await stream.text(), /^retry: 1000\n\n/);
  await other.body?.cancel();
});

test('stock.list 403: a session reaches the back office and nothing else', async () => {
  const { cookie } = await newSession();
  const refused = await send('/stock/v1/inventory', { cookie });
  assert.equal(refused.status, 403);
  assert.match(refused.message, /A session can use only the back office interface/);
});

test('backOffice.alarms.acknowledge 200: a person takes note as a client does', async () => {
  const [own] = fixture.sides;
  const path = `/backoffice/v1/alarms/${own?.alarmGuid}/acknowledge`;
  const answer = await send(path, await newSession(), 'POST', { note: 'Seen.' });
  assert.equal(answer.status, 200);
});

test('backOffice.sessions.begin: the cookie is for browsers of this address alone', async () => {
  const held = { token: 'abc', mark: 'n~p' };
  const at = (baseUrl: string) => sessionCookie(held, baseUrl).split('; ');
  assert.ok(at('https://platform.example').includes('Secure'));
  assert.ok(!at('http://127.0.0.1:4400').includes('Secure'));
  assert.ok(at('https://shop.example/platform').includes('Path=/platform/backoffice/v1'));
  const nothing = sessionCookie({ token: null, mark: null }, 'https://platform.example');
  assert.match(nothing, /=; .*Max-Age=0; .*Secure$/);
  const marked = sessionCookie({ token: null, mark: 'n~p' }, 'http://127.0.0.1');
  assert.match(marked, /^backoffice_session=\.n~p; /);
  for (const [header, token, mark] of [
    ['x=1; backoffice_session=abc.n~p', 'abc', 'n~p'],
    ['backoffice_session=abc', 'abc', null],
    ['backoffice_session=.n~p', null, 'n~p'],
    ['xbackoffice_session=abc', null, null],
    [undefined, null, null],
  ] as const) {
    assert.deepEqual(readSessionCookie(header), { token, mark });
  }
});

test('backOffice.session.get: nothing that opens is stored', async () => {
  const { cookie } = await newSession();
  const token = cookie.split('=')[1] ?? '';
  assert.ok(await findPersonOf(fixture.deps, token));
  const rows = await fixture.deps.database
    .sql`select encode(digest, 'hex') as d from person_session`;
  const stored = JSON.stringify(rows);
  for (const text of [token, Buffer.from(token, 'base64url').toString('hex')]) {
    assert.ok(!stored.includes(text));
  }
});
