import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
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
  start(scenario: string, settings: PlatformSettings, flags: FillFlags): Promise<FilledPlatform>;
}

/** What was filled in, and the folder that holds it. */
interface Filling {
  readonly folder: string;
  readonly filled: Filled;
}

/**
 * Fills in at first need, and keeps the data until it is disposed: each start is a process of its
 * own, but the minutes of filling are spent once. Each scenario has its own data, because some add
 * to it. One platform at a time has the same data. With `keptIn`, it stays there for later runs.
 */
export function keepFillings(tell: (text: string) => void, keptIn: string | null): Fillings {
  const fillings = new Map<string, Promise<Filling>>();
  return {
    async start(scenario, settings, flags) {
      const key = [scenario, ...Object.entries(flags).flat()].join('-');
      const filling = fillings.get(key) ?? findOrFill(key, flags, tell, keptIn);
      fillings.set(key, filling);
      const { folder, filled } = await filling;
      return { ...(await startPlatform({ ...settings, folder })), filled };
    },
    async [Symbol.asyncDispose]() {
      for (const filling of keptIn === null ? fillings.values() : []) {
        const { folder } = await filling.catch(() => ({ folder: null }));
        if (folder !== null) await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function findOrFill(
  name: string,
  flags: FillFlags,
  tell: (text: string) => void,
  keptIn: string | null,
): Promise<Filling> {
  if (keptIn === null) return await fillAlone(await makeFolder(), flags, tell);
  const folder = join(resolve(keptIn), name);
  const file = join(folder, 'filled.json');
  const known = await readFile(file, 'utf8').catch(() => null);
  if (known !== null) return { folder, filled: JSON.parse(known) };
  // An interrupted run may have left a part.
  await rm(folder, { recursive: true, force: true });
  // PostgreSQL's user must be able to enter it, too.
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const filling = await fillAlone(folder, flags, tell);
  await writeFile(file, JSON.stringify(filling.filled));
  return filling;
}

/** The server makes its database and the demo group first, and is not there while it is filled. */
async function fillAlone(
  folder: string,
  flags: FillFlags,
  tell: (text: string) => void,
): Promise<Filling> {
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
