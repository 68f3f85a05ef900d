import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatDatabaseUrl, parseDatabaseUrl } from '@servery/postgres/database-url.ts';
import {
  startReplicatedServer,
  type TestedReplica,
} from '../../../packages/postgres/test/streaming-replica.ts';
import { connectDatabase, type Database } from '../../../packages/server/src/database/database.ts';
import type { DemoFile } from '../../../packages/server/src/sandbox/demo-file.ts';
import { reservePorts } from '../../../packages/server/test/reserved-ports.ts';
import { programFile } from '../../../packages/support/test/program.ts';
import { crashCluster } from '../crash/cluster.ts';
import { type KeptProcess, keptProcess } from '../crash/kept-process.ts';
import { listPostgres, signalOne } from '../crash/postgres-processes.ts';
import { type Gate, openGate } from './gate.ts';

/** Several servers on one database, each with a way to it of its own. */
export interface Stage {
  /** Holds every file of the run. */
  readonly folder: string;
  readonly servers: readonly KeptProcess[];
  readonly urls: readonly string[];
  readonly gates: readonly Gate[];
  /** All servers read from it, if there is one. */
  readonly replica: TestedReplica | null;
  /** Straight to the database, not by way of a gate. */
  readonly database: Database;
  readonly demo: DemoFile;
  /** Servers that ended by themselves so far. */
  readonly unexpectedEnds: readonly string[];
  /** What the servers said of failures that are theirs to mend: lines of their logs. */
  failures(): readonly string[];
  close(): Promise<void>;
}

/** A PostgreSQL, which may have a replica. */
interface StalenessDatabase {
  readonly url: string;
  readonly replica: TestedReplica | null;
  close(): Promise<void>;
}

interface StageOptions {
  readonly hasReplica?: boolean;
  /** Settings of the servers, beside those that a stage needs. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Builds a stage of so many servers. */
export async function buildStage(
  processes: number,
  { hasReplica = false, env = {} }: StageOptions = {},
): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'servery-stale-'));
  // PostgreSQL does not run as root: whoever it runs as must be able to enter.
  chmodSync(folder, 0o755);
  const cluster = await (hasReplica ? openReplicated(folder) : openAlone(folder));
  const { replica } = cluster;
  const numbers = Array.from({ length: processes }, (_, number) => number);
  const gates = await Promise.all(numbers.map(() => openGate(placeOf(cluster.url))));
  const ports = await reservePorts(processes);
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const masterKey = randomBytes(32).toString('base64');
  const unexpectedEnds: string[] = [];
  const servers = gates.map((gate, number) => {
    const name = `server-${number + 1}`;
    const files = ['--data-dir', join(folder, `data-${number}`)];
    const main = programFile('packages/server/src/main.ts');
    return keptProcess({
      ...{ name, cwd: folder, ready: /\bready\b/, logFile: logFileOf(folder, number) },
      args: [main, '--port', String(ports[number]), ...files],
      env: {
        ...settings(databaseUrlOf(cluster.url, gate.port), masterKey),
        // One issuer, so that a token opens every door.
        SERVERY_PUBLIC_URL: urls[0] ?? '',
        ...(replica && { SERVERY_REPLICA_URL: replica.url }),
        ...env,
      },
      onUnexpectedEnd: (how) => unexpectedEnds.push(`${name} ended by itself: ${how}`),
    });
  });
  const database = connectDatabase({ url: cluster.url, poolSize: 4, applicationName: 'staleness' });
  const close = async () => {
    for (const server of servers) await server.kill();
    for (const gate of gates) gate.close();
    await database.close().catch(() => {});
    await cluster.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  try {
    const [first, ...others] = servers;
    // The first one fills the database, before the others look at it.
    await first?.start();
    await Promise.all(others.map((server) => server.start()));
    const demo = JSON.parse(readFileSync(join(folder, 'data-0', 'demo.json'), 'utf8')) as DemoFile;
    const failures = () => numbers.flatMap((number) => errorLinesOf(logFileOf(folder, number)));
    return {
      ...{ folder, servers, urls, gates, replica, database, demo, unexpectedEnds },
      ...{ failures, close },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openAlone(folder: string): Promise<StalenessDatabase> {
  const cluster = await crashCluster(join(folder, 'cluster'));
  await cluster.start();
  return { url: cluster.url, replica: null, close: cluster.kill };
}

async function openReplicated(folder: string): Promise<StalenessDatabase> {
  const [port = 0, portOfReplica = 0] = await reservePorts(2);
  const { primary, replica, dataFolders, stop } = await startReplicatedServer(folder, [
    port,
    portOfReplica,
  ]);
  process.once('exit', () => {
    for (const pid of dataFolders.flatMap(listPostgres)) signalOne(pid, 'SIGKILL');
  });
  await replica.start();
  return { url: primary.url, replica, close: stop };
}

function logFileOf(folder: string, number: number): string {
  return join(folder, `server-${number + 1}.log`);
}

function errorLinesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => /"level":(50|60),/.test(line));
}

function settings(databaseUrl: string, masterKey: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    SERVERY_KIND: 'sandbox',
    SERVERY_PROCESSOR: 'in-process',
    SERVERY_MASTER_KEY: masterKey,
    SERVERY_RATE_LIMIT_PER_SECOND: '1000000',
    SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '1000000000',
    SERVERY_RATE_LIMIT_MENUS_PER_SECOND: '1000000',
    SERVERY_RATE_LIMIT_ORDERS_BULK_PER_SECOND: '1000000',
    // No answer hangs on it, and writing every read down costs as much as answering it.
    SERVERY_REQUEST_LOG_DAYS: '0',
  };
}

/** The socket or the port that the database listens at. */
function placeOf(url: string): string | number {
  const { hosts, ports } = parseDatabaseUrl(url);
  const [host = '', port = 0] = [hosts[0], ports[0]];
  return host.startsWith('/') ? join(host, `.s.PGSQL.${port}`) : port;
}

function databaseUrlOf(url: string, port: number): string {
  const { user, password, database } = parseDatabaseUrl(url);
  return formatDatabaseUrl({ folder: null, port, user, password: password(), database });
}
