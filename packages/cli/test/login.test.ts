import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { BegunTotp, ClockStatus, RecoveryCodes, WhoAmI } from '@servery/contract';
import { totpCode } from '@servery/server/people/totp.ts';
import { servery } from './command.ts';
import { type RemotePlatform, runHere, startRemotePlatform } from './remote-platform.ts';

let platform: RemotePlatform;
let config: string;
before(async () => {
  platform = await startRemotePlatform();
  config = path.join(platform.dataDir, 'config');
});
after(() => platform.stop());

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

/** Sends a request with the session that a profile keeps, as a command does. */
async function ask<Body>(profile: string, target: string, body: object): Promise<Body> {
  const text = await readFile(path.join(config, 'servery', 'profiles.json'), 'utf8');
  const { cookie, csrfToken } = JSON.parse(text).profiles[profile];
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
    assert.match(token.err, /has a session and no access token: name an API account/);
    const left = await here('logout');
    assert.deepEqual([left.code, left.err], [0, '']);
    const late = await here('whoami', '--profile', 'mine');
    assert.deepEqual([late.code, late.out], [2, '']);
    assert.match(late.err, /is not logged in at .*: run "servery login --profile mine"/);
    assert.match((await here('env', 'list')).out, /\(logged out\)/);
    assert.match((await here('whoami')).err, /which platform\?/, 'the profile is not in use');
  });

  test('servery login: the password comes on standard input, and never as a flag', async () => {
    const { email, password } = personOf('READ_ONLY');
    const env = { XDG_CONFIG_HOME: config, SERVERY_DATA_DIR: platform.dataDir };
    const args = ['login', '--profile', 'reader', '--email', email, '--json'];
    const { code, out, err } = await servery(args, { env, input: `${password}\n` });
    assert.deepEqual([code, err], [0, '']);
    assert.equal(JSON.parse(out).email, email);
    const wrong = await servery(args, { env, input: 'not the password\n' });
    assert.deepEqual([wrong.code, wrong.out], [3, '']);
    assert.match(wrong.err, /E-mail address, password and code do not fit together/);
    const none = await servery(args, { env });
    assert.equal(none.code, 2);
    assert.match(none.err, /password is empty: .* There is no flag for it/);
    assert.equal((await here('login', '--password', password)).code, 2);
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
    assert.match(missing.err, /has an authenticator app: give its code, .* on a second line/);
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
  });

  test('servery login: a profile of an API account is not taken, nor a wrong place', async () => {
    const account = ['--url', platform.demo.baseUrl, '--client-id', 'x'];
    const secret = { XDG_CONFIG_HOME: config, SERVERY_CLIENT_SECRET: 'svs_x' };
    assert.equal((await runHere(['env', 'add', 'till', ...account], secret)).code, 0);
    const taken = await logIn('READ_ONLY', 'till');
    assert.deepEqual([taken.code, taken.out], [2, '']);
    assert.match(taken.err, /the profile till is of the API account x: choose another name/);
    const out = await here('logout', '--profile', 'till');
    assert.match(out.err, /nobody is logged in here: name the profile of a person/);
    const lost = await here('login', '--email', 'a@example.com', '--password-file', '/nowhere');
    assert.match(lost.err, /which platform\?/);
  });
});
