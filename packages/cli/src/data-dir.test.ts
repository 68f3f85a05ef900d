import assert from 'node:assert/strict';
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Environment, Flags } from './command.ts';
import { readDemo } from './connection.ts';
import { dataDirFlags, nearestDataDir } from './data-dir.ts';
import { configOf as readConfigOf } from './platform.ts';

const configOf = (env: Environment, flags: Flags) =>
  readConfigOf({ env, flags } as Parameters<typeof readConfigOf>[0]);

let home: string;
let below: string;
const started = process.cwd();
before(() => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), 'servery-nearest-')));
  below = path.join(home, 'menus', 'lunch');
  mkdirSync(below, { recursive: true });
});
after(() => {
  process.chdir(started);
  rmSync(home, { recursive: true, force: true });
});

test('data folder: where none is above, it is to be made in this folder', () => {
  assert.equal(nearestDataDir(below), path.join(below, '.servery'));
});

test('data folder: the nearest one above is found from a folder below', async () => {
  const folder = path.join(home, '.servery');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'demo.json'), '{"baseUrl":"http://127.0.0.1:4400"}');
  process.chdir(below);
  assert.equal(nearestDataDir(), folder);
  assert.equal(configOf({}, {}).dataDir, folder);
  assert.equal((await readDemo({}, {}))?.baseUrl, 'http://127.0.0.1:4400');
  mkdirSync(path.join(home, 'menus', '.servery'));
  assert.equal(nearestDataDir(), path.join(home, 'menus', '.servery'), 'the nearest wins');
});

test('data folder: whoever names one gets that one', () => {
  process.chdir(below);
  const env = { SERVERY_DATA_DIR: 'mine' };
  assert.deepEqual(dataDirFlags(env), []);
  assert.equal(configOf(env, {}).dataDir, path.join(below, 'mine'));
  assert.equal(configOf(env, { dataDir: 'here' }).dataDir, path.join(below, 'here'));
});

test('data folder: one of another user is passed over', { skip: process.getuid?.() !== 0 }, () => {
  chownSync(path.join(home, 'menus', '.servery'), 65_534, 65_534);
  assert.equal(nearestDataDir(below), path.join(home, '.servery'));
});

test('data folder: a file of that name is none', () => {
  rmSync(path.join(home, 'menus', '.servery'), { recursive: true });
  writeFileSync(path.join(below, '.servery'), '');
  assert.equal(nearestDataDir(below), path.join(home, '.servery'));
});
