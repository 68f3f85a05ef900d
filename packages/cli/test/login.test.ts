import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import {
  type BegunTotp,
  type ClockStatus,
  type RecoveryCodes,
  sessionCookieName,
  type WhoAmI,
} from '@servery/contract';
import { totpCode } from '../../server/src/people/totp.ts';
import { servery } from './command.ts';
import { type RemotePlatform, runHere, useRemotePlatform } from './remote-platform.ts';

/** A session and the mark of its device, as a platform sets them. */
const COOKIE = `${sessionCookieName}=session.mark`;

let platform: RemotePlatform;
let config: string;
useRemotePlatform((shared) => {
  platform = shared;
  config = path.join(platform.dataDir, 'config');
});

/** A command of somebody who has no sandbox in the folder: only profiles say who that is. */
const here = (...args: string[]) => runHere(args, { XDG_CONFIG_HOME: config });

const personOf = (role: string) => {
  const found = platform.demo.people.find((one) => one.role === role);
  assert.ok(found);
  return found;
};

async function logIn(role: string, profile: string, ...lines: string[]) {
  const { email, password } = personOf(role);
  const file = path.join(platform.dataDir, 'password');
  await writeFile(file, `${[password, ...lines].join('\n')}\n`, { mode: 0o600 });
  const who = ['--email', email, '--password-file', file];
  return here('login', '--profile', profile, '--url', platform.demo.baseUrl, ...who);
}

/** What the file of profiles holds. */
async function kept() {
  const text = await readFile(path.join(config, 'servery', 'profiles.json'), 'utf8');
  return JSON.parse(text) as {
    current: string | null;
    profiles: Record<string, { url: string; cookie: string; csrfToken: string | null }>;
  };
}

const addAccount = (name: string) =>
  runHere(['env', 'add', name, '--url', platform.demo.baseUrl, '--client-id', 'x'], {
    ...{ XDG_CONFIG_HOME: config, SERVERY_CLIENT_SECRET: 'svs_x' },
  });

/** Sends a request with the session that a profile keeps, as a command does. */
async function ask<Body>(profile: string, target: string, body: object): Promise<Body> {
  const { cookie = '', csrfToken = '' } = (await kept()).profiles[profile] ?? {};
  if (csrfToken === null) throw new Error(`${profile} is logged out`);
  const answer = await fetch(`${platform.demo.baseUrl}/backoffice/v1${target}`, {
    method: 'POST',
    headers: { cookie, 'x-csrf-token': csrfToken, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as Body;
}

describe('servery login', () => {
  test('servery login: a person logs in, works by name, and logs out', async () => {
    const { email, name, password, personGuid } = personOf('OPERATOR');
    const { code, out, err } = await logIn('OPERATOR', 'mine');
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, new RegExp(`${name} .${email}. is logged in at .*, as the profile mine`));
    const file = path.join(config, 'servery', 'profiles.json');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.ok(!(await readFile(file, 'utf8')).includes(password), 'the password is not kept');
    const me = JSON.parse((await here('whoami', '--json')).out) as WhoAmI;
    assert.deepEqual([me.type, me.id, me.email], ['PERSON', personGuid, email]);
    assert.match((await here('whoami')).out, new RegExp(`^${name} <${email}> at `));
    const changed = await here(
      'restaurants',
      'edit',
      'Early Wren',
      '--set',
      'general.closeoutHour=5',
    );
    assert.equal(changed.code, 0, changed.err);
    const history = await here('audit', 'list', '--actor', email, '--json');
    assert.equal(JSON.parse(history.out)[0].operation, 'backOffice.restaurants.update');
    assert.equal((await here('clock', 'advance', '1m')).code, 0);
    assert.match((await here('env', 'show')).out, new RegExp(` as ${email}, because of the pro`));
    const token = await here('token');
    assert.deepEqual([token.code, token.out], [2, '']);
    assert.match(token.err, /has a session and no access token\. Name an API account/);
    const left = await here('logout');
    assert.deepEqual([left.code, left.err], [0, '']);
    const late = await here('whoami', '--profile', 'mine');
    assert.deepEqual([late.code, late.out], [2, '']);
    assert.match(late.err, /is not logged in at .*\. Run "servery login --profile mine"/);
    assert.match((await here('env', 'list')).out, /\(logged out\)/);
    assert.match((await here('whoami')).err, /which platform\?/, 'the profile is not in use');
  });

  test('servery login: the password comes on standard input, and never as a flag', async () => {
    const { email, password } = personOf('READ_ONLY');
    const env = { XDG_CONFIG_HOME: config, SERVERY_DATA_DIR: platform.dataDir };
    const args = ['login', email, '--profile', 'reader', '--json'];
    const { code, out, err } = await servery(args, { env, input: `${password}\n` });
    assert.deepEqual([code, err], [0, '']);
    assert.equal(JSON.parse(out).email, email);
    const wrong = await servery(args, { env, input: 'not the password\n' });
    assert.deepEqual([wrong.code, wrong.out], [3, '']);
    assert.match(wrong.err, /email address, password, or code is wrong/);
    const none = await servery(args, { env });
    assert.equal(none.code, 2);
    assert.match(none.err, /password is empty\. .* There is no option for it/);
    assert.equal((await here('login', '--password', password)).code, 2);
    assert.match((await here('login', email, '--email', email)).err, /is given twice/);
    const still = JSON.parse((await here('whoami', '--profile', 'reader', '--json')).out) as WhoAmI;
    assert.equal(still.email, email, 'a login that failed takes nothing away');
    const change = await here(
      'groups',
      'edit',
      'Wrenfield',
      '--set',
      'name=X',
      '--profile',
      'reader',
    );
    assert.equal(change.code, 3);
    assert.match(change.err, /403/);
  });

  test('servery login: asks for the second factor, and takes it on a second line', async () => {
    const { password } = personOf('GROUP_ADMINISTRATOR');
    assert.equal((await logIn('GROUP_ADMINISTRATOR', 'group')).code, 0);
    const { secret } = await ask<BegunTotp>('group', '/me/totp', { password });
    const bits = [...secret].map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    );
    const bytes =
      bits
        .join('')
        .match(/.{8}/g)
        ?.map((byte) => Number.parseInt(byte, 2)) ?? [];
    const { realNow } = await platform.json<ClockStatus>(['clock']);
    const code = totpCode(Uint8Array.from(bytes), Math.floor(Date.parse(realNow) / 30_000));
    const codes = await ask<RecoveryCodes>('group', '/me/totp/confirm', { code, password });
    const missing = await logIn('GROUP_ADMINISTRATOR', 'group');
    assert.deepEqual([missing.code, missing.out], [3, '']);
    assert.match(missing.err, /uses an authenticator app\. Give its code, .* on a second line/);
    const [recovery = ''] = codes.recoveryCodes;
    assert.equal((await logIn('GROUP_ADMINISTRATOR', 'group', recovery)).code, 0);
    const again = await logIn('GROUP_ADMINISTRATOR', 'group', recovery);
    assert.equal(again.code, 3, 'a recovery code opens once');
  });

  test('servery: a session that has ended is told in a clear sentence', async () => {
    assert.equal((await logIn('RESTAURANT_ADMINISTRATOR', 'ended')).code, 0);
    const { email } = personOf('RESTAURANT_ADMINISTRATOR');
    assert.equal((await platform.run(['people', 'deactivate', email])).code, 0);
    const { code, out, err } = await here('restaurants', 'list', '--profile', 'ended');
    assert.deepEqual([code, out], [3, '']);
    assert.match(err, /The session has ended: log in again\. Run "servery login --profile ended"/);
    assert.equal(
      (await here('logout', '--profile', 'ended')).code,
      0,
      'it is forgotten all the same',
    );
    assert.equal((await platform.run(['people', 'reactivate', email])).code, 0);
  });

  test('servery: a session at a sandbox that moved or began anew names the way back', async () => {
    assert.equal((await logIn('READ_ONLY', 'moved')).code, 0);
    const { email } = personOf('READ_ONLY');
    const wayOut =
      `You are logged in as ${email} (profile moved). "servery logout" goes back to the sandbox ` +
      'in the data directory.';
    const content = await kept();
    const { moved } = content.profiles;
    assert.ok(moved);
    const write = (url: string, cookie: string) => {
      const profiles = { ...content.profiles, moved: { ...moved, url, cookie } };
      const file = path.join(config, 'servery', 'profiles.json');
      return writeFile(file, JSON.stringify({ ...content, profiles }));
    };
    await write('http://127.0.0.1:9', moved.cookie);
    const gone = await here('restaurants', 'list');
    assert.deepEqual([gone.code, gone.out], [1, '']);
    assert.match(gone.err, /cannot reach a platform at http:\/\/127\.0\.0\.1:9: /);
    assert.ok(gone.err.includes(wayOut), gone.err);
    const file = path.join(platform.dataDir, 'password');
    const again = await here('login', '--password-file', file);
    assert.ok(again.err.includes(wayOut), again.err);
    // A command that names the profile is not helped by a logout of the one in use.
    const named = await here('restaurants', 'list', '--profile', 'moved');
    assert.doesNotMatch(named.err, /servery logout/);
    await write(platform.demo.baseUrl, `${sessionCookieName}=unknown.mark`);
    const unknown = await here('restaurants', 'list');
    assert.deepEqual([unknown.code, unknown.out], [3, '']);
    assert.ok(unknown.err.includes(`Run "servery login --profile moved". ${wayOut}`), unknown.err);
    assert.equal((await here('logout')).code, 0);
    const env = { XDG_CONFIG_HOME: config, SERVERY_DATA_DIR: platform.dataDir };
    assert.equal((await runHere(['restaurants', 'list'], env)).code, 0);
  });

  test('servery login: a live session of another person or platform is not replaced', async () => {
    assert.equal((await logIn('READ_ONLY', 'theirs')).code, 0);
    const before = await kept();
    const { email } = personOf('READ_ONLY');
    const { email: other } = personOf('OPERATOR');
    const elsewhere = ['--url', `${platform.demo.baseUrl}/sub`, '--email', email];
    const outcomes = [
      await logIn('OPERATOR', 'theirs'),
      await here('login', '--profile', 'theirs', '--email', other, '--password-file', '/none'),
      await here('login', '--profile', 'theirs', ...elsewhere, '--password-file', '/none'),
    ];
    for (const { code, out, err } of outcomes) {
      assert.deepEqual([code, out], [2, '']);
      assert.ok(
        err.includes(`the profile theirs belongs to ${email} at ${platform.demo.baseUrl}. `),
      );
      assert.match(err, /Log out first \("servery logout --profile theirs"\), or use another/);
    }
    assert.deepEqual(await kept(), before);
  });

  test('servery login: after a logout, another person or platform takes the profile', async () => {
    assert.equal((await logIn('READ_ONLY', 'shared')).code, 0);
    assert.equal((await here('logout', '--profile', 'shared')).code, 0);
    const next = await logIn('OPERATOR', 'shared');
    assert.deepEqual([next.code, next.err], [0, '']);
    const me = JSON.parse((await here('whoami', '--json')).out) as WhoAmI;
    assert.equal(me.email, personOf('OPERATOR').email);
    assert.equal((await here('logout', '--profile', 'shared')).code, 0);
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.cookie);
      response.setHeader('content-type', 'application/json').setHeader('set-cookie', COOKIE);
      const person = { email: 'a@b.example', name: 'A' };
      response.end(JSON.stringify({ csrfToken: 'c', expiresAt: 'later', person }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const file = path.join(platform.dataDir, 'password');
    const logInAs = (email: string) => {
      const who = ['--email', email, '--password-file', file];
      return here('login', '--profile', 'shared', '--url', url, ...who);
    };
    const outcomes = [
      await logInAs(personOf('OPERATOR').email),
      await here('logout', '--profile', 'shared'),
      await logInAs('other@b.example'),
      await here('logout', '--profile', 'shared'),
      await logInAs('a@b.example'),
    ];
    server.close();
    assert.deepEqual(
      outcomes.map(({ code }) => code),
      [0, 0, 0, 0, 0],
      outcomes.map(({ err }) => err).join(),
    );
    const mark = `${sessionCookieName}=.mark`;
    // A mark goes to its own platform, for its own person.
    assert.deepEqual(seen, [undefined, COOKIE, undefined, COOKIE, mark]);
    assert.deepEqual((await kept()).profiles.shared?.url, url);
  });

  test('servery login: the same person again ends the earlier session', async () => {
    assert.equal((await logIn('READ_ONLY', 'again')).code, 0);
    const { cookie = '' } = (await kept()).profiles.again ?? {};
    const { code, err } = await logIn('READ_ONLY', 'again');
    assert.deepEqual([code, err], [0, '']);
    const statusOf = async (session: string) => {
      const headers = { cookie: session };
      return (await fetch(`${platform.demo.baseUrl}/backoffice/v1/session`, { headers })).status;
    };
    assert.equal(await statusOf(cookie), 401);
    assert.equal(await statusOf((await kept()).profiles.again?.cookie ?? ''), 200);
  });

  test('servery login: what another shell writes meanwhile stays', async () => {
    const { email, password } = personOf('READ_ONLY');
    const file = path.join(platform.dataDir, 'slow-password');
    await promisify(execFile)('mkfifo', [file]);
    const who = ['--url', platform.demo.baseUrl, '--email', email, '--password-file', file];
    const login = here('login', '--profile', 'slow', ...who);
    // It opens when the command reads the password, which has read the profiles before.
    const pipe = await open(file, 'w');
    assert.equal((await addAccount('meanwhile')).code, 0);
    await pipe.writeFile(`${password}\n`);
    await pipe.close();
    const { code, err } = await login;
    assert.deepEqual([code, err], [0, '']);
    const { current, profiles } = await kept();
    assert.equal(current, 'slow');
    assert.ok(profiles.meanwhile && profiles.slow, Object.keys(profiles).join(', '));
  });

  test('servery logout: what another shell writes meanwhile stays', async () => {
    const server = createServer(async (_, response) => {
      await addAccount('during');
      response.setHeader('content-type', 'application/json').end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : null;
    const { current, profiles } = await kept();
    const leaving = { url: `http://127.0.0.1:${port}`, email: 'a@b.example', cookie: 'x=y.z' };
    const content = { current, profiles: { ...profiles, leaving: { ...leaving, csrfToken: 'c' } } };
    await writeFile(path.join(config, 'servery', 'profiles.json'), JSON.stringify(content));
    const { code, err } = await here('logout', '--profile', 'leaving');
    server.close();
    assert.deepEqual([code, err], [0, '']);
    const after = await kept();
    assert.equal(after.profiles.leaving?.csrfToken, null);
    assert.ok(after.profiles.during, Object.keys(after.profiles).join(', '));
    assert.equal(after.current, current);
  });

  test('servery login: no password is sent when the session could not be kept', async () => {
    const dangling = path.join(platform.dataDir, 'dangling');
    await symlink('/proc/nowhere', dangling);
    const who = ['--email', 'a@example.com', '--password-file', '/nowhere'];
    // Nothing answers there, and no password is read: it fails before either.
    const { code, out, err } = await runHere(['login', '--url', 'http://127.0.0.1:9', ...who], {
      XDG_CONFIG_HOME: dangling,
    });
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /profiles\.json cannot be (read|written): its directory is a file/);
    const homeless = await runHere(['login', '--url', 'http://127.0.0.1:9', ...who], {});
    assert.match(homeless.err, /there is no directory for your settings/);
  });

  test('servery login: a profile of an API account is not taken, nor a wrong place', async () => {
    assert.equal((await addAccount('till')).code, 0);
    const taken = await logIn('READ_ONLY', 'till');
    assert.deepEqual([taken.code, taken.out], [2, '']);
    assert.match(taken.err, /the profile till belongs to the API account x\. Use another name/);
    const out = await here('logout', '--profile', 'till');
    assert.match(out.err, /nobody is logged in\. Name the profile of a person/);
    const who = ['--email', 'a@example.com', '--password-file', '/nowhere'];
    const none = { XDG_CONFIG_HOME: path.join(platform.dataDir, 'without-profiles') };
    const lost = await runHere(['login', ...who], none);
    assert.match(lost.err, /which platform\?/);
  });
});
