import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The core of what is measured. */
export const MEASURED_CORE = '0';
/** The core of the load and of the database; where there is only one, all share it. */
export const LOAD_CORE = String(Math.min(1, cpus().length - 1));
/** Every core, for what may use the machine as it likes. */
export const ALL_CORES = `0-${cpus().length - 1}`;

/** What Linux counts a process's time in; a hundredth of a second everywhere. */
const TICK_MS = 10;
const NS_PER_MS = 1_000_000;
const KIBIBYTE = 1024;

/** A process that is measured. */
export interface MeasuredProcess {
  readonly pid: number;
  /** Where its inspector listens; null when it was started without. */
  readonly inspectorUrl: string | null;
}

/** A child that has said where it can be reached. */
export interface StartedProcess extends MeasuredProcess, AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
}

/** How a child is started. */
export interface StartOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** A list of cores as `taskset` reads it; `MEASURED_CORE` when absent. */
  readonly cores?: string;
  /** Gets what it writes to standard error; the bench's own when absent. */
  readonly logFile?: string;
  /** What of a line on standard output is its address; `… ready <address>` when absent. */
  readonly ready?: RegExp;
}

/** What has been started and not stopped yet. */
const running = new Set<ChildProcess>();

// Whatever ends the bench, the servers that it has started do not go on without it.
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** Ends all that has been started, and waits until it is gone. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map(stopChild));
}

/** Ends a child with the bench, whatever ends that. */
export function endWithBench(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

const READY = /ready (http:\S+)$/;
const INSPECTOR = /^Debugger listening on (ws:\S+)$/m;

/**
 * Starts Node with `args`, waits until it says on standard output where it can be reached, and pins
 * it. Throws when it ends before. Disposing it ends it and waits until it is gone.
 */
export async function startProcess(
  args: readonly string[],
  options: StartOptions = {},
): Promise<StartedProcess> {
  const { env, cwd = ROOT, cores = MEASURED_CORE, logFile, ready = READY } = options;
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'a');
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', log] });
  const pid = child.pid ?? 0;
  endWithBench(child);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for await (const line of lines) {
    const url = ready.exec(line)?.[1];
    if (url === undefined) continue;
    await pin(pid, cores);
    const said = logFile === undefined ? '' : readFileSync(logFile, 'utf8');
    const inspectorUrl = INSPECTOR.exec(said)?.[1] ?? null;
    return { url, child, pid, inspectorUrl, [Symbol.asyncDispose]: () => stopChild(child) };
  }
  const said = logFile === undefined ? '' : `:\n${readFileSync(logFile, 'utf8')}`;
  throw new Error(`${args.at(0)} ended before it was ready${said}`);
}

/** Ends a child and waits until it is gone. */
async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

const run = promisify(execFile);

/** Pins a process, with all of its threads, to cores; false where the system cannot. */
export async function pin(pid: number, cores: string): Promise<boolean> {
  return run('taskset', ['-a', '-p', '-c', cores, String(pid)]).then(
    () => true,
    () => false,
  );
}

/** Pins a process and all that it has started. */
export async function pinFamily(pid: number, cores: string): Promise<void> {
  const all = [pid, ...(await descendantsOf(pid))];
  await Promise.all(all.map((one) => pin(one, cores)));
}

/** The processes that `pid` has started and that they have, without itself. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const fields = await statFields(Number(name));
    if (fields) parents.set(Number(name), Number(fields[1]));
  }
  const isBelow = (one: number | undefined): boolean =>
    one !== undefined && one > 1 && (one === pid || isBelow(parents.get(one)));
  return [...parents.keys()].filter((one) => one !== pid && isBelow(one));
}

/** The processor time that a process has used, in milliseconds; NaN where nobody tells. */
export async function cpuTimeMs(pid: number): Promise<number> {
  const fields = await statFields(pid);
  return fields ? (Number(fields[11]) + Number(fields[12])) * TICK_MS : Number.NaN;
}

/**
 * The processor time of a process, of all that it has started and of what these have started, in
 * milliseconds: of those that have ended too, as soon as they were waited for.
 */
export async function familyCpuTimeMs(pid: number): Promise<number> {
  let ticks = 0;
  for (const member of [pid, ...(await descendantsOf(pid))]) {
    const fields = await statFields(member);
    for (const field of fields?.slice(11, 15) ?? []) ticks += Number(field);
  }
  return ticks * TICK_MS;
}

/**
 * Like `familyCpuTimeMs`, but to the microsecond, for less than a hundredth of a second. Only for
 * processes with one thread, for example those of PostgreSQL.
 */
export async function familyRunTimeMs(pid: number): Promise<number> {
  let usedMs = 0;
  for (const member of [pid, ...(await descendantsOf(pid))]) {
    const text = await readFile(`/proc/${member}/schedstat`, 'utf8').catch(() => '0');
    const [, , ...ofEnded] = (await statFields(member))?.slice(11, 15) ?? [];
    usedMs += Number(text.split(' ')[0]) / NS_PER_MS;
    for (const ticks of ofEnded) usedMs += Number(ticks) * TICK_MS;
  }
  return usedMs;
}

/** The fields of `/proc/<pid>/stat` after the name, which may hold blanks; null without it. */
async function statFields(pid: number): Promise<string[] | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The memory of a process in bytes: all of it, and with shared pages split between their users. */
export async function memoryOf(pid: number): Promise<{ rss: number; pss: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) * KIBIBYTE;
  return { rss: bytes('Rss'), pss: bytes('Pss') };
}
