import { stopEmbeddedDatabases } from '@servery/postgres/embedded.ts';
import { monotonicMs } from '@servery/support/clock.ts';
import { afterTurn } from '@servery/support/runner.ts';
import { LATE, within } from '@servery/support/timer.ts';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import { AlreadyRuns } from '../sandbox/data-folder.ts';
import { beginStart } from './begin-start.ts';
import { outliveReaders } from './readers.ts';
import type { WorkersOptions } from './run-workers.ts';
import type { Platform } from './server.ts';
import { watchSignals } from './signals.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;
const EXIT_ALREADY_RUNS = 4;
const EXIT_TERMINATED = 143;

const START_GRACE_MS = 10_000;
/** Workers have to end before their database. */
let hasWorkers = false;

const DATABASE_GRACE_MS = 10_000;

export async function run(
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): Promise<number> {
  outliveReaders();
  if (flags.includes('--help') || flags.includes('-h')) {
    process.stdout.write(helpText());
    return 0;
  }
  const signals = watchSignals({
    ...{ source: process, env, elapsedMs: monotonicMs, giveUp: giveUpDatabase },
    exit: (code) => process.exit(code),
  });
  try {
    return await Promise.race([serve(env, flags, signals.first), signals.second]);
  } catch (error) {
    // A start fails when its database goes away; a second signal explains that.
    if (signals.isSecond()) return await signals.second;
    return tellFailure(error);
  }
}

async function serve(
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
  stopped: Promise<void>,
): Promise<number> {
  const config = readConfig(env, flags);
  const onProgress = (line: string) => void process.stderr.write(`servery: ${line}\n`);
  const starting = startAs(config, { env, flags, onProgress });
  const isEarly = await Promise.race([starting.then(() => false), stopped.then(() => true)]);
  if (isEarly) return await stopWhileStarting(starting);
  const platform = await starting;
  process.stdout.write(`${platform.greeting}servery ready ${platform.url}\n`);
  await stopped;
  process.stderr.write('servery: stopping\n');
  await platform.stop();
  return 0;
}

/** A process that only starts workers loads little of the server. */
async function startAs(config: Config, options: WorkersOptions): Promise<Platform> {
  if (config.workers === 1) {
    const begun = await beginStart(config, options.onProgress);
    try {
      const server = await loadServer();
      const { profileContents } = await import('../sandbox/profile.ts');
      const { profile } = config;
      const contents = begun.isFirst && profile !== 'none' ? profileContents(profile) : null;
      return await server.start(config, { ...options, begun: { ...begun, contents } });
    } catch (error) {
      await giveUpDatabase();
      throw error;
    }
  }
  hasWorkers = true;
  return await (await import('./run-workers.ts')).startWithWorkers(config, options);
}

const serverParts: readonly (() => Promise<unknown>)[] = [
  () => import('@servery/contract'),
  () => import('../http/edge/application.ts'),
  () => import('../tokens/auth.ts'),
  () => import('../configuration/partner/handlers.ts'),
  () => import('../payments/partner/handlers.ts'),
  () => import('./webhooks-at-work.ts'),
  () => import('./back-office-handlers.ts'),
];

/** Loads in parts: in between, this thread does what the database waits for. */
async function loadServer(): Promise<typeof import('./server.ts')> {
  for (const load of serverParts) {
    await load();
    await new Promise<void>((resolve) => afterTurn(resolve));
  }
  return await import('./server.ts');
}

function tellFailure(error: unknown): number {
  if (error instanceof ConfigError) {
    const lines = error.faults.map((fault) => `  - ${fault}\n`).join('');
    process.stderr.write(`servery: invalid settings:\n${lines}`);
    return EXIT_USAGE;
  }
  process.stderr.write(`servery: ${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof AlreadyRuns ? EXIT_ALREADY_RUNS : EXIT_FAILURE;
}

/** Finishes the start so that it can stop in good order, within a limit. */
async function stopWhileStarting(starting: Promise<Platform>): Promise<number> {
  process.stderr.write('servery: stopping\n');
  const platform = await within(starting, START_GRACE_MS);
  if (platform === LATE) {
    await giveUpDatabase();
    return EXIT_TERMINATED;
  }
  await platform.stop();
  return 0;
}

/** The embedded PostgreSQL outlives a process that only exits. */
async function giveUpDatabase(): Promise<void> {
  // The process ends in any case; the next start takes over the database server.
  const ending = async () => {
    if (hasWorkers) await (await import('./workers/supervise.ts')).giveUpWorkers();
    await stopEmbeddedDatabases();
  };
  await within(ending(), DATABASE_GRACE_MS).catch(() => null);
}

function helpText(): string {
  const lines = Object.values(settings).map((setting) => {
    const { flag, env, fallback, description, isSwitch, parse } = setting;
    const value = parse.choices?.join('|') ?? 'value';
    const usage = isSwitch ? `--${flag}` : `--${flag} <${value}>`;
    return `  ${usage}\n      ${description}\n      (${env}; default: ${fallback})\n`;
  });
  const usage =
    'Usage: servery start [flags], or in the repository: npm start -- [flags]\n\n' +
    'A flag wins over its environment variable.';
  return `${usage}\n\n${lines.join('')}`;
}
