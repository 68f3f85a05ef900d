import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeDataDir } from '@servery/support/data-dir.ts';
import { askHolder, type Holder, type Liveness } from './health.ts';

/** Exit code of a child that found its ledger in the hands of another process. */
export const EXIT_TAKEN = 3;

/** The run that took a ledger last, and whether it still has it. */
export type LastHolder<Run extends Holder = Holder> = Run & { readonly liveness: Liveness };

/** Asks whether a run is alive. */
type Ask = (holder: Holder) => Promise<Liveness>;

interface Claim<Run extends Holder> {
  readonly number: number;
  readonly holder: Run;
}

/** Finds who took the ledger last; null when nobody ever did. */
export async function findLastHolder<Run extends Holder = Holder>(
  ledgerFile: string,
  ask: Ask = askHolder,
): Promise<LastHolder<Run> | null> {
  const claim = await findLastClaim<Run>(ledgerFile);
  return claim && { ...claim.holder, liveness: await ask(claim.holder) };
}

/**
 * Takes a ledger for a run that listens already, so that one process at a time writes it. Gives
 * null when it is taken, or the living run that has it. Every run makes a file with the next
 * number, which is never reused and never removed while it is the highest; only one can make it,
 * and only after the run before it has ended. Whoever was slow finds a higher number afterwards.
 */
export async function takeLedger<Run extends Holder>(
  ledgerFile: string,
  own: Run,
  ask: Ask = askHolder,
): Promise<LastHolder<Run> | null> {
  await makeDataDir(dirname(ledgerFile), 0o700);
  for (;;) {
    const last = await findLastClaim<Run>(ledgerFile);
    if (last) {
      const liveness = await ask(last.holder);
      if (liveness !== 'gone') return { ...last.holder, liveness };
    }
    const number = (last?.number ?? 0) + 1;
    if (!(await claim(ledgerFile, number, own))) continue;
    const highest = Math.max(...(await listClaims(ledgerFile)));
    if (highest > number) await rm(claimFile(ledgerFile, number), { force: true });
    else {
      await forgetClaims(ledgerFile, number);
      return null;
    }
  }
}

function claimFile(ledgerFile: string, number: number): string {
  return `${ledgerFile}.run-${number}`;
}

/** The numbers of all runs that are still known, in no order. */
async function listClaims(ledgerFile: string): Promise<number[]> {
  const prefix = `${basename(ledgerFile)}.run-`;
  const names = await readdir(dirname(ledgerFile)).catch(() => []);
  return names
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)));
}

async function findLastClaim<Run extends Holder>(ledgerFile: string): Promise<Claim<Run> | null> {
  const numbers = await listClaims(ledgerFile);
  if (numbers.length === 0) return null;
  const number = Math.max(...numbers);
  try {
    const holder: Run = JSON.parse(await readFile(claimFile(ledgerFile, number), 'utf8'));
    return { number, holder };
  } catch (error) {
    // A higher one has come in this moment.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return findLastClaim(ledgerFile);
    throw error;
  }
}

/** Makes the file whole or not at all; false when another run was faster. */
async function claim(ledgerFile: string, number: number, own: Holder): Promise<boolean> {
  const draft = join(dirname(ledgerFile), `.draft-${randomUUID()}`);
  await writeFile(draft, `${JSON.stringify(own)}\n`, { mode: 0o600 });
  try {
    await link(draft, claimFile(ledgerFile, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

async function forgetClaims(ledgerFile: string, own: number): Promise<void> {
  const older = (await listClaims(ledgerFile)).filter((number) => number < own);
  await Promise.all(older.map((number) => rm(claimFile(ledgerFile, number), { force: true })));
}
