import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startChild } from './start-child.ts';

const run = promisify(execFile);
const MODULE = fileURLToPath(new URL('./start-child.ts', import.meta.url));

test('a program that is not there cannot be started, and its name is told', async () => {
  const starting = startChild('/nowhere/program', [], { stdio: 'pipe' });
  await assert.rejects(starting, /^Error: \/nowhere\/program cannot be started: .*ENOENT/);
});

test('a process without files left says so where it cannot start a program, and lives on', {
  skip: process.platform === 'win32' && 'it has no such limit',
}, async () => {
  const script = `
    import { openSync } from 'node:fs';
    const { startChild } = await import(${JSON.stringify(MODULE)});
    try { for (;;) openSync('/dev/null'); } catch {}
    const told = await startChild('sleep', ['1'], { stdio: 'pipe' }).catch(String);
    process.stdout.write('lives: ' + told);`;
  const limited = 'ulimit -n 100; exec "$0" --input-type=module -e "$1"';
  const { stdout } = await run('sh', ['-c', limited, process.execPath, script]);
  assert.match(stdout, /^lives: .* cannot be started: .*too many open files.*ulimit -n/);
});
