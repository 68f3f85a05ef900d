/** Where the suite is pointed at. Absent: the suite starts a platform of its own. */
export interface SuiteSettings {
  /** Base address of a running platform. */
  readonly url: string | undefined;
  /** Path of the `demo.json` of that platform. */
  readonly demo: string | undefined;
  /** Data folder of that platform when the suite started it itself, with raised rate limits. */
  readonly ownDataDir: string | undefined;
}

/** Reads the suite's settings. The only reader of the environment in this package. */
export function suiteSettings(): SuiteSettings {
  return {
    url: process.env.SERVERY_URL,
    demo: process.env.SERVERY_DEMO,
    ownDataDir: process.env.SERVERY_ACCEPTANCE_DATA_DIR,
  };
}

/** Hands a platform on to the test processes that this process will start. */
export function announcePlatform(url: string, demo: string, ownDataDir?: string): void {
  process.env.SERVERY_URL = url;
  process.env.SERVERY_DEMO = demo;
  if (ownDataDir !== undefined) process.env.SERVERY_ACCEPTANCE_DATA_DIR = ownDataDir;
}

/**
 * The environment for a platform that the suite starts: this process's, without any setting of the
 * product that happens to be set here, and with `settings` on top.
 */
export function platformEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !name.startsWith('SERVERY_') && name !== 'DATABASE_URL' && !name.startsWith('NODE_'),
  );
  return { ...Object.fromEntries(inherited), ...settings };
}
