import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { runEvery } from '../packages/support/src/runner.ts';

/** How long tests may take, in milliseconds. */
export interface TestLimits {
  /** One test, unless it has a limit of its own; it fails by its name, and its file goes on. */
  readonly testMs: number;
  /** One file, from the start of its process; that is ended, with all that it has started. */
  readonly fileMs: number;
  /** The runner, while it runs no file: it waits for something that a file has left behind. */
  readonly idleMs: number;
  /** How often is looked: a list of all processes costs a twentieth of a second. */
  readonly lookMs: number;
}

/** What no good test needs on the slowest machine, and far less than CI has for all of them. */
export const TEST_LIMITS: TestLimits = {
  ...{ testMs: 600_000, fileMs: 1_200_000, idleMs: 300_000, lookMs: 20_000 },
};

/** How Node's test runner is called. */
export interface WatchedRun {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly options: readonly string[];
  readonly files: readonly string[];
  readonly limits: TestLimits;
  /** Gets a line about what was ended. */
  readonly tell: (line: string) => void;
  /** Milliseconds, read once in each look; the machine's own when absent. */
  readonly nowMs?: () => number;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/**
 * Runs test files in Node's test runner, and gives its exit code. The runner has a limit for tests
 * and none for files: one whose process does not end, for a connection that it keeps or a loop that
 * never yields, would hold the run for ever, without a word of which it was.
 */
export async function runWatchedTests(run: WatchedRun): Promise<number> {
  const { cwd, env, options, files, limits } = run;
  const args = ['--test', `--test-timeout=${limits.testMs}`, ...options, ...files];
  const runner = spawn(process.execPath, args, { cwd, env, stdio: 'inherit' });
  const watch = createWatch(run, runner.pid ?? 0);
  const watching = runEvery(limits.lookMs, watch.look, (error) => run.tell(String(error)));
  const [code] = (await once(runner, 'exit')) as [number | null];
  await watching.stop();
  return watch.isSound() ? (code ?? 1) : 1;
}

/** Ends what takes too long, look by look. */
function createWatch(run: WatchedRun, runner: number) {
  const { files, limits, tell, nowMs: readMs = () => performance.now() } = run;
  const begunMs = new Map<number, number>();
  const ended = new Set<number>();
  let idleSinceMs = readMs();
  const end = (pid: number, all: readonly Process[], why: string) => {
    // It may still be there at the next look.
    if (!ended.has(pid)) tell(`${why}: it is ended`);
    ended.add(pid);
    endWithChildren(pid, all);
  };
  const look = async () => {
    const all = await listProcesses();
    const nowMs = readMs();
    const own = all.filter(({ parent, command }) => parent === runner && fileOf(command, files));
    for (const { pid, command } of own) {
      const ageMs = nowMs - (begunMs.get(pid) ?? nowMs);
      begunMs.set(pid, nowMs - ageMs);
      if (ageMs < limits.fileMs) continue;
      end(pid, all, `${fileOf(command, files)} did not end within ${limits.fileMs / 1000} s`);
    }
    if (own.length > 0 || begunMs.size === 0) idleSinceMs = nowMs;
    if (nowMs - idleSinceMs < limits.idleMs) return;
    end(runner, all, `no test runs for ${limits.idleMs / 1000} s, and the run does not end`);
  };
  return { look, isSound: () => ended.size === 0 };
}

function fileOf(command: string, files: readonly string[]): string | undefined {
  return files.find((file) => command.endsWith(` ${file}`));
}

const execute = promisify(execFile);

async function listProcesses(): Promise<Process[]> {
  const args = ['-A', '-ww', '-o', 'pid=,ppid=,args='];
  const maxBuffer = 64 * 1024 * 1024;
  const { stdout } = await execute('ps', args, { maxBuffer });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*?)\s*$/.exec(line) ?? [];
    return pid ? [{ pid: Number(pid), parent: Number(parent), command }] : [];
  });
}

/** What a test has started would hold its output open, and so the runner. */
function endWithChildren(pid: number, all: readonly Process[]): void {
  for (const child of all.filter(({ parent }) => parent === pid)) endWithChildren(child.pid, all);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
