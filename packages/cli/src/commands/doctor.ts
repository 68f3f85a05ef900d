import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { type Config, ConfigError } from '@servery/server/config/config.ts';
import { examinePlatformMigrations } from '@servery/server/database/migrations.ts';
import { type ReachedDatabase, reachDatabase } from '@servery/server/database/open.ts';
import { openEnvironmentClock } from '@servery/server/sandbox/clock.ts';
import { databaseClock, machineClock } from '@servery/support/clock.ts';
import {
  checkEnvironment,
  checkMasterKey,
  checkServer,
  checkWriting,
  judgeMigrations,
} from '../doctor/database.ts';
import { broken, type Finding, fine, type Verdict } from '../doctor/finding.ts';
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
import { hasEmbedded } from '../platform.ts';
import { showJson, showTable } from '../session.ts';
import type { Column } from '../table.ts';
import type { BackupContext } from './backup.ts';

/** The options of `servery doctor`. */
export interface DoctorFlags {
  readonly json?: boolean;
}

const words: Readonly<Record<Verdict, string>> = { ok: 'ok', warn: 'WARN', fail: 'FAIL' };

const columns: readonly Column<Finding>[] = [
  { title: 'check', cell: ({ check }) => check },
  { title: '', cell: ({ verdict }) => words[verdict] },
  { title: 'found', cell: ({ found }) => found, breaks: true },
  { title: 'next', cell: ({ fix }) => fix ?? '', breaks: true },
];

/**
 * `servery doctor`: looks at all that the server stands on, whether it runs or not, and changes
 * nothing. Throws CommandFailure when something is broken.
 */
export async function runDoctor(
  readSettings: () => Config,
  flags: DoctorFlags,
  context: BackupContext,
): Promise<void> {
  const findings = await examine(readSettings, context);
  const broke = findings.filter(({ verdict }) => verdict === 'fail').length;
  const warned = findings.filter(({ verdict }) => verdict === 'warn').length;
  if (flags.json) showJson(context, { sound: broke === 0, findings });
  else showTable(context, columns, findings, 'Nothing was looked at.');
  if (broke === 0) {
    const more = warned === 0 ? '' : `, ${warned} worth a look`;
    context.terminal.err.write(`Nothing is broken${more}.\n`);
    return;
  }
  const verb = broke === 1 ? 'check fails' : 'checks fail';
  throw new CommandFailure(`${broke} ${verb}: type what stands under next.`, exitCodes.failure);
}

async function examine(readSettings: () => Config, context: BackupContext): Promise<Finding[]> {
  const node = checkNode(process.versions.node);
  const config = settingsOf(readSettings);
  if (Array.isArray(config)) return [node, ...config];
  const findings = [
    node,
    fine('settings', 'they are right'),
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

/** The settings, or what is wrong with them. */
function settingsOf(readSettings: () => Config): Config | Finding[] {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = 'correct it: docs/reference/settings.md lists all settings';
    return error.faults.map((fault) => broken('settings', fault.replace(/\.$/, ''), fix));
  }
}

async function examineDatabase(config: Config, { signal }: BackupContext): Promise<Finding[]> {
  if (!config.databaseUrl && !(await hasEmbedded(config))) {
    return [fine('database', 'there is none yet: the first start makes an embedded one')];
  }
  let reached: ReachedDatabase;
  try {
    reached = await reachDatabase(config, () => {});
  } catch (error) {
    signal.throwIfAborted();
    const found = (error as Error).message.replace(/\.$/, '');
    const fix = config.databaseUrl
      ? 'start PostgreSQL, or correct DATABASE_URL'
      : `look into ${config.dataDir}/postgres/log`;
    return [broken('database', found, fix)];
  }
  try {
    signal.throwIfAborted();
    return [fine('database', 'it answers'), ...(await examineReached(config, reached))];
  } finally {
    await reached.close();
  }
}

async function examineReached(config: Config, { database }: ReachedDatabase): Promise<Finding[]> {
  const migrations = await examinePlatformMigrations(database.sql);
  const findings = [
    ...(await checkServer(config, database, machineClock)),
    judgeMigrations(migrations),
  ];
  const { applied, pending } = migrations;
  // What an older program left is told of once it is migrated.
  if (applied.length === 0 || pending.length > 0) return findings;
  const realClock = databaseClock(await readDatabaseTimeMs(database.sql));
  const { clock } = await openEnvironmentClock({ database, realClock }, config.kind);
  return [
    ...findings,
    await checkWriting(database, realClock.nowMs()),
    await checkMasterKey(config, database),
    ...(await checkEnvironment(config, database, realClock.nowMs())),
    ...(await checkKeys(config, database, clock.nowMs())),
  ];
}
