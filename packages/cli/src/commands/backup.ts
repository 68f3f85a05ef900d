import { findLedgerIdIn, ledgerLinesOf } from '@servery/card-simulator/ledger-copy.ts';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import { writeBackupFile } from '@servery/postgres/backup/backup-file.ts';
import { type BackupHeader, BackupRefused } from '@servery/postgres/backup/format.ts';
import type { WrittenBackup } from '@servery/postgres/backup/write-backup.ts';
import { parseDatabaseUrl } from '@servery/postgres/database-url.ts';
import { findMismatch, type MigrationState } from '@servery/postgres/migrate.ts';
import { type Session, sessionOpener } from '@servery/postgres/session.ts';
import { type BackupFacts, type Config, load, type OpenDatabase } from '@servery/server';
import type { Vault } from '@servery/support/secret.ts';
import manifest from '../../package.json' with { type: 'json' };
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fileFailure } from '../files.ts';
import { configOf, type LocalCall, requireDatabase } from '../platform.ts';
import { type Shown, said } from '../shown.ts';
import { withProgress } from '../terminal.ts';

const { examinePlatformMigrations, findMasterKey, openVault, reachDatabase, writePlatformBackup } =
  await load.database();

export const TIME_LIMITS = { statementTimeoutMs: 0, idleTransactionTimeoutMs: 0 };

/**
 * Writes everything in the environment as of one instant, whether its server runs or not. Throws
 * CommandFailure, and leaves no file, when it cannot.
 */
export async function backUp(call: LocalCall, file: string): Promise<Shown> {
  const config = configOf(call);
  const written = await withExisting(config, call, async (reached) => {
    const vault = await vaultOf(config, reached);
    return await intoFile(file, (write) =>
      withTables(reached.url, call, (session, onTable) =>
        writePlatformBackup({
          ...{ session, vault, write, onTable },
          program: manifest.version,
          ledgerLines: (ledgerId) => ledgerLines(config, ledgerId),
        }),
      ),
    );
  });
  const { header, tables, rows } = written;
  return said({ file, ...factsOf(header), tables, rows }, summary(file, written));
}

export function factsOf({ id, createdAt, facts, migrations }: BackupHeader<BackupFacts>) {
  return { id, createdAt, ...facts, migration: migrations.at(-1)?.fileName };
}

/** Lets `work` read the database as it is. */
export async function withReached<Result>(
  config: Config,
  { terminal, signal }: LocalCall,
  work: (reached: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const say = (line: string) => terminal.err.write(`${line}\n`);
  const reached = await reachDatabase(config, say, TIME_LIMITS).catch((error) => {
    signal.throwIfAborted();
    throw error;
  });
  try {
    signal.throwIfAborted();
    return await work(reached);
  } finally {
    await reached.close();
  }
}

/** The same, but only where there is a database. */
export async function withExisting<Result>(
  config: Config,
  call: LocalCall,
  work: (reached: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  await requireDatabase(config);
  return await withReached(config, call, work);
}

/** Gives `work` a session of its own, which ends with it or with the command, and shows progress. */
export async function withTables<Result>(
  url: string,
  { signal, terminal }: LocalCall,
  work: (session: Session, onTable: (done: number, total: number) => void) => Promise<Result>,
): Promise<Result> {
  const session = sessionOpener({
    address: parseDatabaseUrl(url),
    connectTimeoutMs: 10_000,
    settings: { application_name: 'servery backup', TimeZone: 'UTC' },
  })();
  const end = () => void session.end(0);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await withProgress(terminal, 'tables', (onTable) => work(session, onTable));
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof BackupRefused ? invalidUsage(error.message) : error;
  } finally {
    signal.removeEventListener('abort', end);
    await session.end(0);
  }
}

export function refuseMismatch(state: MigrationState): void {
  const failure = mismatchFailure(state);
  if (failure) throw failure;
}

/** The failure of a database that this program cannot use; null if it can. */
export function mismatchFailure(state: MigrationState): CommandFailure | null {
  const mismatch = findMismatch(state);
  return mismatch && new CommandFailure(`${mismatch.found}: ${mismatch.fix}.`, exitCodes.failure);
}

async function vaultOf(config: Config, { database }: OpenDatabase): Promise<Vault> {
  const state = await examinePlatformMigrations(database.sql);
  refuseMismatch(state);
  const { applied } = state;
  if (applied.length === 0 || !(await findMasterKey(config))) {
    throw new CommandFailure(
      applied.length === 0
        ? 'there is nothing to back up: no server has started on this database yet. Name another ' +
            'one with --data-dir or --database-url.'
        : 'the master key is missing, and a backup needs it to prove that it is complete. Set ' +
            'SERVERY_MASTER_KEY, or name the directory of master.key with --data-dir.',
      exitCodes.failure,
    );
  }
  return await openVault(config, database);
}

async function intoFile<Result>(
  file: string,
  produce: (write: (bytes: Uint8Array) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  try {
    return await writeBackupFile(file, produce);
  } catch (error) {
    if (error instanceof BackupRefused) throw invalidUsage(error.message);
    const { syscall, code } = error as NodeJS.ErrnoException;
    const isOfFile = ['open', 'write', 'link', 'fsync', 'close'].includes(syscall ?? '');
    throw isOfFile && code !== undefined ? fileFailure(file, 'written', error) : error;
  }
}

async function ledgerLines({ dataDir }: Config, ledgerId: string) {
  const ledger = simulatorLedgerFile(dataDir);
  return (await findLedgerIdIn(ledger)) === ledgerId ? ledgerLinesOf(ledger) : null;
}

function summary(file: string, { header, tables, rows }: WrittenBackup<BackupFacts>): string {
  const lines = [
    `Wrote ${file}: ${rows} rows of ${tables} tables, as of ${header.createdAt}.`,
    'It does not contain the master key. Keep that somewhere else: you need it to restore.',
  ];
  const { ledger } = header.facts;
  if (ledger && !ledger.isIncluded) {
    lines.push(
      `The ledger of the simulator (${ledger.id}) is not in this data directory, and not ` +
        'in the backup. Keep a copy of it.',
    );
  }
  return [...lines, `Check it: servery backup verify ${file}`].join('\n');
}
