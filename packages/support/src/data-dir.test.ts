import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { makeDataDir } from './data-dir.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-data-dir-'));
});
after(() => rm(folder, { recursive: true, force: true }));

test('data folder: it is made with all above it, by whoever comes first', async () => {
  const dataDir = path.join(folder, 'a/b/c');
  await Promise.all([makeDataDir(dataDir, 0o700), makeDataDir(dataDir, 0o700)]);
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  await makeDataDir(dataDir);
});

test('data folder: what is in its way is told, with what to do', async () => {
  await writeFile(path.join(folder, 'file'), '');
  await symlink(path.join(folder, 'nowhere'), path.join(folder, 'link'));
  for (const [name, reason] of [
    ['file', /file cannot be made: there is a file or a broken link.*Name another folder with --d/],
    ['file/below', /a part of the path is a file/],
    ['link', /there is a file or a broken link with this name/],
    ['link/below', /there is a file or a broken link with this name/],
  ] as const) {
    await assert.rejects(makeDataDir(path.join(folder, name)), reason, name);
  }
});

test('data folder: a place that lets nobody make one is told at once', {
  skip: process.platform === 'linux' ? false : 'only Linux has /proc',
}, async () => {
  for (const dataDir of ['/proc/nope', '/proc/nope/below']) {
    await assert.rejects(makeDataDir(dataDir), /the system lets nobody make a folder there/);
  }
});
