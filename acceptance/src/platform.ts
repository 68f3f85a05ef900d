import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asGiven, type Demo, readDemo } from './demo.ts';
import { platformEnvironment, programFile, suiteSettings } from './settings.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
// With its end: what a process writes may come in pieces.
const READY = /^servery ready (\S+)\r?\n/m;
// A busy machine may hold a process for seconds, again and again.
const START_LIMIT_MS = 300_000;

/** Rate limits that no test reaches by accident; tests of the limits start a platform without. */
export const RAISED_LIMITS = {
  SERVERY_RATE_LIMIT_PER_SECOND: '100000',
  SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '10000000',
  SERVERY_RATE_LIMIT_MENUS_PER_SECOND: '100000',
  SERVERY_RATE_LIMIT_ORDERS_BULK_PER_SECOND: '100000',
} as const;

const MASTER_KEY = Buffer.alloc(32, 'ring').toString('base64');

/** What the shared platform is started with: a master key that a second process can be given. */
export const OWN_SETTINGS = { ...RAISED_LIMITS, SERVERY_MASTER_KEY: MASTER_KEY } as const;

/** What makes a platform one of production. Its public address is only written, never called. */
export const PRODUCTION = {
  SERVERY_KIND: 'production',
  SERVERY_PUBLIC_URL: 'https://platform.example',
} as const;

/** A platform that answers, by its base address. */
export interface Platform {
  /** Where it is called, without a trailing slash. Its own public address is `demo.baseUrl`. */
  readonly baseUrl: string;
  readonly brand: string;
  readonly demo: Demo;
  /** True when the suite started it: its settings are known and it may be restarted. */
  readonly own: boolean;
  /** Answers that a switch of this platform gives another shape, by operation. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** A platform that this process started. */
export interface StartedPlatform extends Platform {
  readonly dataDir: string;
  readonly demoPath: string;
  readonly process: ChildProcess;
  /** Everything it wrote to standard output and standard error so far. */
  output(): string;
  /** Ends it by SIGTERM and removes its data. */
  stop(): Promise<void>;
}

/** What a platform is started with. */
export interface StartOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** An existing data directory; a new one with the demo group when absent. */
  readonly dataDir?: string;
  /** As the README says it, by `npm start`, whose process then is the one to see. */
  readonly throughNpm?: boolean;
}

/** A server process, ready or not: how a start that must fail is observed. */
export interface ServerProcess {
  readonly child: ChildProcess;
  output(): string;
}

/** A folder that an unprivileged user may enter, because PostgreSQL never runs as root. */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'servery-acceptance-'));
  await chmod(folder, 0o755);
  return join(folder, 'data');
}

/**
 * Starts a sandbox and ends it: what is in its data folder then, most of the work of a first start,
 * is what others begin with. It has the master key of `OWN_SETTINGS`.
 */
export async function fillSandbox(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await newDataDir();
  await mkdir(dataDir, { mode: 0o755 });
  await writeFile(join(dataDir, 'master.key'), `${MASTER_KEY}\n`, { mode: 0o600 });
  const server = spawnServer(dataDir, { settings: RAISED_LIMITS });
  await readyAddress(server);
  await endServer(server.child, 'SIGTERM');
  return { dataDir, remove: () => rm(join(dataDir, '..'), { recursive: true, force: true }) };
}

/** A new data folder with what `fillSandbox` has made, or with nothing if it has made nothing. */
async function filledDataDir(): Promise<string> {
  const dataDir = await newDataDir();
  const { filledDataDir: filled } = suiteSettings();
  // With its owners: PostgreSQL is another user where root runs the tests.
  if (filled) await promisify(execFile)('cp', ['-a', filled, dataDir]);
  return dataDir;
}

/** What a command of the product's command line printed, and how it ended. */
export interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs the `servery` command on the data of a platform that runs: a process beside the server. */
export async function runCommand(
  dataDir: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const main = programFile(REPOSITORY, 'packages/cli/src/main.ts');
  const child = spawn(process.execPath, [main, ...args, '--data-dir', dataDir], {
    cwd: REPOSITORY,
    env: platformEnvironment({ ...OWN_SETTINGS, ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, output, errors };
}

/** Starts the server's command line, and nothing else of it. */
export function spawnServer(dataDir: string, options: StartOptions = {}): ServerProcess {
  const flags = ['--port', '0', '--data-dir', dataDir, ...(options.flags ?? [])];
  const child = spawn(...commandLine(options, flags), {
    cwd: REPOSITORY,
    env: platformEnvironment(options.settings ?? {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8');
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return { child, output: () => output };
}

function commandLine({ throughNpm = false }: StartOptions, flags: string[]): [string, string[]] {
  const main = programFile(REPOSITORY, 'packages/server/src/main.ts');
  return throughNpm ? ['npm', ['start', '--', ...flags]] : [process.execPath, [main, ...flags]];
}

/** Waits until a server says that it is ready; gives its address. Throws when it ends before. */
async function readyAddress(server: ServerProcess): Promise<string> {
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  const ended = once(server.child, 'exit', { signal: limit }).then(([code]) => {
    throw new Error(`the server ended with ${code} before it was ready:\n${server.output()}`);
  });
  // The loser of the race below is rejected later, when the platform stops: that is no fault.
  ended.catch(() => undefined);
  for (;;) {
    const found = READY.exec(server.output());
    if (found?.[1]) return found[1].replace(/\/$/, '');
    await Promise.race([once(server.child.stdout as NodeJS.ReadableStream, 'data'), ended]);
  }
}

/** Ends a server by a signal and waits until it is gone, and all that it said was read. */
export async function endServer(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill(signal);
  await gone;
}

/** Starts a platform and waits for its `servery ready` line; throws with its output otherwise. */
export async function startPlatform(options: StartOptions = {}): Promise<StartedPlatform> {
  const dataDir = options.dataDir ?? (await filledDataDir());
  const demoPath = join(dataDir, 'demo.json');
  return launch(dataDir, options, {
    demoPath,
    demoOf: () => readDemo(demoPath),
    afterStop: () => rm(join(dataDir, '..'), { recursive: true, force: true }),
  });
}

/** Starts a production platform, which has nothing in it: its demo is empty. */
export async function startProduction(): Promise<StartedPlatform> {
  const dataDir = await newDataDir();
  return launch(
    dataDir,
    { settings: { ...OWN_SETTINGS, ...PRODUCTION } },
    {
      demoPath: '',
      demoOf: async () => emptyDemo(PRODUCTION.SERVERY_PUBLIC_URL),
      afterStop: () => rm(join(dataDir, '..'), { recursive: true, force: true }),
    },
  );
}

interface Surroundings {
  readonly demoPath: string;
  readonly demoOf: (baseUrl: string) => Promise<Demo>;
  readonly afterStop: () => Promise<void>;
}

async function launch(
  dataDir: string,
  options: StartOptions,
  { demoPath, demoOf, afterStop }: Surroundings,
): Promise<StartedPlatform> {
  const server = spawnServer(dataDir, options);
  const { child: process, output } = server;
  const stop = async () => {
    await endServer(process, 'SIGTERM');
    await afterStop();
  };
  try {
    const baseUrl = await readyAddress(server);
    const demo = await demoOf(baseUrl);
    const { brand } = demo;
    return { baseUrl, brand, demo, own: true, dataDir, demoPath, process, output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function emptyDemo(baseUrl: string): Demo {
  return {
    baseUrl,
    authUrl: baseUrl,
    tlsUrl: null,
    brand: 'Platform',
    clients: {} as Demo['clients'],
    people: [],
    managementGroupGuid: '',
    restaurants: [],
    cardKeys: [],
    testCards: [],
  };
}

/**
 * The platform that the suite judges: the one that `SERVERY_URL` and `SERVERY_DEMO` name, or, when
 * a test file runs alone, one that is started for this file and stopped after it.
 */
export async function platformUnderTest(): Promise<Platform> {
  const { url, demo: demoPath, ownDataDir, level } = suiteSettings();
  if (url !== undefined) {
    if (demoPath === undefined) throw new Error('SERVERY_URL is set: set SERVERY_DEMO as well');
    const read = await readDemo(demoPath);
    const demo = level === undefined ? read : asGiven(read);
    const own = ownDataDir !== undefined;
    return { baseUrl: url.replace(/\/$/, ''), brand: demo.brand, demo, own };
  }
  const platform = await startPlatform({ settings: OWN_SETTINGS });
  after(() => platform.stop());
  return platform;
}
