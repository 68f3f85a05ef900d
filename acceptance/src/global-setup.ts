import { fileURLToPath } from 'node:url';
import { fillSandbox, OWN_SETTINGS, type StartedPlatform, startPlatform } from './platform.ts';
import { announceFilled, announcePlatform, shareCompileCache, suiteSettings } from './settings.ts';

const COMPILE_CACHE = new URL('../../node_modules/.cache/node-compile', import.meta.url);

let started: StartedPlatform | undefined;
let filled: Awaited<ReturnType<typeof fillSandbox>> | undefined;

/**
 * Starts the one platform that all files of a test run share, unless the run is pointed at another
 * by `SERVERY_URL`. For `node --test --test-global-setup`, alone or called by another module.
 */
export async function globalSetup(): Promise<void> {
  shareCompileCache(fileURLToPath(COMPILE_CACHE));
  if (suiteSettings().url !== undefined) return;
  filled = await fillSandbox();
  announceFilled(filled.dataDir);
  started = await startPlatform({ settings: OWN_SETTINGS });
  announcePlatform(started.baseUrl, started.demoPath, started.dataDir);
}

/** Stops what `globalSetup` started. Safe to call more than once. */
export async function globalTeardown(): Promise<void> {
  const platform = started;
  started = undefined;
  await platform?.stop();
  await filled?.remove();
}
