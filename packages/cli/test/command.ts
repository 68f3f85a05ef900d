import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../support/test/program.ts';

const SOURCE = fileURLToPath(new URL('../bin/servery.mjs', import.meta.url));
const LAUNCHER = programFile('packages/cli/bin/servery.mjs');

/** How a run of the command ended, and everything that it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What a test says of a run; the rest is as in a plain shell without a terminal. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; empty when absent. */
  readonly input?: string;
  /** The Node.js that starts the source of the launcher; when absent, the one of the tests. */
  readonly node?: string;
  /** Gets the process while it runs, to end it or to listen to it. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** The machine's own Node.js where it is older than this product needs. */
export function findOldNode(): string | undefined {
  const node = '/usr/bin/node';
  const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  return Number.parseInt(stdout ?? '', 10) < 24 ? node : undefined;
}

/** Really runs `servery` with these arguments. */
export async function servery(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { HOME = '/', PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const launched = options.node ? [options.node, SOURCE] : [process.execPath, LAUNCHER];
  const [node = '', launcher = ''] = launched;
  const child = spawn(node, [launcher, ...args], {
    // Where a whole run keeps what Node.js compiled: most of a short command's time otherwise.
    env: { HOME, PATH, NODE_COMPILE_CACHE, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A test may close the output early.
  const out = text(child.stdout).catch(() => '');
  const told = text(child.stderr).catch(() => '');
  const all = Promise.all([out, told, once(child, 'close')]);
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  options.onStart?.(child);
  const [written, err, [code]] = await all;
  return { code: code as number | null, out: written, err };
}

/** Resolves when the process has written the words to standard error. */
export function says(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve) => {
    let seen = '';
    child.stderr?.on('data', (chunk) => {
      seen += String(chunk);
      if (seen.includes(words)) resolve();
    });
  });
}
