import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseAccount } from '@servery/postgres/postgres-account.ts';
import { LATE, sleep, within } from '@servery/support/timer.ts';
import { reservePorts } from '../../../packages/server/test/reserved-ports.ts';
import type { CrashCluster } from '../crash/cluster.ts';
import { dataFolderOf, type Member, makeMember } from './member.ts';
import { type RunningProgram, startProgram } from './program.ts';
import type { Programs } from './programs.ts';

/** Three PostgreSQL servers, of which Patroni keeps one as the primary. */
export interface PatroniCluster extends CrashCluster {
  readonly urls: readonly string[];
  /** Waits until a member other than this one is the primary. */
  waitForPrimary(other: Member | null): Promise<Member>;
  /**
   * Waits until all members are up, and one of the standbys confirms every commit. Rebuilds members
   * that do not come back by themselves, as an operator would, and returns their names.
   */
  waitForHealth(): Promise<readonly string[]>;
}

const MEMBERS = 3;
const DATABASE = 'servery';
const LIMIT_MS = 180_000;
const POLL_MS = 200;
const ASK_LIMIT_MS = 1_000;
/** A member that is down for longer does not come back by itself. */
const REBUILD_AFTER_MS = 60_000;

/** Those that the operating guide names. `ttl` is the shortest that Patroni allows. */
const patroniSettings = {
  ttl: 20,
  loop_wait: 5,
  retry_timeout: 5,
  synchronous_mode: true,
  synchronous_mode_strict: true,
} as const;

/** Makes the files in a new folder; nothing is started yet. */
export async function makePatroniCluster(
  folder: string,
  programs: Programs,
): Promise<PatroniCluster> {
  mkdirSync(folder, { mode: 0o755 });
  const account = await chooseAccount(folder);
  if (account) await chown(folder, account.uid, account.gid);
  const password = randomBytes(16).toString('hex');
  const [etcdPort = 0, peerPort = 0, proxyPort = 0, ...ports] = await reservePorts(3 + 2 * MEMBERS);
  const members = await Promise.all(
    Array.from({ length: MEMBERS }, (_, index) => {
      const [port = 0, restPort = 0] = ports.slice(2 * index);
      const name = `member-${index + 1}`;
      const place = { name, folder: join(folder, name), port, restPort };
      const configuration = patroniConfiguration({ ...place, etcdPort, programs, password });
      return makeMember({ ...place, programs, account, configuration });
    }),
  );
  const proxyFile = join(folder, 'haproxy.cfg');
  writeFileSync(proxyFile, proxyConfiguration(proxyPort, members));
  const start = (name: 'etcd' | 'haproxy', args: readonly string[]) =>
    startProgram({
      ...{ file: programs[name], args, folder, account },
      logFile: join(folder, `${name}.log`),
    });
  const running: RunningProgram[] = [];
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const urlOf = (at: string) => `postgres://postgres:${password}@${at}/${DATABASE}`;
  const url = `${urlOf(hosts)}?target_session_attrs=read-write`;
  const cluster: PatroniCluster = {
    name: 'cluster',
    url,
    urls: [urlOf(`127.0.0.1:${proxyPort}`), url],
    workers: [],
    isUp: () => running.length > 0,
    async start() {
      running.push(start('etcd', etcdArguments(folder, etcdPort, peerPort)));
      for (const member of members) member.start();
      running.push(start('haproxy', ['-db', '-f', proxyFile]));
      const primary = await cluster.waitForPrimary(null);
      await cluster.waitForHealth();
      await createDatabase(programs, primary, password);
    },
    async kill() {
      await Promise.all([...running, ...members].map((part) => part.kill()));
      running.length = 0;
    },
    waitForPrimary: (other) =>
      until('another primary', async () => {
        const found = await Promise.all(members.map(isPrimary));
        return members.find((member, index) => found[index] && member !== other) ?? null;
      }),
    waitForHealth: async () => {
      const rebuildAt = performance.now() + REBUILD_AFTER_MS;
      const rebuilt = new Set<string>();
      await until('all members', async () => {
        const states = await Promise.all(members.map(readMembers));
        if (states.every(areHealthy)) return true;
        if (performance.now() < rebuildAt || rebuilt.size > 0) return null;
        const up = new Set(
          states
            .flat()
            .filter(isUp)
            .map(({ name }) => name),
        );
        for (const { name, restPort } of members) {
          if (up.has(name)) continue;
          rebuilt.add(name);
          await rebuild(restPort);
        }
        return null;
      });
      return [...rebuilt];
    },
  };
  return cluster;
}

function etcdArguments(folder: string, port: number, peerPort: number): string[] {
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  return [
    ...['--name', 'etcd', '--data-dir', join(folder, 'etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `etcd=${peer}`],
  ];
}

interface MemberPlace {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly restPort: number;
  readonly etcdPort: number;
  readonly programs: Programs;
  readonly password: string;
}

function patroniConfiguration(place: MemberPlace): Record<string, unknown> {
  const { name, folder, port, restPort, etcdPort, programs, password } = place;
  const rest = `127.0.0.1:${restPort}`;
  const listen = `127.0.0.1:${port}`;
  return {
    ...{ scope: DATABASE, name, etcd3: { host: `127.0.0.1:${etcdPort}` } },
    restapi: { listen: rest, connect_address: rest },
    bootstrap: {
      dcs: {
        ...patroniSettings,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, shared_buffers: '64MB', wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      ...{ listen, connect_address: listen, bin_dir: programs.postgresFolder },
      data_dir: dataFolderOf(folder),
      pgpass: join(folder, 'pgpass'),
      // Otherwise, a copy first waits minutes for a checkpoint.
      basebackup: { checkpoint: 'fast' },
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
      parameters: { unix_socket_directories: folder },
    },
  };
}

function proxyConfiguration(port: number, members: readonly Member[]): string {
  return [
    'global',
    '  maxconn 1000',
    'defaults',
    '  mode tcp',
    '  timeout connect 4s',
    '  timeout client 30m',
    '  timeout server 30m',
    '  timeout check 2s',
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk',
    '  http-check send meth GET uri /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 3 rise 1 on-marked-down shutdown-sessions',
    ...members.map(
      (member) => `  server ${member.name} 127.0.0.1:${member.port} check port ${member.restPort}`,
    ),
    '',
  ].join('\n');
}

async function createDatabase(
  { postgresFolder }: Programs,
  { port }: Member,
  password: string,
): Promise<void> {
  const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', DATABASE];
  await promisify(execFile)(join(postgresFolder, 'createdb'), args, {
    env: { PGPASSWORD: password },
  });
}

async function isPrimary({ restPort }: Member): Promise<boolean> {
  return (await ask(restPort, '/primary')) !== null;
}

/** A member as the cluster's members tell of it. */
interface ToldMember {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Of a standby; older versions of Patroni know only the second one. */
const upStates: readonly string[] = ['streaming', 'running'];

/** As this member sees them; empty if it does not answer. */
async function readMembers({ restPort }: Member): Promise<readonly ToldMember[]> {
  const told = (await ask(restPort, '/cluster')) as { members: ToldMember[] } | null;
  return told?.members ?? [];
}

function isUp({ state }: ToldMember): boolean {
  return upStates.includes(state);
}

/** Makes it copy the primary again. */
async function rebuild(restPort: number): Promise<void> {
  const body = JSON.stringify({ force: true });
  const url = `http://127.0.0.1:${restPort}/reinitialize`;
  const response = await fetch(url, { method: 'POST', body });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}

function areHealthy(members: readonly ToldMember[]): boolean {
  const standbys = members.filter((member) => member.role !== 'leader' && isUp(member));
  const confirming = members.filter(({ role }) => role === 'sync_standby');
  return standbys.length === MEMBERS - 1 && confirming.length > 0;
}

/** Null unless the answer is a 200, and comes soon. */
async function ask(port: number, path: string): Promise<unknown> {
  const hangUp = new AbortController();
  const asked = fetch(`http://127.0.0.1:${port}${path}`, { signal: hangUp.signal })
    .then(async (response): Promise<unknown> => (response.ok ? await response.json() : null))
    .catch(() => null);
  const answer = await within(asked, ASK_LIMIT_MS);
  hangUp.abort();
  return answer === LATE ? null : answer;
}

async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const limitAt = performance.now() + LIMIT_MS;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > limitAt) throw new Error(`the cluster has not got ${what}`);
    await sleep(POLL_MS);
  }
}
