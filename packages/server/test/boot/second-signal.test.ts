import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { programFile } from '../../../support/test/program.ts';
import { signalOnOutput } from '../signal-on-output.ts';

const MAIN = programFile('packages/server/src/main.ts');

let folder: string;
beforeEach(async () => {
  folder = await makeTestFolder();
  await chmod(folder, 0o755);
});
afterEach(() => removeTestFolder(folder));

/** Starts a server on an empty folder, which gets the signal twice once it has said `line`. */
async function hurry(line: string, signal: 'SIGINT' | 'SIGTERM') {
  const dataDir = path.join(folder, 'data');
  const flags = ['--port', '0', '--data-dir', dataDir, '--profile', 'empty'];
  const child = spawn(process.execPath, [...signalOnOutput(line, signal), MAIN, ...flags], {
    env: { PATH: '/usr/bin:/bin', SERVERY_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // What it said last may be read after its end.
  const [code] = await once(child, 'close');
  const pidFile = path.join(dataDir, 'postgres', 'data', 'postmaster.pid');
  return { code, said, isLeftBehind: existsSync(pidFile) };
}

const moments = [
  ['its files are made', 'creating the embedded PostgreSQL', 'SIGTERM', 143],
  ['it comes up', 'starting the embedded PostgreSQL', 'SIGINT', 130],
] as const;
for (const [moment, line, signal, code] of moments) {
  test(`start: a second signal while ${moment} leaves no database behind`, async () => {
    const ended = await hurry(line, signal);
    assert.ok(ended.said.includes(line), ended.said);
    assert.equal(ended.code, code, ended.said);
    assert.equal(ended.isLeftBehind, false, 'the embedded PostgreSQL was left behind');
    // What is under way may come further, but nothing is told of what failed by it.
    assert.match(ended.said, /servery: stopping\n(servery: (starting|migrating).*\n)*$/);
  });
}
