import {
  findLedgerIdIn,
  type WaitingLedger,
  writeWaitingLedger,
} from '@servery/card-simulator/ledger-copy.ts';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import { readBackupFile } from '@servery/postgres/backup/backup-file.ts';
import { type BackupHeader, BackupRefused } from '@servery/postgres/backup/format.ts';
import type { ReadResult } from '@servery/postgres/backup/read-backup.ts';
import { openScratchDatabase, openScratchServer } from '@servery/postgres/backup/scratch.ts';
import {
  type BackupFacts,
  type Config,
  type Database,
  load,
  type OpenedKeys,
  type RestorePlatformDeps,
} from '@servery/server';
import { createVault, type Vault } from '@servery/support/secret.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fileFailure } from '../files.ts';
import { configOf, type LocalCall } from '../platform.ts';
import { counted, type Shown, said } from '../shown.ts';
import { factsOf, TIME_LIMITS, withReached, withTables } from './backup.ts';

const { checkSealed, verifyAudit } = await load.checks();
const {
  connectDatabase,
  findMasterKey,
  migratePlatform,
  readPlatformBeginning,
  requireRestorable,
  restorePlatformBackup,
} = await load.database();

export async function restore(call: LocalCall, file: string): Promise<Shown> {
  const config = configOf(call);
  const { header, vault } = await readHeader(file, config);
  const ledgerFile = simulatorLedgerFile(config.dataDir);
  refuseOtherKind(header, config);
  await refuseOtherLedger(header, ledgerFile);
  let waiting: WaitingLedger | null = null;
  const ledger: Pick<RestorePlatformDeps, 'takeLedger' | 'beforeCommit'> = {
    takeLedger: async (lines) => {
      waiting = await writeWaitingLedger(ledgerFile, lines);
    },
    beforeCommit: async () => waiting?.put(),
  };
  try {
    const read = await withReached(config, call, ({ url }) =>
      restoreInto(url, file, { ...ledger, vault }, call),
    );
    const { tables, rows } = read;
    const facts = { file, restored: true, ...factsOf(header), tables, rows };
    return said(facts, restored(file, read));
  } finally {
    await (waiting as WaitingLedger | null)?.forget();
  }
}

/**
 * Restores a backup into a scratch database, counts, and opens its keys. Throws CommandFailure unless
 * it is sound. Leaves nothing.
 */
export async function verifyBackup(
  call: LocalCall,
  file: string,
  scratchUrl: string | undefined,
): Promise<Shown> {
  const config = configOf(call);
  const { vault } = await readHeader(file, config);
  const checked = await onScratch(call, scratchUrl, async ({ url, database }) => {
    const read = await restoreInto(url, file, { vault, takeLedger: passOver }, call);
    // An older backup is migrated, as a restore would do.
    await migratePlatform(database);
    const keys = await openKeys(database, vault);
    return { read, keys, auditEntries: await walkRecord(database, vault, read.header) };
  });
  const { read, keys, auditEntries } = checked;
  const { header, tables, rows } = read;
  const facts = { ...factsOf(header), tables, rows, ...keys, auditEntries };
  return said({ file, sound: true, ...facts }, sound(file, checked));
}

async function passOver(lines: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of lines);
}

/** Refuses what it can before a database is created for it. */
async function readHeader(file: string, config: Config) {
  try {
    const header = await readPlatformBeginning(opened(file));
    const vault = await requireVault(config);
    await requireRestorable(header, vault);
    return { header, vault };
  } catch (error) {
    throw error instanceof BackupRefused ? invalidUsage(error.message) : error;
  }
}

async function restoreInto(
  url: string,
  file: string,
  deps: Omit<RestorePlatformDeps, 'session' | 'source'>,
  call: LocalCall,
): Promise<ReadResult<BackupFacts>> {
  return await withTables(url, call, (session, onTable) =>
    restorePlatformBackup({ ...deps, session, onTable, source: opened(file) }),
  );
}

async function* opened(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* readBackupFile(file);
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    throw fileFailure(file, 'read', error);
  }
}

async function onScratch<Result>(
  { terminal, signal }: LocalCall,
  scratchUrl: string | undefined,
  work: (scratch: { readonly url: string; readonly database: Database }) => Promise<Result>,
): Promise<Result> {
  const say = (line: string) => terminal.err.write(`${line}\n`);
  signal.throwIfAborted();
  const scratch = await (scratchUrl === undefined
    ? openScratchServer('servery', say)
    : openScratchDatabase('servery', scratchUrl).catch((error) => {
        throw scratchFailure(scratchUrl, error);
      }));
  const database = connectDatabase({ url: scratch.url, poolSize: 2, ...TIME_LIMITS });
  try {
    return await work({ url: scratch.url, database });
  } finally {
    await database.close();
    await scratch.drop();
  }
}

function scratchFailure(scratchUrl: string, cause: Error): CommandFailure {
  const isUrl = URL.canParse(scratchUrl);
  const told = cause.message.replace(/\.$/, '');
  return new CommandFailure(
    `--scratch-url cannot be used: ${told}. Leave it out to use an embedded PostgreSQL.`,
    isUrl ? exitCodes.failure : exitCodes.invalid,
    { cause },
  );
}

async function openKeys(database: Database, vault: Vault): Promise<OpenedKeys> {
  return await checkSealed(database, vault).catch((error: Error) => {
    throw notSound(error.message);
  });
}

/** Verifies the audit log as of the instant of the backup; gives how many entries it has. */
async function walkRecord(
  database: Database,
  vault: Vault,
  { createdAt }: BackupHeader,
): Promise<number> {
  const realClock = { nowMs: () => Date.parse(createdAt) };
  const { firstBreak, position } = await verifyAudit({ database, vault, realClock });
  // Entries wait for their seal where no server ran.
  if (firstBreak && firstBreak.kind !== 'UNSEALED') {
    throw notSound(`its audit log is broken at ${firstBreak.position}`);
  }
  return position;
}

function notSound(why: string): CommandFailure {
  return invalidUsage(`the backup is complete, but ${why}. It was not sound when it was made.`);
}

async function requireVault(config: Config): Promise<Vault> {
  const found = await findMasterKey(config);
  if (found) return createVault(found.key);
  throw invalidUsage(
    'the master key of the backup is missing. Put its master.key into ' +
      `${config.dataDir}, or set SERVERY_MASTER_KEY.`,
  );
}

function refuseOtherKind({ facts }: BackupHeader<BackupFacts>, { kind }: Config): void {
  if (facts.kind === kind) return;
  throw invalidUsage(
    `the backup is of a ${facts.kind} environment, but the settings say ${kind}. Set ` +
      `SERVERY_KIND=${facts.kind}.`,
  );
}

/** A file of the same ledger may be longer than the backup's, and stays. */
async function refuseOtherLedger(
  { facts: { ledger } }: BackupHeader<BackupFacts>,
  ledgerFile: string,
): Promise<void> {
  const own = ledger && (await findLedgerIdIn(ledgerFile));
  if (!ledger || own === null || own === ledger.id) return;
  throw invalidUsage(
    `${ledgerFile} is a different ledger (${own}) from that of the backup (${ledger.id}). Name a ` +
      'new data directory with --data-dir, or move the file away.',
  );
}

function restored(file: string, { header, tables, rows }: ReadResult<BackupFacts>): string {
  const lines = [`Restored ${file}: ${rows} rows of ${tables} tables, as of ${header.createdAt}.`];
  const { ledger } = header.facts;
  if (ledger && !ledger.isIncluded) {
    lines.push(
      `Its payments are in the simulator's ledger ${ledger.id}, which is not in the backup. ` +
        'Put that file into processor/ledger.jsonl of the data directory before you start.',
    );
  }
  return [...lines, 'Next: servery doctor, then servery start with the same settings.'].join('\n');
}

interface Checked {
  readonly read: ReadResult<BackupFacts>;
  readonly keys: OpenedKeys;
  readonly auditEntries: number;
}

function sound(file: string, { read, keys, auditEntries }: Checked): string {
  const { header, tables, rows } = read;
  return (
    `${file} is sound: ${counted(rows, 'row')} of ${counted(tables, 'table')} as of ` +
    `${header.createdAt} were restored and compared, the master key opens its ` +
    `${counted(keys.signingKeys, 'signing key')}, ${counted(keys.cardKeys, 'card key')} and ` +
    `${counted(keys.webhookSecrets, 'webhook secret')}, and its audit log ` +
    `of ${counted(auditEntries, 'change')} is intact.`
  );
}
