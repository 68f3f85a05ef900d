import { type BackupHeader, BackupRefused } from '@servery/postgres/backup/format.ts';
import {
  type ReadBackupDeps,
  readBeginning,
  requireKey,
} from '@servery/postgres/backup/read-backup.ts';
import {
  migrationsOf,
  type RestoreDeps,
  restoreBackup,
} from '@servery/postgres/backup/restore-backup.ts';
import {
  type BackupContents,
  type WriteBackupDeps,
  writeBackup,
} from '@servery/postgres/backup/write-backup.ts';
import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import type { Sql } from '@servery/postgres/sql.ts';
import type { Vault } from '@servery/support/secret.ts';
import { isDistributed } from './distribute.ts';
import { findCluster } from './distribute-store.ts';
import type { EnvironmentKind } from './environment.ts';
import { readPlatformMigrations } from './migrations.ts';
import { SILENCE_MS } from './processes.ts';

export interface BackupFacts {
  readonly kind: EnvironmentKind;
  readonly ledger: { readonly id: string; readonly isIncluded: boolean } | null;
}

/**
 * Each with its reason: the rows are true for seconds, or must not come back. Keep
 * docs/guides/back-up-and-restore.md in step.
 */
export const leftOut: Readonly<Record<string, string>> = {
  rate_budget: 'Budgets of the last quarter of an hour.',
  velocity_count: 'Counts against the testing of cards, of hours at most.',
  velocity_verdict: 'What these counts said of payments of the last quarter of an hour.',
  log_in_attempt: 'Counts of failed logins, which end within a day.',
  change_mark: 'Counters of changes, from 0 again in another database.',
  server_process: 'The processes that are alive now.',
  health_minute: 'What processes did in the last hour.',
  request_log: 'The last requests, redacted: kept for days, large, and never needed to go on.',
  sandbox: 'A sandbox is a database of its own on the same server, which is not in the backup.',
  sandbox_database: 'The databases of sandboxes, which are not in the backup.',
  sandbox_expired: 'Which sandboxes expired in the last day.',
  sandbox_snapshot: 'Snapshots of sandboxes are databases of their own.',
  sandbox_template: 'Made again when a sandbox is created from its profile.',
  person_session: 'A session that was ended since would be alive again: people log in again.',
  person_invitation: 'A link that was used or replaced since would open again: make a new one.',
};

const LEDGER = 'ledger';

const FORMAT = 'servery-backup';

const advice = {
  wrongKey:
    'Among others, these are card keys and signing keys. Restore the old key: SERVERY_MASTER_KEY, ' +
    'or master.key in the data folder.',
  notEmpty:
    'Name a new folder with --data-dir, or make an empty database ("createdb servery_restored") ' +
    'and name it with --database-url.',
};

type LedgerLines = (ledgerId: string) => Promise<AsyncIterable<Buffer> | null>;

export interface WritePlatformBackupDeps
  extends Omit<WriteBackupDeps<BackupFacts>, 'format' | 'leftOut' | 'describe'> {
  readonly ledgerLines: LedgerLines;
}

/** Throws BackupRefused if there is no environment. */
export async function writePlatformBackup({ ledgerLines, ...deps }: WritePlatformBackupDeps) {
  return await writeBackup({
    ...deps,
    format: FORMAT,
    leftOut: Object.keys(leftOut),
    describe: (sql) => describe(sql, ledgerLines),
  });
}

export interface RestorePlatformDeps
  extends Pick<
    RestoreDeps<BackupFacts>,
    'session' | 'source' | 'vault' | 'beforeCommit' | 'onTable'
  > {
  readonly takeLedger: (lines: AsyncIterable<Buffer>) => Promise<void>;
}

/** Throws BackupRefused. */
export async function restorePlatformBackup({ takeLedger, ...deps }: RestorePlatformDeps) {
  return await restoreBackup({
    ...deps,
    format: FORMAT,
    advice,
    migrations: await readPlatformMigrations(),
    leftOut: Object.keys(leftOut),
    isFacts,
    takeAttachment: (_, lines) => takeLedger(lines),
  });
}

export async function readPlatformBeginning(source: ReadBackupDeps<BackupFacts>['source']) {
  return await readBeginning(source, { format: FORMAT, isFacts });
}

/** Throws BackupRefused if this program, with this master key, cannot restore it. */
export async function requireRestorable(header: BackupHeader, vault: Vault): Promise<void> {
  requireKey(header, vault, advice);
  migrationsOf(header, await readPlatformMigrations());
}

async function describe(sql: Sql, ledgerLines: LedgerLines): Promise<BackupContents<BackupFacts>> {
  const [environment] = await sql<{ kind: EnvironmentKind; ledgerId: string | null }[]>`
    select kind, (select ledger_id from processor_ledger) as "ledgerId" from environment`;
  if (!environment) {
    throw new BackupRefused(
      'there is nothing to back up: no server has started on this database yet. Name another with ' +
        '--data-dir or --database-url.',
    );
  }
  const { kind, ledgerId } = environment;
  await refuseTornCluster(sql);
  if (ledgerId === null) return { facts: { kind, ledger: null }, attachments: [] };
  // Read after the snapshot, so the ledger knows all that the database knows.
  const lines = await ledgerLines(ledgerId);
  return {
    facts: { kind, ledger: { id: ledgerId, isIncluded: lines !== null } },
    attachments: lines === null ? [] : [{ name: LEDGER, lines }],
  };
}

/** The workers of a cluster have no instant in common: only without writes are they of one. */
async function refuseTornCluster(sql: Sql): Promise<void> {
  if (!isDistributed(await findCluster(sql))) return;
  const since = new Date((await readDatabaseTimeMs(sql)) - SILENCE_MS);
  const [row] = await sql<[{ processes: number }]>`
    select count(*)::integer as processes from server_process where seen_at >= ${since}`;
  if (row.processes === 0) return;
  throw new BackupRefused(
    'servers work on this cluster, and a backup of it needs them to stop: its workers have no ' +
      'instant in common.',
  );
}

function isFacts(value: unknown): value is BackupFacts {
  const { kind, ledger } = (value ?? {}) as Partial<BackupFacts>;
  const isKind = kind === 'sandbox' || kind === 'production';
  const isLedger = typeof ledger?.id === 'string' && typeof ledger.isIncluded === 'boolean';
  return isKind && (ledger === null || isLedger);
}
