/**
 * Runs the guides of docs/guides/ as tests: each on a platform of its own that holds nothing, with
 * `servery` on the PATH. Exit code 1 for a guide that fails, with what it said.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { platformEnvironment } from '../../acceptance/src/settings.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

for (const guide of globSync('docs/guides/*.sh', { cwd: ROOT }).sort()) {
  console.log(`== ${guide}`);
  const code = await run(join(ROOT, guide));
  console.log(`== ${guide} ended with ${code}`);
  if (code !== 0) process.exitCode = 1;
}

/** Runs a guide on a new platform; gives its exit code. */
async function run(guide: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'servery-guide-'));
  // Whoever runs this may have the settings of a real platform in the shell.
  const env = platformEnvironment({
    SERVERY_DATA_DIR: join(folder, 'data'),
    SERVERY_PROFILE: 'none',
    SERVERY_PORT: '0',
    SERVERY_LOG_LEVEL: 'warn',
    SERVERY_PROCESSOR: 'in-process',
    // The guide is no test of budgets.
    SERVERY_RATE_LIMIT_PER_SECOND: '1000',
  });
  const servery = join(ROOT, 'packages/cli/bin/servery.mjs');
  const server = spawn(process.execPath, [servery, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await addressOf(server);
    putOnPath(folder, servery);
    const path = [folder, process.env.PATH].join(delimiter);
    const shell = spawn('bash', [guide], {
      cwd: folder,
      env: { ...env, PATH: path, SERVERY_URL: url },
      stdio: 'inherit',
    });
    const [code] = await once(shell, 'close');
    return code ?? 1;
  } finally {
    if (server.exitCode === null && server.kill('SIGTERM')) await once(server, 'close');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where the server listens, once it says so. */
async function addressOf(server: ChildProcess): Promise<string> {
  if (!server.stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: server.stdout })) {
    const [, url] = /^servery ready (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the server did not start: see above');
}

/** A `servery` that runs what this repository holds, on the Node.js that runs this. */
function putOnPath(folder: string, servery: string): void {
  const file = join(folder, 'servery');
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${servery}' "$@"\n`);
  chmodSync(file, 0o755);
}
