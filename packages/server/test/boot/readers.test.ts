import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { sleep } from '@servery/support/timer.ts';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { programFile } from '../../../support/test/program.ts';
import { createTestDatabase } from '../database.ts';

const MAIN = programFile('packages/server/src/main.ts');

/** Where the server of a data folder is, as it says there. */
async function addressIn(dataDir: string, isOver: () => boolean): Promise<string> {
  while (!isOver()) {
    for await (const name of glob('server.run-*', { cwd: dataDir })) {
      const text = await readFile(path.join(dataDir, name), 'utf8');
      if (text.trimEnd().endsWith('}')) return JSON.parse(text).url;
    }
    await sleep(50);
  }
  throw new Error('The server has ended.');
}

for (const workers of [1, 2]) {
  test(`start: ${workers} of which nobody reads the output serve, and stop in order`, async (t) => {
    const folder = await makeTestFolder();
    t.after(() => removeTestFolder(folder));
    await chmod(folder, 0o755);
    const dataDir = path.join(folder, 'data');
    const flags = ['--port', '0', '--data-dir', dataDir, '--profile', 'empty'];
    const own = workers > 1 ? await createTestDatabase() : null;
    if (own) t.after(() => own.drop());
    const child = spawn(process.execPath, [MAIN, ...flags, '--workers', `${workers}`], {
      env: { PATH: '/usr/bin:/bin', ...(own && { DATABASE_URL: own.url }) },
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
    child.kill('SIGTERM');
    assert.deepEqual(await closed, [0, null]);
    const pidFile = path.join(dataDir, 'postgres', 'data', 'postmaster.pid');
    assert.equal(existsSync(pidFile), false, 'the embedded PostgreSQL was left behind');
  });
}
