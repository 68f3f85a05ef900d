import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request as ask } from 'node:http';
import { request as askTls, Agent as TlsAgent } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DemoClient, DemoFile } from '../../src/sandbox/demo-file.ts';
import { makeTestFolder, removeTestFolder } from '../test-folder.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const READY = /^servery ready (\S+)\n/m;

/** An answer, as far as these tests look at it. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A server with several workers, as everybody starts it. */
export interface Crew {
  readonly url: string;
  readonly child: ChildProcess;
  readonly demo: DemoFile;
  /** Everything that it wrote so far, on standard output and standard error. */
  output(): string;
  /** Resolves when what it wrote matches. */
  says(words: RegExp): Promise<void>;
  /** The processes of its workers. */
  workers(): Promise<readonly number[]>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** Ends what still runs, and removes the files. */
  remove(): Promise<void>;
}

/** How a server is started. */
export interface CrewOptions {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A server that was begun, and whatever it writes; its folder is removed with it. */
export async function beginCrew({ flags = [], env = {} }: CrewOptions) {
  const folder = await makeTestFolder();
  const dataDir = join(folder, 'data');
  const args = [MAIN, '--port', '0', '--data-dir', dataDir, '--profile', 'empty', ...flags];
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
      const isEnd = await Promise.race([isOver, once(news, 'news').then(() => false)]);
      if (isEnd && !words.test(output)) throw new Error(`it ended without ${words}:\n${output}`);
    }
  };
  const remove = async () => {
    child.kill('SIGKILL');
    await ended;
    removeTestFolder(folder);
  };
  return { child, dataDir, ended, output: () => output, says, remove };
}

/** Starts a server and waits until it serves. */
export async function startCrew(options: CrewOptions): Promise<Crew> {
  const { dataDir, ...begun } = await beginCrew(options);
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
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s.*worker-main\.ts/.exec(line) ?? [];
    return Number(parent) === starter ? [Number(pid)] : [];
  });
}

/** One connection to a server, which stays with the worker that has it. */
export interface Line {
  send(path: string, headers?: Record<string, string>, body?: object): Promise<Answer>;
  close(): void;
}

/** Opens a connection. */
export function openLine(url: string): Line {
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
      const [answer] = await once(request, 'response');
      return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
    },
    close: () => agent.destroy(),
  };
}

/** A token of an account of the sandbox; tries again while the budget is used up. */
export async function logIn({ url }: Crew, account: DemoClient): Promise<string> {
  const line = openLine(url);
  const { clientId, clientSecret, userAccessType } = account;
  const body = { clientId, clientSecret, userAccessType };
  for (;;) {
    const answer = await line.send('/authentication/v1/authentication/login', {}, body);
    if (answer.status === 429) continue;
    line.close();
    if (answer.status !== 200) throw new Error(`the login was answered with ${answer.status}`);
    return JSON.parse(answer.body).token.accessToken;
  }
}
