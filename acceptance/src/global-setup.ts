import { RAISED_LIMITS, type StartedPlatform, startPlatform } from './platform.ts';
import { announcePlatform, suiteSettings } from './settings.ts';

let started: StartedPlatform | undefined;

/**
 * Starts the one platform that all files of a test run share, unless the run is pointed at another
 * by `SERVERY_URL`. For `node --test --test-global-setup`, alone or called by another module.
 */
export async function globalSetup(): Promise<void> {
  if (suiteSettings().url !== undefined) return;
  started = await startPlatform({ settings: RAISED_LIMITS });
  announcePlatform(started.baseUrl, started.demoPath, true);
}

/** Stops what `globalSetup` started. Safe to call more than once. */
export async function globalTeardown(): Promise<void> {
  const platform = started;
  started = undefined;
  await platform?.stop();
}
