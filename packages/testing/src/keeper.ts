/**
 * Keeps the platform of one test run: `keeper.js SOCKET PID` starts it, and makes a sandbox for each
 * connection to the socket, which is dropped when the connection ends. When the process of the
 * runner has ended, it stops the platform.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { runEvery } from '@servery/support/runner.ts';
import { sleep } from '@servery/support/timer.ts';
import { type KeeperAnswer, type KeeperRequest, READY } from './borrow.ts';
import { firstLine } from './first-line.ts';
import { openPlatform } from './platform.ts';
import { SandboxPool } from './pool.ts';

const LOOK_EVERY_MS = 200;
/** Another one may have the socket and not listen yet. */
const ASK_TIMES = 5;
const ASK_EVERY_MS = 20;

const [socket = '', runner = ''] = process.argv.slice(2);

try {
  const server = await takeSocket();
  process.stdout.write(READY);
  if (server) keep(server);
} catch (error) {
  process.stdout.write(`${socket} can't be listened at: ${(error as Error).message}`);
}

/** Null if another process keeps the platform of the run. */
async function takeSocket(): Promise<Server | null> {
  const listening = await listen();
  if (listening) return listening;
  for (let times = 0; times < ASK_TIMES; times += 1) {
    if (await answers()) return null;
    await sleep(ASK_EVERY_MS);
  }
  // A killed one has left it.
  await rm(socket, { force: true });
  return await listen();
}

/** Null if it is taken. */
async function listen(): Promise<Server | null> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(socket);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
}

async function answers(): Promise<boolean> {
  const connection = connect(socket);
  const isThere = await once(connection, 'connect').then(
    () => true,
    () => false,
  );
  connection.destroy();
  return isThere;
}

function keep(server: Server): void {
  const opening = openPlatform();
  const pooling = opening.then((platform) => new SandboxPool(platform));
  // Each connection hears of it.
  pooling.catch(() => {});
  const looking = runEvery(
    LOOK_EVERY_MS,
    async () => {
      if (!isAlive(Number(runner))) await end();
    },
    () => {},
  );
  const end = async () => {
    void looking.stop();
    server.close();
    try {
      const { isGiven, stop } = await opening;
      if (isGiven) await (await pooling).end();
      await stop();
    } catch {
      // It has told everybody who asked, or its sandboxes end by themselves.
    }
  };
  server.on('connection', (connection) => void serve(connection, pooling, end));
  process.once('SIGTERM', end);
}

async function serve(
  connection: Socket,
  pooling: Promise<SandboxPool>,
  end: () => Promise<void>,
): Promise<void> {
  const left = once(connection, 'end').catch(() => {});
  // The process that asked may have ended.
  connection.on('error', () => {});
  const line = await firstLine(connection);
  const tell = (answer: KeeperAnswer) => connection.write(`${JSON.stringify(answer)}\n`);
  try {
    const request: KeeperRequest = JSON.parse(line ?? '{}');
    if (request.what === 'end') await end();
    const pool = await pooling;
    if (request.what === 'start') pool.prepare();
    if (request.what !== 'sandbox') tell({ sandbox: null });
    else {
      const sandbox = await pool.take(request.from);
      tell({ sandbox });
      await left;
      // One that can't be dropped ends by itself.
      await pool.drop(sandbox.name).catch(() => {});
    }
  } catch (error) {
    tell({ problem: (error as Error).message });
  }
  connection.end();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
