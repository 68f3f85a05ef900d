import { randomBytes } from 'node:crypto';
import { findLedgerIdIn } from '@servery/card-simulator/ledger-copy.ts';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { findMismatch, type MigrationState } from '@servery/postgres/migrate.ts';
import { checkDatabaseSafety } from '@servery/postgres/safety.ts';
import { whyUnwritable } from '@servery/postgres/writing.ts';
import { type Config, type Database, type EnvironmentFacts, load } from '@servery/server';
import type { Clock } from '@servery/support/clock.ts';
import { createVault } from '@servery/support/secret.ts';
import { broken, type Finding, fine, worth } from './finding.ts';

const {
  LONGEST_LAG_MS,
  SILENCE_MS,
  SigningKeys,
  examineConnections,
  examineReplica,
  findCluster,
  findEnvironmentFacts,
  findEnvironmentMark,
  findHasSealed,
  findLastServer,
  findOccupant,
  insertTrial,
  listLeftScratch,
  listSigningKeys,
  listStuckSessions,
} = await load.checks();
const { findMasterKey } = await load.database();

const SKEW_WORTH_MS = 2_000;
const SKEW_BROKEN_MS = 60_000;
const STUCK_MS = 600_000;
/** More than what a full disk has left in files that are there. */
const TRIAL_BYTES = 1_048_576;

/** What the server itself says: its version, what it keeps of what it acknowledged, its clock. */
export async function checkServer(
  { kind }: Config,
  { sql }: Database,
  machine: Clock,
): Promise<Finding[]> {
  const unsafe = await checkDatabaseSafety(sql);
  const tell = kind === 'production' ? broken : worth;
  const safety = unsafe.map((fact) => {
    const [found = '', fix = ''] = fact.split(/; (?=set |version )/);
    return tell('postgresql', found, fix);
  });
  const sound =
    safety.length > 0 ? safety : [fine('postgresql', 'the version and the settings are correct')];
  return [...sound, await checkClock(sql, machine)];
}

/** Whether it gives what all workers together need. Empty for one process. */
export async function checkConnections(config: Config, { sql }: Database): Promise<Finding[]> {
  const trouble = await examineConnections(config, sql);
  const check = 'database pool';
  if (trouble === null) {
    return config.workers === 1
      ? []
      : [fine(check, 'there are enough connections for all workers')];
  }
  // Another database may stand behind a pooler.
  return [(config.databaseUrl === null ? broken : worth)(check, trouble.found, trouble.fix)];
}

/**
 * Whether the server of the data folder, if one runs, uses this database: null for none. Otherwise
 * the other checks would be about a database that nobody uses.
 */
export async function checkServerDatabase(
  { dataDir }: Config,
  database: Database | null,
): Promise<Finding[]> {
  const server = await findOccupant(dataDir);
  if (!server) return [];
  if (database && server.environment === (await findEnvironmentMark(database))) return [];
  const found = `the server at ${server.url}, which has ${dataDir}, uses another database`;
  return [worth('database', found, 'set DATABASE_URL as it is set for that server')];
}

async function checkClock(sql: Database['sql'], machine: Clock): Promise<Finding> {
  const beforeMs = machine.nowMs();
  const databaseMs = await readDatabaseTimeMs(sql);
  const skewMs = Math.round(databaseMs - (beforeMs + machine.nowMs()) / 2);
  const direction = skewMs < 0 ? 'behind' : 'ahead of';
  const found = `the database clock is ${Math.abs(skewMs)} ms ${direction} the clock of this machine`;
  const fix = 'synchronize both clocks with NTP: "timedatectl set-ntp true"';
  const size = Math.abs(skewMs);
  if (size >= SKEW_BROKEN_MS) return broken('clock', found, fix);
  return size >= SKEW_WORTH_MS ? worth('clock', found, fix) : fine('clock', found);
}

export function judgeMigrations(state: MigrationState): Finding {
  const mismatch = findMismatch(state);
  if (mismatch) return broken('migrations', mismatch.found, mismatch.fix);
  const { applied, pending } = state;
  if (applied.length === 0)
    return fine('migrations', 'none applied yet: the first start applies them');
  if (pending.length === 0) return fine('migrations', `all ${applied.length} are applied`);
  const found = `${pending.length} pending: ${pending.join(', ')}`;
  return worth('migrations', found, 'servery backup before-migration.backup && servery migrate');
}

/** Whether the master key is there, and is the one that sealed what the database holds. */
export async function checkMasterKey(config: Config, database: Database): Promise<Finding> {
  const check = 'master key';
  const fix = `put it back: ${config.dataDir}/master.key, or SERVERY_MASTER_KEY`;
  try {
    const found = await findMasterKey(config);
    if (!found) {
      return (await findHasSealed(database.sql))
        ? broken(check, 'it is missing, and the database holds data that it sealed', fix)
        : fine(check, 'the first start creates one');
    }
    const vault = createVault(found.key);
    const youngest = (await listSigningKeys(database.sql)).at(-1);
    if (!youngest)
      return fine(check, `${found.place} is present; the database holds no sealed data`);
    const opens = await new SigningKeys({ database, vault }).privateKey(youngest.kid).then(
      () => true,
      () => false,
    );
    return opens
      ? fine(check, `${found.place} opens the sealed data in the database`)
      : broken(check, `${found.place} is not the key that sealed the data in the database`, fix);
  } catch (error) {
    return broken(check, (error as Error).message.replace(/\.$/, ''), fix);
  }
}

/** Empty without one. The server works without its replica, so nothing of it is broken. */
export async function checkReplica({ replicaUrl }: Config, { sql }: Database): Promise<Finding[]> {
  const check = 'replica';
  if (replicaUrl === null) return [];
  if ((await findCluster(sql)) !== null) {
    const found = 'it is not used: the database is a cluster';
    return [worth(check, found, 'remove SERVERY_REPLICA_URL')];
  }
  try {
    const { isReplica, isSameEnvironment, lagMs } = await examineReplica(replicaUrl.reveal(), sql);
    if (lagMs !== null) return [fine(check, `it has what the primary had ${lagMs} ms ago`)];
    const fix = 'name a hot standby of DATABASE_URL in SERVERY_REPLICA_URL';
    if (!isReplica) return [worth(check, 'it is no replica: it takes writes', fix)];
    if (!isSameEnvironment) return [worth(check, 'it is a replica of another database', fix)];
    const found = `it is more than ${LONGEST_LAG_MS / 1_000} seconds behind`;
    return [worth(check, found, 'look at pg_stat_replication on the primary')];
  } catch (error) {
    const found = `it can't be used: ${(error as Error).message.replace(/\.$/, '')}`;
    return [worth(check, found, 'start it, or correct SERVERY_REPLICA_URL')];
  }
}

/** The environment of the database, and who works on it. Takes real time. */
export async function checkEnvironment(
  config: Config,
  { sql }: Database,
  nowMs: number,
): Promise<Finding[]> {
  const facts = await findEnvironmentFacts(sql, new Date(nowMs - SILENCE_MS));
  return [
    kindOf(config, facts),
    await processesOf(config, facts, nowMs),
    ...addressesOf(facts),
    ...(await checkLedger(config, facts)),
    ...(await checkStuck(sql, nowMs)),
    ...leftovers(facts, await listLeftScratch(sql), nowMs),
  ];
}

/** A heartbeat proves only that a process ran a moment ago: it may have been killed since. */
async function processesOf(
  { dataDir }: Config,
  { processes, lastSeenAt }: EnvironmentFacts,
  nowMs: number,
): Promise<Finding> {
  const check = 'processes';
  if (lastSeenAt === null) return fine(check, 'none was seen on this database in the last seconds');
  const agoSeconds = Math.max(0, (nowMs - lastSeenAt.getTime()) / 1_000).toFixed(1);
  const seen = `${processes} seen on this database, the last ${agoSeconds} s ago`;
  const last = await findLastServer(dataDir);
  if (last?.liveness !== 'gone') return fine(check, seen);
  const state = isProcess(last.pid) ? 'does not answer' : 'no longer exists';
  return fine(check, `${seen}; the last server of ${dataDir} (process ${last.pid}) ${state}`);
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function kindOf({ kind }: Config, facts: EnvironmentFacts): Finding {
  if (facts.kind === null || facts.kind === kind)
    return fine('environment', `it is a ${kind} environment`);
  const found = `the database belongs to a ${facts.kind} environment, but the settings say ${kind}`;
  return broken('environment', found, `export SERVERY_KIND=${facts.kind}`);
}

/** Processes with different addresses refuse the tokens of each other. */
function addressesOf({ publicUrls }: EnvironmentFacts): Finding[] {
  if (publicUrls.length < 2) return [];
  const urls = publicUrls.join(', ');
  const found = `servers have different addresses (${urls}) and refuse each other's tokens`;
  return [
    worth(
      'addresses',
      found,
      'set SERVERY_PUBLIC_URL on every server to the address that clients use',
    ),
  ];
}

/**
 * Whether the database takes writes: one of some size, which is rolled back. Takes real time.
 */
export async function checkWriting(database: Database, nowMs: number): Promise<Finding> {
  const undone = new Error('nothing is to be changed');
  try {
    await database.transaction(async (sql) => {
      await insertTrial(sql, randomBytes(TRIAL_BYTES), new Date(nowMs));
      throw undone;
    });
  } catch (error) {
    if (error === undone) return fine('writing', 'the database takes writes');
    const reason = whyUnwritable(error);
    if (reason === null) throw error;
    const fix = reason.includes('read-only')
      ? 'set DATABASE_URL to the primary, or to all hosts with ?target_session_attrs=read-write'
      : 'provide more space on the database disk; the server then recovers automatically';
    return broken('writing', reason.replace(/\.$/, ''), fix);
  }
  throw undone;
}

/** A simulator with another ledger, or none, knows nothing of the payments that there are. */
async function checkLedger(config: Config, { ledgerId }: EnvironmentFacts): Promise<Finding[]> {
  if (config.processor.kind !== 'simulator' || ledgerId === null) return [];
  const file = simulatorLedgerFile(config.dataDir);
  const own = await findLedgerIdIn(file);
  if (own === ledgerId) return [fine('ledger', `${file} is the ledger of the payments`)];
  const found = own === null ? `${file} is missing` : `${file} is a different ledger (${own})`;
  const fix = `servery restore …, or restore the ledger ${ledgerId} from a copy of the data directory`;
  return [broken('ledger', `${found}, but the payments are in ${ledgerId}`, fix)];
}

async function checkStuck(sql: Database['sql'], nowMs: number): Promise<Finding[]> {
  const stuck = await listStuckSessions(sql, new Date(nowMs - STUCK_MS));
  return stuck.map(({ pid, application, isWaiting }) => {
    const does = isWaiting ? 'has waited for a lock' : 'has held a transaction open';
    const found = `"${application}" ${does} for more than 10 minutes (PostgreSQL process ${pid})`;
    return worth('locks', found, `stop that program; its session on the database server is ${pid}`);
  });
}

function leftovers(
  { silentProcesses, moverExpiresAt }: EnvironmentFacts,
  scratch: readonly string[],
  nowMs: number,
): Finding[] {
  const findings: Finding[] = [];
  if (silentProcesses > 0) {
    const found = `${silentProcesses} silent for more than ${SILENCE_MS / 1_000} s without a clean shutdown`;
    findings.push(worth('left processes', found, 'servery start, which removes them'));
  }
  if (moverExpiresAt && moverExpiresAt.getTime() < nowMs) {
    const found = 'a command that moved the sandbox clock stopped before it finished';
    findings.push(worth('left clock', found, 'servery clock status, then servery clock run'));
  }
  if (scratch.length > 0) {
    const found = `a backup check was killed and left ${scratch.join(', ')} behind`;
    findings.push(worth('left databases', found, 'servery backup verify FILE --scratch-url …'));
  }
  return findings;
}
