import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DemoFile } from '../../../packages/server/src/sandbox/demo-file.ts';
import { reservePorts } from '../../../packages/server/test/reserved-ports.ts';
import { programFile } from '../../../packages/support/test/program.ts';
import type { CrashCluster } from './cluster.ts';
import { keptProcess, type Victim } from './kept-process.ts';
import type { Violation } from './violation.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Everything that a crash run is played on: each part may be killed and started again. */
export interface Stage<Cluster extends Victim = Victim> {
  /** Holds every file of the run. */
  readonly folder: string;
  readonly postgres: Cluster;
  /** Of a distributed database. */
  readonly workers: readonly Victim[];
  readonly processor: Victim;
  readonly servers: readonly Victim[];
  /** Base addresses of the servers. */
  readonly serverUrls: readonly string[];
  readonly processorUrl: string;
  readonly databaseUrl: string;
  readonly ledgerFile: string;
  readonly demoFile: string;
  readonly demo: DemoFile;
  /** Processes that ended by themselves so far. */
  readonly unexpectedEnds: readonly Violation[];
  /** Kills all that is left of it. */
  close(): Promise<void>;
  /** Removes its files. */
  remove(): void;
}

const SERVERS = 2;

/**
 * Builds a stage in a new temporary folder: a PostgreSQL of its own, the processor simulator, and
 * two servers on one database.
 */
export async function buildStage<Cluster extends CrashCluster>(
  openCluster: (folder: string) => Promise<Cluster>,
): Promise<Stage<Cluster>> {
  const folder = mkdtempSync(join(tmpdir(), 'servery-crash-'));
  // PostgreSQL does not run as root: whoever it runs as must be able to enter.
  chmodSync(folder, 0o755);
  const unexpectedEnds: Violation[] = [];
  const cluster = await openCluster(join(folder, 'cluster'));
  const { url: databaseUrl, urls = [databaseUrl] } = cluster;
  // The parts of a run keep them over all their restarts.
  const [processorPort = 0, ...ports] = await reservePorts(SERVERS + 1);
  const processorUrl = `http://127.0.0.1:${processorPort}`;
  const ledgerFile = join(folder, 'processor', 'ledger');
  const keep = (name: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
    keptProcess({
      ...{ name, args, env, cwd: ROOT, ready: /\bready\b/ },
      logFile: join(folder, `${name}.log`),
      onUnexpectedEnd: (how) => {
        const text = `ended by itself: ${how}; see ${name}.log`;
        unexpectedEnds.push({ rule: 'alive', subject: name, text });
      },
    });
  const cli = programFile('packages/cli/src/main.ts');
  const port = String(processorPort);
  const processor = keep(
    'processor',
    [cli, 'processor', '--port', port, '--ledger', ledgerFile],
    {},
  );
  const main = programFile('packages/server/src/main.ts');
  const environment = serverEnvironment(processorUrl);
  const servers = ports.map((serverPort, index) => {
    const dataDir = dataDirOf(folder, index);
    const args = [main, '--port', String(serverPort), '--data-dir', dataDir];
    const DATABASE_URL = urls[index % urls.length] ?? databaseUrl;
    return keep(`server-${index + 1}`, args, { ...environment, DATABASE_URL });
  });
  mkdirSync(join(folder, 'processor'));
  await Promise.all([cluster.isUp() || cluster.start(), processor.start()]);
  // The first one fills the database, before the second one looks at it.
  for (const server of servers) await server.start();
  const demoFile = join(dataDirOf(folder, 0), 'demo.json');
  return {
    ...{ folder, postgres: cluster, processor, servers, processorUrl, ledgerFile, demoFile },
    serverUrls: ports.map((serverPort) => `http://127.0.0.1:${serverPort}`),
    databaseUrl,
    workers: cluster.workers,
    demo: JSON.parse(readFileSync(demoFile, 'utf8')) as DemoFile,
    unexpectedEnds,
    async close() {
      for (const victim of [...servers, processor, cluster, ...cluster.workers])
        await victim.kill();
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  };
}

/**
 * Plays on a new stage, and gives the number of violations, as `play` does. After any, the files of
 * the run are kept.
 */
export async function playOnStage<Cluster extends CrashCluster>(
  openCluster: (folder: string) => Promise<Cluster>,
  play: (stage: Stage<Cluster>) => Promise<number>,
  tell: (line: string) => void,
): Promise<number> {
  const stage = await buildStage(openCluster);
  tell(`playing in ${stage.folder}`);
  try {
    const violations = await play(stage);
    await stage.close();
    if (violations === 0) stage.remove();
    else tell(`the files of the run are kept in ${stage.folder}`);
    return violations;
  } finally {
    await stage.close();
  }
}

function dataDirOf(folder: string, index: number): string {
  return join(folder, `data-${index + 1}`);
}

function serverEnvironment(processorUrl: string): Record<string, string> {
  return {
    SERVERY_KIND: 'sandbox',
    SERVERY_PROCESSOR: 'http',
    SERVERY_PROCESSOR_URL: processorUrl,
    SERVERY_MASTER_KEY: randomBytes(32).toString('base64'),
    SERVERY_RATE_LIMIT_PER_SECOND: '1000000',
    SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '1000000000',
  };
}
