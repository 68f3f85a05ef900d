import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CreateSandbox } from '@servery/contract';
import { startChild } from '@servery/support/start-child.ts';
import {
  givenPlatform,
  type PlatformAccount,
  platformEnvironment,
  platformPort,
} from './environment.ts';

/** Where the sandboxes of a test run are made, and what from. */
export interface TestPlatform extends PlatformAccount {
  readonly from: CreateSandbox['from'];
  /** Whether it goes on after the run. */
  readonly isGiven: boolean;
  stop(): Promise<void>;
}

const PACKAGE = 'servery';
/** Tests ask as fast as they can. Those that want a 429 order it. */
const UNLIMITED = '1000000';
const SETTINGS: Readonly<Record<string, string>> = {
  processor: 'in-process',
  'log-level': 'error',
  'rate-limit-per-second': UNLIMITED,
  'rate-limit-per-quarter-hour': UNLIMITED,
  'rate-limit-orders-bulk-per-second': UNLIMITED,
  'rate-limit-menus-per-second': UNLIMITED,
};

/**
 * The platform that the environment names, or else a new one in a folder of its own. Throws an Error
 * that says in a sentence why there is none.
 */
export async function openPlatform(): Promise<TestPlatform> {
  const given = givenPlatform();
  if (given) {
    return { ...given, from: { profile: 'demo' }, isGiven: true, stop: async () => {} };
  }
  const port = platformPort();
  const command = commandFile();
  const folder = await mkdtemp(path.join(tmpdir(), 'servery-testing-'));
  // PostgreSQL has to get there, which is another user if root starts it.
  await chmod(folder, 0o755);
  const settings = Object.entries({ ...SETTINGS, port, 'data-dir': path.join(folder, 'data') });
  const flags = settings.flatMap(([name, value]) => [`--${name}`, value]);
  const child = await startChild(process.execPath, [command, 'start', ...flags], {
    cwd: folder,
    env: platformEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    // At once: nobody needs its data.
    child.kill('SIGINT');
    await closed;
    await rm(folder, { recursive: true, force: true });
  };
  const problem = await problemOf(child);
  if (problem !== null) {
    await stop();
    throw new Error(problem);
  }
  const demo = JSON.parse(await readFile(path.join(folder, 'data/demo.json'), 'utf8'));
  const { baseUrl, clients } = demo;
  const { clientId, clientSecret } = clients.operator;
  // It has the demo group already: a profile would be loaded once more.
  const from = { sandbox: 'main' };
  return { baseUrl, clientId, clientSecret, from, isGiven: false, stop };
}

function commandFile(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
    return path.join(path.dirname(manifest), 'bin/servery.mjs');
  } catch {
    throw new Error(
      `The package ${PACKAGE} is not installed: run "npm install --save-dev ${PACKAGE}", or set ` +
        'SERVERY_TESTING_URL to a platform that runs.',
    );
  }
}

/** Why it ended instead of getting ready; null once it is ready. Its output is read to the end. */
async function problemOf({ stdout, stderr }: ChildProcess): Promise<string | null> {
  let [said, told] = ['', ''];
  const ready = new Promise<null>((resolve) => {
    stdout?.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
      if (/^servery ready /m.test(said)) resolve(null);
    });
  });
  const ended = new Promise<string>((resolve) => {
    stderr?.setEncoding('utf8').on('data', (piece: string) => {
      told += piece;
    });
    stderr?.on('close', () => {
      // What it says while it starts comes before.
      const [reason = 'it said nothing.'] = told.match(/(?<=^servery: ).*/gm)?.slice(-1) ?? [];
      resolve(`The platform can't start: ${reason}`);
    });
  });
  return await Promise.race([ready, ended]);
}
