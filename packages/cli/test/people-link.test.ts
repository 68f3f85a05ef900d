import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { AuditEntry } from '@servery/contract';
import { type Platform, start } from '../../server/src/boot/server.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { createTestDatabase, type TestDatabase } from '../../server/test/database.ts';
import { runHere } from './remote-platform.ts';

const EMAIL = 'ada@example.com';
const DAY_MS = 86_400_000;

let folder: string;
let own: TestDatabase;
let platform: Platform;
let env: Record<string, string>;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-link-'));
  own = await createTestDatabase();
  env = {
    DATABASE_URL: own.url,
    SERVERY_DATA_DIR: path.join(folder, 'data'),
    SERVERY_PROFILE: 'none',
    SERVERY_PROCESSOR: 'in-process',
    SERVERY_PORT: '0',
    SERVERY_LOG_LEVEL: 'silent',
  };
  platform = await start(readConfig(env, []));
  env.SERVERY_PUBLIC_URL = platform.url;
});
after(async () => {
  await platform.stop();
  await own.drop();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => runHere(args, env);

/** Makes a link; gives the token in it. */
async function tokenOf(...args: string[]): Promise<string> {
  const { code, out, err } = await run('people', 'link', ...args, '--json');
  assert.equal(code, 0, err);
  const { url } = JSON.parse(out) as { url: string };
  assert.ok(url.startsWith(`${platform.url}/console/invitation#`), url);
  return new URL(url).hash.slice(1);
}

async function accept(body: object): Promise<number> {
  const response = await fetch(`${platform.url}/backoffice/v1/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', password: 'a fine long sentence', ...body }),
  });
  return response.status;
}

describe('servery people link', () => {
  test('makes another link for the first operator, in place of the one that was told', async () => {
    const [, told = ''] = /#(\S+)/.exec(platform.greeting) ?? [];
    const first = await tokenOf();
    assert.equal(await accept({ token: told, email: EMAIL }), 404);
    const shown = await run('people', 'link');
    assert.match(shown.out, /^The first operator chooses a password .* replaces earlier links:\n/);
    assert.equal(await accept({ token: first, email: EMAIL }), 404);
    const [, newest = ''] = /#(\S+)/.exec(shown.out) ?? [];
    assert.equal(await accept({ token: newest, email: EMAIL }), 200);
    const again = await run('people', 'link');
    assert.deepEqual([again.code, again.out], [2, '']);
    assert.match(again.err, /^servery: the platform already has an operator: say whose link/);
  });

  test('makes a link for a lost password, where nobody could be asked for one', async () => {
    const token = await tokenOf('ADA@example.com', '--remove-totp');
    assert.equal(await accept({ token, password: 'another fine sentence' }), 200);
  });

  test('stands on record as of real time, however far the clock was moved', async () => {
    const account = ['--type', 'back-office', '--name', 'Operator', '--scopes', 'all', '--json'];
    const created = JSON.parse((await run('clients', 'create', '--local', ...account)).out);
    env.SERVERY_URL = platform.url;
    env.SERVERY_CLIENT_ID = created.client.clientId;
    env.SERVERY_CLIENT_SECRET = created.clientSecret;
    assert.equal((await run('clock', 'advance', '30d')).code, 0);
    const bea = ['bea@example.com', '--name', 'Bea', '--role', 'operator'];
    assert.equal((await run('people', 'add', ...bea)).code, 0);
    assert.equal((await run('people', 'link', 'bea@example.com')).code, 0);
    assert.equal((await run('clients', 'create', '--local', ...account)).code, 0);
    const { out } = await run('audit', 'list', '--limit', '2', '--json');
    const entries = JSON.parse(out) as AuditEntry[];
    assert.deepEqual(
      entries.map(({ operation }) => operation),
      ['clients create', 'people link'],
    );
    for (const { at, realAt, actor } of entries) {
      const days = (Date.parse(at) - Date.parse(realAt)) / DAY_MS;
      assert.ok(Math.abs(days - 30) < 1, `${days} days`);
      assert.equal(actor, 'system:servery');
    }
  });

  test('tells what is wrong with its words, and makes no database', async () => {
    const refused = async (code: number, ...args: string[]) => {
      const ran = await run('people', 'link', ...args);
      assert.deepEqual([ran.code, ran.out], [code, ''], ran.err);
      return ran.err;
    };
    assert.match(await refused(2, 'nobody@example.com'), /nobody has the email address nobody@/);
    assert.match(await refused(2, 'Ada'), /"Ada" is not an email address/);
    assert.match(await refused(2, '--remove-totp'), /--remove-totp needs an email address/);
    assert.match(await refused(2, '--url', platform.url), /"servery people invite" creates a link/);
    delete env.DATABASE_URL;
    assert.match(await refused(1, '--data-dir', folder), /there is no database in/);
  });
});
