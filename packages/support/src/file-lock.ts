import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeDataDir } from './data-dir.ts';

/** A process that can be asked over HTTP whether it is alive. */
export interface Holder {
  readonly url: string;
  /** Names this run of the process: what has its port later has another name. */
  readonly instance: string;
  /** For people who want to look at the process or end it. */
  readonly pid: number;
}

/** What is known of a holder: `silent` is one that takes connections and does not answer. */
export type Liveness = 'ready' | 'starting' | 'stopping' | 'silent' | 'gone';

/** The process that locked a file last, and whether it is alive. */
export type LastHolder<Run extends Holder = Holder> = Run & { readonly liveness: Liveness };

/** Asks whether a holder is alive. */
export type AskHolder = (holder: Holder) => Promise<Liveness>;

interface Claim<Run extends Holder> {
  readonly number: number;
  readonly holder: Run;
}

/** Finds the process that locked the file last; null when none ever did. */
export async function findLastHolder<Run extends Holder>(
  file: string,
  ask: AskHolder,
): Promise<LastHolder<Run> | null> {
  const claim = await findLastClaim<Run>(file);
  return claim && { ...claim.holder, liveness: await ask(claim.holder) };
}

/**
 * Locks a file for a process that listens already. Gives null when the lock is taken, or the living
 * process that holds it. Every process makes a claim, a file with the next number. A number is never
 * reused, and its file is never removed while it is the highest. Only one process can make it, and
 * only after the process before it has ended. A process that was slow finds a higher number
 * afterwards.
 */
export async function lockFile<Run extends Holder>(
  file: string,
  own: Run,
  ask: AskHolder,
): Promise<LastHolder<Run> | null> {
  await makeDataDir(dirname(file), 0o700);
  for (;;) {
    const last = await findLastClaim<Run>(file);
    if (last) {
      const liveness = await ask(last.holder);
      if (liveness !== 'gone') return { ...last.holder, liveness };
    }
    const number = (last?.number ?? 0) + 1;
    if (!(await claim(file, number, own))) continue;
    const highest = Math.max(...(await listClaims(file)));
    if (highest > number) await rm(claimFile(file, number), { force: true });
    else {
      await forgetClaims(file, number);
      return null;
    }
  }
}

function claimFile(file: string, number: number): string {
  return `${file}.run-${number}`;
}

/** The numbers of all runs that are still known, in no order. */
async function listClaims(file: string): Promise<number[]> {
  const prefix = `${basename(file)}.run-`;
  const names = await readdir(dirname(file)).catch(() => []);
  return names
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)));
}

async function findLastClaim<Run extends Holder>(file: string): Promise<Claim<Run> | null> {
  const numbers = await listClaims(file);
  if (numbers.length === 0) return null;
  const number = Math.max(...numbers);
  try {
    const holder: Run = JSON.parse(await readFile(claimFile(file, number), 'utf8'));
    return { number, holder };
  } catch (error) {
    // A higher one has come in this moment.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return findLastClaim(file);
    throw error;
  }
}

/** Makes the file whole or not at all; false when another run was faster. */
async function claim(file: string, number: number, own: Holder): Promise<boolean> {
  const draft = join(dirname(file), `.draft-${randomUUID()}`);
  await writeFile(draft, `${JSON.stringify(own)}\n`, { mode: 0o600 });
  try {
    await link(draft, claimFile(file, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

async function forgetClaims(file: string, own: number): Promise<void> {
  const older = (await listClaims(file)).filter((number) => number < own);
  await Promise.all(older.map((number) => rm(claimFile(file, number), { force: true })));
}
