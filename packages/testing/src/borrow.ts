import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CreatedSandbox, CreateSandbox } from '@servery/contract';
import { keeperEnvironment, runnerPid } from './environment.ts';
import { firstLine } from './first-line.ts';

/** What the keeper of the platform is asked. */
export type KeeperRequest =
  /** Makes a sandbox; by default, one with the demo group. */
  | { readonly what: 'sandbox'; readonly from: CreateSandbox['from'] | null }
  /** Answers when the platform runs. */
  | { readonly what: 'start' }
  /** Answers when the platform has ended. */
  | { readonly what: 'end' };

/** What it answers: a sandbox if it was asked for one. */
export type KeeperAnswer =
  | { readonly sandbox: CreatedSandbox | null }
  | { readonly problem: string };

export interface Borrowed {
  readonly sandbox: CreatedSandbox;
  /** Has it dropped. The keeper does so, too, when this process ends. */
  giveBack(): Promise<void>;
}

const KEEPER = fileURLToPath(new URL('./keeper.ts', import.meta.url));
/** What a new keeper says first. */
export const READY = 'ready';
const KEEPER_ENDED = 'The process that keeps the platform of this test run has ended.';

/** Has a sandbox made. The first call in a test run starts what keeps the platform of the run. */
export async function borrowSandbox(from: CreateSandbox['from'] | null): Promise<Borrowed> {
  const { connection, answer } = await askKeeper(runnerPid(), { what: 'sandbox', from });
  if (!answer.sandbox) throw new Error(KEEPER_ENDED);
  // A forgotten one must not keep a test process alive.
  connection.unref();
  const closed = once(connection, 'close').catch(() => {});
  return {
    sandbox: answer.sandbox,
    giveBack: async () => {
      connection.ref();
      connection.end();
      await closed;
    },
  };
}

/** Has the platform of the run of this process started or ended, and waits for that. */
export async function askOfRunner(what: 'start' | 'end'): Promise<void> {
  const { connection } = await askKeeper(process.pid, { what });
  connection.destroy();
}

async function askKeeper(pid: number, request: KeeperRequest) {
  const socket = path.join(tmpdir(), `servery-testing-${userInfo().uid}-${pid}.sock`);
  let connection = await reach(socket);
  if (!connection) {
    await startKeeper(socket, pid);
    connection = await reach(socket);
  }
  if (!connection) throw new Error(KEEPER_ENDED);
  const answering = firstLine(connection);
  connection.write(`${JSON.stringify(request)}\n`);
  const line = await answering;
  const answer: KeeperAnswer = line === null ? { problem: KEEPER_ENDED } : JSON.parse(line);
  if (!('problem' in answer)) return { connection, answer };
  connection.destroy();
  throw new Error(answer.problem);
}

/** Null if nobody keeps a platform. */
async function reach(socket: string): Promise<Socket | null> {
  const connection = connect(socket);
  return await once(connection, 'connect').then(
    () => connection,
    () => null,
  );
}

/**
 * Starts the process that keeps the platform of the run. It outlives this one, and ends with the
 * runner. Others may do the same at this moment: all but one of these processes end at once.
 */
async function startKeeper(socket: string, pid: number): Promise<void> {
  const keeper = spawn(process.execPath, [KEEPER, socket, String(pid)], {
    detached: true,
    env: keeperEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said = await Promise.race([once(keeper.stdout, 'data'), once(keeper.stdout, 'end')]);
  keeper.stdout.destroy();
  keeper.unref();
  const [problem = KEEPER_ENDED] = said.map(String);
  if (problem !== READY) throw new Error(problem);
}
