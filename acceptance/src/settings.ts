import { join } from 'node:path';

/** Where the suite is pointed at. Absent: the suite starts a platform of its own. */
export interface SuiteSettings {
  /** Base address of a running platform. */
  readonly url: string | undefined;
  /** Path of the `demo.json` of that platform. */
  readonly demo: string | undefined;
  /** Data folder of that platform when the suite started it itself, with raised rate limits. */
  readonly ownDataDir: string | undefined;
  /** Data folder of a sandbox that the suite has started and ended, to begin others with. */
  readonly filledDataDir: string | undefined;
  /** How far `servery conform` may go; undefined in the ring itself, which may do everything. */
  readonly level: ConformLevel | undefined;
}

/**
 * How far `servery conform` goes: calls that read, calls of the contract, or everything that this
 * product has, on a platform with all that the demo group has.
 */
export type ConformLevel = 'read' | 'write' | 'full';

/** Reads the suite's settings. The only reader of the environment in this package. */
export function suiteSettings(): SuiteSettings {
  return {
    url: process.env.SERVERY_URL,
    demo: process.env.SERVERY_DEMO,
    ownDataDir: process.env.SERVERY_ACCEPTANCE_DATA_DIR,
    filledDataDir: process.env.SERVERY_TEST_FILLED,
    level: process.env.SERVERY_CONFORM_LEVEL as ConformLevel | undefined,
  };
}

/**
 * Lets all processes of a run share what Node.js compiles, unless it is set otherwise: most of each
 * test file's time is the loading of the same modules. `folder` may be kept between runs.
 */
export function shareCompileCache(folder: string): void {
  process.env.NODE_COMPILE_CACHE ??= folder;
}

/** What to start for a source file: a whole run of the tests has made some into few files. */
export function programFile(repository: string, source: string): string {
  const programs: Readonly<Record<string, string>> = JSON.parse(
    process.env.SERVERY_TEST_PROGRAMS ?? '{}',
  );
  return programs[source] ?? join(repository, source);
}

/** Hands a platform on to the test processes that this process will start. */
export function announcePlatform(url: string, demo: string, ownDataDir?: string): void {
  process.env.SERVERY_URL = url;
  process.env.SERVERY_DEMO = demo;
  if (ownDataDir !== undefined) process.env.SERVERY_ACCEPTANCE_DATA_DIR = ownDataDir;
}

/** Hands on a data folder that the platforms of the suite begin with. */
export function announceFilled(dataDir: string): void {
  process.env.SERVERY_TEST_FILLED = dataDir;
}

/**
 * The environment for a platform that the suite starts: this process's, without any setting of the
 * product that happens to be set here, and with `settings` on top.
 */
export function platformEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => name === 'NODE_COMPILE_CACHE' || !/^(SERVERY_|NODE_|DATABASE_URL$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...settings };
}
