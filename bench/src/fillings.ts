import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Filled, type FillFlags, fill } from './filled.ts';
import {
  DATA_FOLDER,
  type MeasuredPlatform,
  makeFolder,
  type PlatformSettings,
  startPlatform,
} from './platform.ts';

/** A platform with what was filled in. */
export interface FilledPlatform extends MeasuredPlatform {
  readonly filled: Filled;
}

/** Data that were filled in once, and the platforms that are started on them. */
export interface Fillings extends AsyncDisposable {
  start(settings: PlatformSettings, flags: FillFlags): Promise<FilledPlatform>;
}

/** What was filled in, and the folder that holds it. */
interface Filling {
  readonly folder: string;
  readonly filled: Filled;
}

/**
 * Fills in at first need, and keeps the data until it is disposed: each start is a process of its
 * own, but the minutes of filling are spent once. One platform at a time has the same data.
 */
export function keepFillings(tell: (text: string) => void): Fillings {
  const fillings = new Map<string, Promise<Filling>>();
  return {
    async start(settings, flags) {
      const key = JSON.stringify(flags);
      const filling = fillings.get(key) ?? fillAlone(flags, tell);
      fillings.set(key, filling);
      const { folder, filled } = await filling;
      return { ...(await startPlatform({ ...settings, folder })), filled };
    },
    async [Symbol.asyncDispose]() {
      for (const filling of fillings.values()) {
        const { folder } = await filling.catch(() => ({ folder: null }));
        if (folder !== null) await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** The server makes its database and the demo group first, and is not there while it is filled. */
async function fillAlone(flags: FillFlags, tell: (text: string) => void): Promise<Filling> {
  const folder = await makeFolder();
  try {
    const startedMs = performance.now();
    await (await startPlatform({ folder }))[Symbol.asyncDispose]();
    const filled = await fill({ dataDir: join(folder, DATA_FOLDER) }, { ...flags, alone: true });
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    tell(`filled in ${flagsText(flags)}: ${seconds} s`);
    return { folder, filled };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function flagsText(flags: FillFlags): string {
  const told = Object.entries(flags).filter(([, value]) => value !== '' && value !== true);
  return told.map(([name, value]) => `${name} ${value.toLocaleString('en')}`).join(', ');
}
