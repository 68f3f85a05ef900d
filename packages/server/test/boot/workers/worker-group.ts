import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request as ask } from 'node:http';
import { request as askTls, Agent as TlsAgent } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { isRunning } from '@servery/postgres/postgres-cluster.ts';
import { LATE, sleep, within } from '@servery/support/timer.ts';
import { makeTestFolder, removeTestFolder } from '../../../../postgres/test/test-folder.ts';
import { programFile } from '../../../../support/test/program.ts';
import type { DemoClient, DemoFile } from '../../../src/sandbox/demo-file.ts';

const MAIN = programFile('packages/server/src/main.ts');
const READY = /^servery ready (\S+)\n/m;

/** What no machine is so slow for, in milliseconds: what takes longer hangs, and is to fail. */
const STEP_LIMIT_MS = 240_000;
const POLL_MS = 100;

/** What `work` gives; throws an Error that says what was waited for when it takes too long. */
export async function inTime<Result>(work: Promise<Result>, what: string): Promise<Result> {
  const result = await within(work, STEP_LIMIT_MS);
  if (result === LATE) throw new Error(`${what} did not come within ${STEP_LIMIT_MS / 1000} s`);
  return result;
}

/** Looks again and again until `holds`; throws an Error that says for what when it never does. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const startedMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedMs > STEP_LIMIT_MS) throw new Error(`${what} does not come`);
    await sleep(POLL_MS);
  }
}

/** An answer, as far as these tests look at it. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A server with several workers, as everybody starts it. */
export interface WorkerGroup {
  readonly url: string;
  readonly child: ChildProcess;
  readonly demo: DemoFile;
  /** Everything that it wrote so far, on standard output and standard error. */
  output(): string;
  /** Resolves when what it wrote matches; throws when it writes nothing at all for minutes. */
  says(words: RegExp): Promise<void>;
  /** The processes of its workers. */
  workers(): Promise<readonly number[]>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** Ends what still runs, and removes the files. */
  remove(): Promise<void>;
}

/** How a server is started. */
export interface WorkerGroupOptions {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where its data folder is, which stays; one of its own when absent. */
  readonly folder?: string;
  /** Of Node.js itself. */
  readonly nodeFlags?: readonly string[];
}

/** A server that was begun, and whatever it writes; its folder is removed with it. */
export async function spawnWorkerGroup({
  flags = [],
  env = {},
  nodeFlags = [],
  ...options
}: WorkerGroupOptions) {
  const folder = options.folder ?? (await makeTestFolder());
  const dataDir = join(folder, 'data');
  const own = ['--port', '0', '--data-dir', dataDir, '--profile', 'empty'];
  const args = [...nodeFlags, MAIN, ...own, ...flags];
  const child = spawn(process.execPath, args, {
    env: { PATH: '/usr/bin:/bin', SERVERY_LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let output = '';
  const news = new EventTarget();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      news.dispatchEvent(new Event('news'));
    });
  }
  const isOver = ended.then(() => true);
  const says = async (words: RegExp) => {
    while (!words.test(output)) {
      const heard = Promise.race([isOver, once(news, 'news').then(() => false)]);
      const isEnd = await inTime(heard, `${words}, or anything else, after ${output}`);
      if (isEnd && !words.test(output)) throw new Error(`it ended without ${words}:\n${output}`);
    }
  };
  const remove = async () => {
    const workers = await workersOf(child.pid);
    child.kill('SIGKILL');
    try {
      // Workers that nobody has started anymore end too, and what they write ends with them.
      await inTime(ended, 'the end of the workers');
    } finally {
      for (const pid of workers) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
      if (options.folder === undefined) removeTestFolder(folder);
    }
  };
  return { child, dataDir, ended, output: () => output, says, remove };
}

/** Starts a server and waits until it serves. */
export async function startWorkerGroup(options: WorkerGroupOptions): Promise<WorkerGroup> {
  const { dataDir, ...begun } = await spawnWorkerGroup(options);
  try {
    await begun.says(READY);
  } catch (error) {
    await begun.remove();
    throw error;
  }
  const url = READY.exec(begun.output())?.[1] ?? '';
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
  return { ...begun, url, demo, workers: () => workersOf(begun.child.pid) };
}

const run = promisify(execFile);

/** The processes of the workers that a process has started. */
export async function workersOf(starter: number | undefined): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s.*\/worker(?:-main)?\./.exec(line) ?? [];
    return Number(parent) === starter ? [Number(pid)] : [];
  });
}

/** One connection to a server, which stays with the worker that has it. */
export interface Connection {
  send(path: string, headers?: Record<string, string>, body?: object): Promise<Answer>;
  close(): void;
}

/** Opens a connection. */
export function openConnection(url: string): Connection {
  const isTls = url.startsWith('https:');
  const one = { keepAlive: true, maxSockets: 1 };
  // The certificate is one that the server has made itself.
  const agent = isTls ? new TlsAgent({ ...one, rejectUnauthorized: false }) : new Agent(one);
  return {
    async send(path, headers = {}, body) {
      const method = body ? 'POST' : 'GET';
      const json = body ? { 'content-type': 'application/json' } : {};
      const options = { agent, method, headers: { ...json, ...headers } };
      const request = (isTls ? askTls : ask)(`${url}${path}`, options);
      request.end(body && JSON.stringify(body));
      const answered = once(request, 'response').then(async ([answer]) => ({
        ...{ status: answer.statusCode, headers: answer.headers, body: await text(answer) },
      }));
      return await inTime(answered, `the answer to ${method} ${path}`);
    },
    close: () => agent.destroy(),
  };
}

/** A token of an account of the sandbox; tries again while the budget is used up. */
export async function logIn({ url }: WorkerGroup, account: DemoClient): Promise<string> {
  const connection = openConnection(url);
  const { clientId, clientSecret, userAccessType } = account;
  const body = { clientId, clientSecret, userAccessType };
  for (;;) {
    const answer = await connection.send('/authentication/v1/authentication/login', {}, body);
    if (answer.status === 429) continue;
    connection.close();
    if (answer.status !== 200) throw new Error(`the login was answered with ${answer.status}`);
    return JSON.parse(answer.body).token.accessToken;
  }
}

/** A connection that sends bytes as they are. */
export interface RawConnection {
  write(bytes: string): void;
  /** Resolves with where all that came matches; throws when the connection ends before it does. */
  says(words: RegExp): Promise<RegExpExecArray>;
  close(): void;
}

/** Opens a connection without a request. */
export function openRawConnection(url: string): RawConnection {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let said = '';
  let isOver = false;
  const news = new EventTarget();
  const tell = () => news.dispatchEvent(new Event('news'));
  socket.on('data', (text) => {
    said += text;
    tell();
  });
  socket.on('error', () => {});
  socket.once('close', () => {
    isOver = true;
    tell();
  });
  return {
    write: (bytes) => void socket.write(bytes),
    async says(words) {
      const startedMs = performance.now();
      for (;;) {
        const found = words.exec(said);
        if (found) return found;
        if (isOver) throw new Error(`the connection ended without ${words}: ${said}`);
        // A stream goes on saying something else.
        const isLate = performance.now() - startedMs > STEP_LIMIT_MS;
        if (isLate) throw new Error(`${words} does not come: ${said}`);
        await inTime(once(news, 'news'), `${words} after "${said}"`);
      }
    },
    close: () => socket.destroy(),
  };
}
