import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { readBackupFile, writeBackupFile } from './backup-file.ts';
import { BackupRefused } from './format.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-backup-file-'));
  file = path.join(folder, 'one.backup');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const refusal = (error: unknown) =>
  error instanceof BackupRefused && /is there already, .* name a new one/.test(error.message);

test('a backup file has what was written, for its user alone, and nothing beside it', async () => {
  const written = await writeBackupFile(file, async (write) => {
    for (let piece = 0; piece < 100; piece += 1) await write(Buffer.alloc(10_000, piece));
    return 'done';
  });
  assert.equal(written, 'done');
  assert.deepEqual(await readdir(folder), ['one.backup']);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const pieces = await Array.fromAsync(readBackupFile(file));
  const bytes = Buffer.concat(pieces);
  assert.deepEqual([bytes.length, bytes[0], bytes.at(-1)], [1_000_000, 0, 99]);
});

test('a file that is there is refused before anything is produced', async () => {
  await writeFile(file, 'mine');
  const produce = () => assert.fail('hours of work');
  await assert.rejects(writeBackupFile(file, produce), refusal);
  assert.deepEqual(await readdir(folder), ['one.backup']);
});

test('a file that comes to be there meanwhile stays as it is', async () => {
  const produce = async () => await writeFile(file, 'theirs');
  await assert.rejects(writeBackupFile(file, produce), refusal);
  assert.deepEqual(await readdir(folder), ['one.backup']);
  assert.equal(await readFile(file, 'utf8'), 'theirs');
});

test('what fails leaves nothing', async () => {
  const produce = async (write: (bytes: Uint8Array) => Promise<void>) => {
    await write(Buffer.alloc(1_000_000));
    throw new Error('no more rows');
  };
  await assert.rejects(writeBackupFile(file, produce), /no more rows/);
  assert.deepEqual(await readdir(folder), []);
});
