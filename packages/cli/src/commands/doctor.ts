import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { type Config, ConfigError, load, type OpenDatabase } from '@servery/server';
import { databaseClock, machineClock } from '@servery/support/clock.ts';
import { checkCluster } from '../doctor/cluster.ts';
import {
  checkConnections,
  checkEnvironment,
  checkMasterKey,
  checkReplica,
  checkServer,
  checkServerDatabase,
  checkWriting,
  judgeMigrations,
} from '../doctor/database.ts';
import { broken, type Finding, fine, type Verdict } from '../doctor/finding.ts';
import { checkGrowth } from '../doctor/growth.ts';
import { checkKeys } from '../doctor/keys.ts';
import {
  checkCertificate,
  checkDataFolder,
  checkKeyFile,
  checkNode,
  checkOpenFiles,
  checkPorts,
  checkProcessor,
} from '../doctor/machine.ts';
import { CommandFailure, exitCodes } from '../exit-codes.ts';
import { configOf, hasEmbedded, type LocalCall } from '../platform.ts';
import { type Columns, rows, type Shown } from '../shown.ts';
import type { Look } from '../table.ts';

const { examinePlatformMigrations, openEnvironmentClock, reachDatabase } = await load.database();

const words: Readonly<Record<Verdict, string>> = { ok: 'ok', warn: 'WARN', fail: 'FAIL' };

const WIDEST = 160;

const columns: Columns<Finding> = {
  check: 'check',
  '': ({ verdict }) => words[verdict],
  found: 'found',
  fix: 'fix',
};

/** Checks everything that the server needs, whether it runs or not, and changes nothing. */
export async function examineAll(call: LocalCall): Promise<Shown> {
  const findings = await examine(() => configOf(call), call);
  const count = (verdict: Verdict) => findings.filter((one) => one.verdict === verdict).length;
  const { text, ...table } = rows(columns, findings, '');
  // A pipe has no width, and one long finding would push all fixes far to the right.
  const shown = {
    ...table,
    text: (look: Look) => text({ ...look, width: Math.min(look.width, WIDEST) }),
  };
  const json = { sound: count('fail') === 0, findings };
  if (json.sound) {
    const more = count('warn') === 0 ? '' : ` ${count('warn')} to look at.`;
    return { ...shown, json, notes: [`No problems found.${more}`] };
  }
  const what = count('fail') === 1 ? 'check fails' : 'checks fail';
  const message = `${count('fail')} ${what}. The column fix says what to do.`;
  return { ...shown, json, failure: new CommandFailure(message, exitCodes.failure) };
}

async function examine(readSettings: () => Config, context: LocalCall): Promise<Finding[]> {
  const node = checkNode(process.versions.node);
  const config = settingsOf(readSettings);
  if (Array.isArray(config)) return [node, ...config];
  const findings = [
    node,
    fine('settings', 'all are valid'),
    await checkOpenFiles(config),
    ...(await checkDataFolder(config)),
    ...(await checkKeyFile(config)),
    ...(await checkPorts(config)),
    ...(await checkCertificate(config, machineClock.nowMs())),
    await checkProcessor(config),
  ];
  context.signal.throwIfAborted();
  return [...findings, ...(await examineDatabase(config, context))];
}

function settingsOf(readSettings: () => Config): Config | Finding[] {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = 'correct it; docs/reference/settings.md lists all settings';
    return error.faults.map((fault) => broken('settings', fault.replace(/\.$/, ''), fix));
  }
}

async function examineDatabase(config: Config, { signal }: LocalCall): Promise<Finding[]> {
  if (!config.databaseUrl && !(await hasEmbedded(config))) {
    const other = await checkServerDatabase(config, null);
    if (other.length > 0) return other;
    return [fine('database', 'there is none yet; the first start creates an embedded one')];
  }
  let reached: OpenDatabase;
  try {
    reached = await reachDatabase(config, () => {});
  } catch (error) {
    signal.throwIfAborted();
    const found = (error as Error).message.replace(/\.$/, '');
    const fix = config.databaseUrl
      ? 'start PostgreSQL, or correct DATABASE_URL'
      : `see ${config.dataDir}/postgres/log`;
    return [broken('database', found, fix)];
  }
  try {
    signal.throwIfAborted();
    return [fine('database', 'it answers'), ...(await examineReached(config, reached))];
  } finally {
    await reached.close();
  }
}

async function examineReached(config: Config, { database }: OpenDatabase): Promise<Finding[]> {
  const migrations = await examinePlatformMigrations(database.sql);
  const findings = [
    ...(await checkServer(config, database, machineClock)),
    ...(await checkConnections(config, database)),
    judgeMigrations(migrations),
  ];
  const { applied, pending } = migrations;
  // The other checks need the newest schema.
  if (applied.length === 0 || pending.length > 0) return findings;
  const realClock = databaseClock(await readDatabaseTimeMs(database.sql));
  const { clock } = await openEnvironmentClock({ database, realClock }, config.kind);
  const cluster = await checkCluster(database);
  findings.push(...cluster);
  // The other checks ask the workers, too.
  if (cluster.some(({ check, verdict }) => check === 'workers' && verdict === 'fail')) {
    return findings;
  }
  return [
    ...findings,
    ...(await checkServerDatabase(config, database)),
    await checkWriting(database, realClock.nowMs()),
    ...(await checkReplica(config, database)),
    await checkMasterKey(config, database),
    ...(await checkEnvironment(config, database, realClock.nowMs())),
    ...(await checkKeys(config, database, clock.nowMs())),
    ...(await checkGrowth(config, database, {
      nowMs: clock.nowMs(),
      realNowMs: realClock.nowMs(),
    })),
  ];
}
