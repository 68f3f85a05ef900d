import { findLedgerIdIn, ledgerLinesOf } from '@servery/card-simulator/ledger-copy.ts';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import { writeBackupFile } from '@servery/postgres/backup/backup-file.ts';
import { type BackupHeader, BackupRefused } from '@servery/postgres/backup/format.ts';
import type { WrittenBackup } from '@servery/postgres/backup/write-backup.ts';
import { parseDatabaseUrl } from '@servery/postgres/database-url.ts';
import { findMismatch, type MigrationState } from '@servery/postgres/migrate.ts';
import { type Session, sessionOpener } from '@servery/postgres/session.ts';
import type { Config } from '@servery/server/config/config.ts';
import { findMasterKey, openVault } from '@servery/server/config/secrets.ts';
import { type BackupFacts, writePlatformBackup } from '@servery/server/database/backup.ts';
import { examinePlatformMigrations } from '@servery/server/database/migrations.ts';
import { type ReachedDatabase, reachDatabase } from '@servery/server/database/open.ts';
import type { Vault } from '@servery/support/secret.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { Environment } from '../connection.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fileFailure } from '../files.ts';
import { type CommandContext, requireDatabase } from '../platform.ts';
import { showJson } from '../session.ts';
import { printable, showProgress } from '../terminal.ts';

/** The options of `servery backup` and its likes. */
export interface BackupFlags {
  readonly json?: boolean;
}

/** What the commands about backups are given by the program. */
export type BackupContext = CommandContext & { readonly env: Environment };

/** For work whose steps may take hours. */
export const TIME_LIMITS = { statementTimeoutMs: 0, idleTransactionTimeoutMs: 0 };

/**
 * `servery backup FILE`: writes all that the environment holds as of one instant, while its server
 * runs or not. Throws CommandFailure, and leaves no file, when it cannot.
 */
export async function runBackup(
  config: Config,
  file: string,
  flags: BackupFlags,
  context: BackupContext,
): Promise<void> {
  const progress = showProgress(context.terminal, 'tables');
  const onTable = (done: number, total: number) => progress.update(done, total);
  const written = await withExisting(config, context, async (reached) => {
    const vault = await vaultOf(config, reached);
    return await intoFile(file, (write) =>
      withSession(reached.url, context, (session) =>
        writePlatformBackup({
          ...{ session, vault, write, onTable },
          program: manifest.version,
          ledgerLines: (ledgerId) => ledgerLines(config, ledgerId),
        }),
      ),
    );
  }).finally(() => progress.stop());
  const { header, tables, rows } = written;
  if (flags.json) return showJson(context, { file, ...factsOf(header), tables, rows });
  context.terminal.out.write(printable(summary(file, written)));
}

/** What a program is told of a backup. */
export function factsOf({ id, createdAt, facts, migrations }: BackupHeader<BackupFacts>) {
  return { id, createdAt, ...facts, migration: migrations.at(-1)?.fileName };
}

/** Lets `work` look at the database as it is, and lets go of it. */
export async function withReached<Result>(
  config: Config,
  { terminal, signal }: CommandContext,
  work: (reached: ReachedDatabase) => Promise<Result>,
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

/** The same where there is a database: whoever only looks at one never makes one. */
export async function withExisting<Result>(
  config: Config,
  context: CommandContext,
  work: (reached: ReachedDatabase) => Promise<Result>,
): Promise<Result> {
  await requireDatabase(config);
  return await withReached(config, context, work);
}

/** Gives `work` a session of its own; it ends with the work, or when the command is to end. */
export async function withSession<Result>(
  url: string,
  { signal }: Pick<CommandContext, 'signal'>,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = sessionOpener({
    address: parseDatabaseUrl(url),
    connectTimeoutMs: 10_000,
    settings: { application_name: 'servery backup', TimeZone: 'UTC' },
  })();
  const end = () => void session.end(0);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await work(session);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof BackupRefused ? invalidUsage(error.message) : error;
  } finally {
    signal.removeEventListener('abort', end);
    await session.end(0);
  }
}

/** Throws CommandFailure for a database that this program cannot use. */
export function refuseMismatch(state: MigrationState): void {
  const mismatch = findMismatch(state);
  if (mismatch) throw new CommandFailure(`${mismatch.found}: ${mismatch.fix}.`, exitCodes.failure);
}

async function vaultOf(config: Config, { database }: ReachedDatabase): Promise<Vault> {
  const state = await examinePlatformMigrations(database.sql);
  refuseMismatch(state);
  const { applied } = state;
  if (applied.length === 0 || !(await findMasterKey(config))) {
    throw new CommandFailure(
      applied.length === 0
        ? 'there is nothing to back up: no server has started on this database yet. Name another ' +
            'with --data-dir or --database-url.'
        : 'the master key is missing, without which nobody could prove that a backup is whole: ' +
            'set SERVERY_MASTER_KEY, or name the folder of master.key with --data-dir.',
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
    'The master key is not in it: keep that apart, for a backup is worth nothing without it.',
  ];
  const { ledger } = header.facts;
  if (ledger && !ledger.isIncluded) {
    lines.push(
      `The simulator’s ledger (${ledger.id}) is not in this data folder, and not in the ` +
        'backup: keep a copy of it where it is.',
    );
  }
  lines.push(`Check it: servery backup verify ${file}`);
  return `${lines.join('\n')}\n`;
}
