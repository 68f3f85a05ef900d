import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import {
  profileCalled,
  profileFile,
  readProfileName,
  readProfiles,
  writeProfiles,
} from './profiles.ts';

const profile = { url: 'https://platform.example', clientId: 'one', clientSecret: 'svs_secret' };

let env: { XDG_CONFIG_HOME: string };
before(async () => {
  env = { XDG_CONFIG_HOME: await mkdtemp(path.join(tmpdir(), 'servery-cli-profiles-')) };
});
after(() => rm(env.XDG_CONFIG_HOME, { recursive: true, force: true }));

test('servery env: profiles are kept in a file that only the user can read', async () => {
  assert.deepEqual(await readProfiles(env), { current: null, profiles: {} });
  const file = await writeProfiles(env, { current: 'a', profiles: { a: profile } });
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(path.dirname(file))).mode & 0o777, 0o700);
  assert.deepEqual(await readProfiles(env), { current: 'a', profiles: { a: profile } });
});

test('servery env: a file that others can read, or that has no profiles, is refused', async () => {
  const file = await writeProfiles(env, { current: 'a', profiles: { a: profile } });
  await chmod(file, 0o644);
  await assert.rejects(readProfiles(env), /other users can read .*\. Run "chmod 600 /);
  await chmod(file, 0o600);
  for (const text of ['{"profiles": {"a": {"clientSecret": 5}}}', 'svs_secret', '[]']) {
    await writeFile(file, text);
    await assert.rejects(readProfiles(env), (error: Error) => {
      assert.match(error.message, /is not a file of profiles\. Remove it/);
      return !error.message.includes('svs_secret');
    });
  }
  assert.equal(await readFile(file, 'utf8'), '[]', 'it is left as it is');
});

test('servery env: where the file is follows the settings of the user', () => {
  const home = { HOME: '/ada' };
  assert.equal(profileFile(home), '/ada/.config/servery/profiles.json');
  assert.equal(profileFile({ ...home, XDG_CONFIG_HOME: '/x' }), '/x/servery/profiles.json');
  assert.equal(profileFile({}), null);
});

test('servery env: names are of a form, and one that is not there is told with the others', () => {
  assert.equal(readProfileName('staging-2'), 'staging-2');
  for (const name of ['', '-x', 'a/b', 'a b'])
    assert.throws(() => readProfileName(name), /not a profile name/);
  const none = { current: null, profiles: {} };
  assert.throws(() => profileCalled(none, 'x'), /no profile x\. Add it with "servery env add x/);
  const one = { current: null, profiles: { a: profile } };
  assert.throws(() => profileCalled(one, 'toString'), /Your profiles are a\./);
});
