import assert from 'node:assert/strict';
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { CommandFailure } from './exit-codes.ts';
import { toTarget } from './output-file.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-output-'));
  file = path.join(folder, 'out.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const silent = { write: () => true } as unknown as NodeJS.WriteStream;
const context = {
  terminal: { out: silent, err: silent },
  signal: new AbortController().signal,
};

const write = (to: string) => toTarget(to, context, async (push) => push('new'));

test('--out: a file is replaced whole, and nothing beside it is touched', async () => {
  await writeFile(file, 'old');
  await writeFile(`${file}.part`, 'mine');
  await write(file);
  assert.equal(await readFile(file, 'utf8'), 'new');
  assert.equal(await readFile(`${file}.part`, 'utf8'), 'mine');
  assert.deepEqual((await readdir(folder)).sort(), ['out.json', 'out.json.part']);
});

test('--out: a file that only its user may read stays so', async () => {
  await writeFile(file, 'old', { mode: 0o600 });
  await write(file);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('--out: what fails leaves the file as it was', async () => {
  await writeFile(file, 'old');
  const fails = toTarget(file, context, async (push) => {
    await push('half');
    throw new Error('no more');
  });
  await assert.rejects(fails, /no more/);
  assert.equal(await readFile(file, 'utf8'), 'old');
  assert.deepEqual(await readdir(folder), ['out.json']);
});

test('--out: a link goes on leading to the file that is written', async () => {
  const link = path.join(folder, 'link.json');
  await writeFile(file, 'old');
  await symlink(file, link);
  await write(link);
  assert.equal((await lstat(link)).isSymbolicLink(), true);
  assert.equal(await readFile(file, 'utf8'), 'new');
});

test('--out: a pipe or a device such as /dev/null is written to, and stays one', async () => {
  // A link alone would be lost if it were replaced.
  const device = path.join(folder, 'null');
  await symlink('/dev/null', device);
  await write(device);
  assert.equal((await stat(device)).isCharacterDevice(), true);
  assert.deepEqual(await readdir(folder), ['null']);
});

test('--out: a folder is refused in words, and stays', async () => {
  await assert.rejects(write(folder), (error) => {
    return (
      error instanceof CommandFailure && /cannot be written: it is a directory/.test(error.message)
    );
  });
});
