import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { sleep } from '@servery/support/timer.ts';
import { plantedEnvironment } from '../defects/environment.ts';

/** Something that is killed and started again, any number of times. */
export interface Victim {
  readonly name: string;
  /** Whether it is ready, as far as is known. */
  isUp(): boolean;
  /** Ends it with `kill -9` by its process id, and waits until it is gone. */
  kill(): Promise<void>;
  /** Starts it and waits until it is ready; tries again as often as it fails. */
  start(): Promise<void>;
}

/** A victim that is a process of its own. */
export interface KeptProcess extends Victim {
  /** Sends it a signal, such as SIGSTOP; nothing happens while it is not there. */
  signal(name: NodeJS.Signals): void;
}

/** How a program is run that says a line when it is ready. */
export interface Program {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Matches the line of its output that says so. */
  readonly ready: RegExp;
  /** Where what it writes is collected. */
  readonly logFile: string;
  /** Is told when it ends, once it was ready, without having been killed. */
  onUnexpectedEnd(how: string): void;
}

/** A busy machine may hold a process for seconds, again and again. */
const START_LIMIT_MS = 150_000;
const TOLD_LINES = 40;
const RETRY_PAUSE_MS = 100;

/** Makes a victim of a Node program; nothing is started yet. */
export function keptProcess(program: Program): KeptProcess {
  let child: ChildProcess | null = null;
  let isReady = false;
  process.once('exit', () => child?.kill('SIGKILL'));
  const kill = async () => {
    const killed = child;
    child = null;
    isReady = false;
    if (!killed || killed.exitCode !== null || killed.signalCode !== null) return;
    const gone = once(killed, 'exit');
    killed.kill('SIGKILL');
    await gone;
  };
  const launch = async () => {
    const started = spawnProgram(program);
    child = started;
    started.once('exit', (code, signal) => {
      if (child === started && isReady) program.onUnexpectedEnd(`${signal ?? `exit code ${code}`}`);
      if (child === started) isReady = false;
    });
    isReady = await saysReady(program, started);
    if (!isReady && child === started) await kill();
    return isReady;
  };
  return {
    name: program.name,
    isUp: () => isReady,
    kill,
    signal: (name) => void child?.kill(name),
    async start() {
      const limitAt = performance.now() + START_LIMIT_MS;
      while (!(await launch())) {
        if (performance.now() > limitAt) {
          throw new Error(`${program.name} does not start. Its log ends:\n${lastSaid(program)}`);
        }
        await sleep(RETRY_PAUSE_MS);
      }
    },
  };
}

/** The log itself is gone when the run has ended. */
function lastSaid({ logFile }: Program): string {
  if (!existsSync(logFile)) return '';
  return readFileSync(logFile, 'utf8').split('\n').slice(-TOLD_LINES).join('\n');
}

function spawnProgram({ args, cwd, env, logFile }: Program): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const log = openSync(logFile, 'a');
  try {
    return spawn(process.execPath, [...args], {
      cwd,
      env: { PATH, HOME, ...plantedEnvironment(), ...env },
      stdio: ['ignore', 'pipe', log],
    });
  } finally {
    closeSync(log);
  }
}

/** Reads its output until it says so, or ends; what it says later is collected all the same. */
function saysReady({ ready, logFile }: Program, child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve(false));
    child.once('error', () => resolve(false));
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    lines.on('line', (line) => {
      appendFileSync(logFile, `${line}\n`);
      if (ready.test(line)) resolve(true);
    });
  });
}
