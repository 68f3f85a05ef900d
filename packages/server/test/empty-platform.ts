import { readFile } from 'node:fs/promises';
import { type Platform, start } from '../src/boot/server.ts';
import { readConfig } from '../src/config/config.ts';
import { type DemoFile, demoFilePath } from '../src/sandbox/demo-file.ts';

/** Starts a server with the profile `empty` in this process. No test reaches its rate limits. */
export async function startEmptyPlatform(
  databaseUrl: string,
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Platform> {
  const settings = {
    DATABASE_URL: databaseUrl,
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: '0',
    SERVERY_PROFILE: 'empty',
    SERVERY_PROCESSOR: 'in-process',
    SERVERY_LOG_LEVEL: 'silent',
    SERVERY_RATE_LIMIT_PER_SECOND: '100000',
    SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '1000000',
    ...more,
  };
  return await start(readConfig(settings, []));
}

/** What the first server told of the accounts that it made. */
export async function readDemoFile(folder: string): Promise<DemoFile> {
  return JSON.parse(await readFile(demoFilePath(folder), 'utf8'));
}
