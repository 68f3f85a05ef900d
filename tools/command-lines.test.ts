import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readFillCommand } from './measure/fill/options.ts';
import { readOptions } from './verify/crash/options.ts';
import { readStalenessOptions } from './verify/staleness/options.ts';

const PACKAGE = new URL('../package.json', import.meta.url);

test('every script of package.json installs first what is missing', () => {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as {
    scripts: Record<string, string>;
  };
  const names = Object.keys(scripts);
  const isSetUp = (name: string) => scripts[`pre${name}`] === 'node tools/setup.mjs';
  const isSetUpItself = (name: string) => scripts[name] === 'node tools/setup.mjs';
  const bare = names.filter((name) => !isSetUpItself(name) && !isSetUp(name));
  assert.deepEqual(bare, []);
});

test('fill: which platform is filled has to be said', () => {
  assert.throws(() => readFillCommand([], {}), /Say which platform is filled: --data-dir DIR, or/);
  const { config, options } = readFillCommand(['--data-dir', '/tmp/x', '--items', '10,20'], {});
  assert.equal(config.dataDir, '/tmp/x');
  assert.deepEqual([options.restaurants, options.items, options.dueInMs], [1_000, [10, 20], 5_000]);
  const { config: other } = readFillCommand([], { DATABASE_URL: 'postgres://localhost/x' });
  assert.equal(other.databaseUrl?.reveal(), 'postgres://localhost/x');
  assert.equal(readFillCommand([], { SERVERY_DATA_DIR: '/tmp/y' }).config.dataDir, '/tmp/y');
});

test('fill: faults are told before anything is opened, those of the settings too', () => {
  const fill = (...args: string[]) => readFillCommand(['--data-dir', '/tmp/x', ...args], {});
  assert.throws(() => fill('--restaurants', 'abc'), /--restaurants takes .* not "abc"/);
  assert.throws(() => fill('--due-per-second', '0'), /--due-per-second takes .* 1 or more/);
  const env = { SERVERY_DATA_DIR: '/tmp/x', SERVERY_PORT: 'x' };
  assert.throws(() => readFillCommand([], env), /^NotStarted: npm run fill: SERVERY_PORT /);
});

test('staleness: its command line is read whole, with faults by their names', () => {
  const { reads, seconds, processes, faults } = readStalenessOptions([]);
  assert.deepEqual([reads, seconds, processes, faults.length], [200_000, 600, 3, 7]);
  assert.deepEqual(readStalenessOptions(['--faults', 'none']).faults, []);
  const some = readStalenessOptions(['--faults', 'kill,pause', '--seed', '7', '--strict']);
  assert.deepEqual(some.faults, ['pause', 'pause', 'kill']);
  assert.deepEqual([some.seed, some.isStrict], [7, true]);
  assert.throws(() => readStalenessOptions(['--processes', '0']), /--processes takes .* 1 or more/);
  assert.throws(() => readStalenessOptions(['--reads', 'x']), /--reads takes a whole number/);
  assert.throws(
    () => readStalenessOptions(['--faults', 'paus']),
    /--faults takes none, or some of/,
  );
});

test('crash: its command line is read whole', () => {
  const { minutes, kills, defect } = readOptions(['--minutes', '0.5']);
  assert.deepEqual([minutes, kills, defect], [0.5, null, null]);
  assert.throws(() => readOptions(['--defect', 'none-such']), /--defect takes one of /);
  assert.equal(readOptions(['--defect', 'no-compare-and-set']).defect?.name, 'no-compare-and-set');
});
