import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { isRunning } from '@servery/postgres/postgres-cluster.ts';
import { sleep } from '@servery/support/timer.ts';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { programFile } from '../../../support/test/program.ts';
import { until, workersOf } from './workers/worker-group.ts';

const MAIN = programFile('packages/server/src/main.ts');

let folder: string;
before(async () => {
  folder = await makeTestFolder();
  await chmod(folder, 0o755);
});
after(() => removeTestFolder(folder));

/** What the server before has said there stays. */
const known = new Set<string>();

/** Where the server of a data folder is, as it says there. */
async function addressIn(dataDir: string, isOver: () => boolean): Promise<string> {
  while (!isOver()) {
    for await (const name of glob('server.run-*', { cwd: dataDir })) {
      const text = await readFile(path.join(dataDir, name), 'utf8');
      if (known.has(text) || !text.trimEnd().endsWith('}')) continue;
      known.add(text);
      return JSON.parse(text).url;
    }
    await sleep(50);
  }
  throw new Error('The server has ended.');
}

/**
 * Starts a server, and reads nothing of what it says, until it is ready. Each goes on with the folder
 * that the one before has left.
 */
async function startUnread(flags: readonly string[]) {
  const dataDir = path.join(folder, 'data');
  const own = ['--port', '0', '--data-dir', dataDir, '--profile', 'empty'];
  const child = spawn(process.execPath, [MAIN, ...own, ...flags], {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
  });
  child.stdout.destroy();
  child.stderr.destroy();
  const url = await addressIn(dataDir, () => hasEnded);
  assert.equal((await fetch(new URL('/readyz', url))).status, 200);
  const pidFile = path.join(dataDir, 'postgres', 'data', 'postmaster.pid');
  return { child, closed, isLeftBehind: () => existsSync(pidFile) };
}

test('start: a server of which nobody reads the output serves, and stops in order', async () => {
  const { child, closed, isLeftBehind } = await startUnread([]);
  child.kill('SIGTERM');
  assert.deepEqual(await closed, [0, null]);
  assert.equal(isLeftBehind(), false, 'the embedded PostgreSQL was left behind');
});

test('workers: two of which nobody reads the output serve, and kill -9 of who started them leaves neither workers nor a database', {
  timeout: 600_000,
}, async (t) => {
  const started = await startUnread(['--workers', '2', '--processor', 'none']);
  const { child, closed, isLeftBehind } = started;
  const workers = await workersOf(child.pid);
  t.after(() => {
    for (const pid of workers) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  assert.equal(workers.length, 2);
  // Now the first one serves, and the second one is still starting.
  child.kill('SIGKILL');
  await closed;
  await until('the end of the workers', async () => !workers.some(isRunning));
  assert.equal(isLeftBehind(), false, 'the database was left behind');
});
