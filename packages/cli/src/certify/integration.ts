import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { LATE, machineTimer, within } from '@servery/support/timer.ts';
import type { Environment } from '../command.ts';

/** What an integration is asked to do. */
export type Task = 'sync' | 'order' | 'listen';

const LIMIT_MS = 60_000;
const KEPT_OF_OUTPUT = 1_000;

/** A run of the integration under way. */
export interface Started {
  readonly ended: Promise<Run>;
  stop(): Promise<void>;
}

/** How a run of the integration ended. */
export interface Run {
  readonly code: number;
  /** The end of what it wrote. */
  readonly output: string;
  readonly isLate: boolean;
}

/** Starts the command in a shell, with what it needs to know in variables. */
export function startIntegration(
  commandLine: string,
  env: Environment,
  signal: AbortSignal,
): Started {
  // A group of its own, so that what the shell started ends with it.
  const child = spawn(commandLine, {
    ...{ shell: true, detached: true, env: { ...env } },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-KEPT_OF_OUTPUT);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const closed = once(child, 'close').then(([code]) => Number(code ?? 1));
  const end = () => endGroup(child);
  signal.addEventListener('abort', end);
  const ended = within(closed, LIMIT_MS, machineTimer).then(async (code) => {
    const isLate = code === LATE;
    if (isLate) end();
    return { code: isLate ? 1 : code, output: output.trim(), isLate };
  });
  return {
    ended,
    stop: async () => {
      end();
      await closed;
      signal.removeEventListener('abort', end);
    },
  };
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
