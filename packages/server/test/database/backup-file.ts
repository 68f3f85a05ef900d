import { createHash } from 'node:crypto';
import type { BackupHeader } from '@servery/postgres/backup/format.ts';
import { parseDatabaseUrl } from '@servery/postgres/database-url.ts';
import { type Session, sessionOpener } from '@servery/postgres/session.ts';
import { createVault, type Vault } from '@servery/support/secret.ts';
import {
  type RestorePlatformDeps,
  readPlatformBeginning,
  requireRestorable,
  restorePlatformBackup,
  type WritePlatformBackupDeps,
  writePlatformBackup,
} from '../../src/database/backup.ts';

/** The vault of the databases in these tests. */
const ownVault = createVault(Buffer.alloc(32, 7));

/** What the sessions of these tests are called in `pg_stat_activity`. */
export const SESSION_NAME = 'backup under test';

/** Runs `work` with a session of its own on the database. */
async function onSession<Result>(
  url: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = sessionOpener({
    address: parseDatabaseUrl(url),
    connectTimeoutMs: 10_000,
    settings: { application_name: SESSION_NAME, TimeZone: 'Asia/Tokyo', DateStyle: 'German' },
  })();
  try {
    return await work(session);
  } finally {
    await session.end(0);
  }
}

/** Backs a database up into memory. */
export async function backUp(
  url: string,
  overrides: Partial<WritePlatformBackupDeps> = {},
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  await onSession(url, (session) =>
    writePlatformBackup({
      session,
      vault: ownVault,
      program: '0.0.0-test',
      ledgerLines: async () => null,
      write: async (bytes) => {
        pieces.push(bytes);
      },
      ...overrides,
    }),
  );
  return Buffer.concat(pieces);
}

/** Restores the bytes of a backup, in pieces of a size that splits lines. */
export async function restore(
  url: string,
  bytes: Uint8Array,
  overrides: Partial<RestorePlatformDeps> = {},
) {
  return await onSession(url, (session) =>
    restorePlatformBackup({
      ...{ session, vault: ownVault, source: inPieces(bytes, 4_099) },
      takeLedger: async (lines) => {
        for await (const _ of lines);
      },
      ...overrides,
    }),
  );
}

/** What the first line says. */
export async function beginningOf(bytes: Uint8Array): Promise<BackupHeader> {
  const header = await readPlatformBeginning(inPieces(bytes, 4_099));
  await requireRestorable(header, ownVault);
  return header;
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The lines of a backup, to be changed: its rows, and what stands between them as JSON. */
export function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes).toString().split('\n').slice(0, -1);
}

/**
 * Makes a backup of changed lines whose every count and digest is right again, as whoever holds the
 * master key could.
 */
export function sealedAgain(lines: readonly string[], vault: Vault = ownVault): Buffer {
  const written: string[] = [];
  let rows = 0;
  let section: string[] | null = null;
  for (const line of lines.slice(0, -1)) {
    if (line.startsWith('{"section":')) {
      section = [];
      written.push(line);
    } else if (section && line.startsWith('{"end":')) {
      const { end } = JSON.parse(line) as { end: string };
      const text = section.map((row) => `${row}\n`).join('');
      if (end !== 'ledger') rows += section.length;
      written.push(JSON.stringify({ end, rows: section.length, sha256: sha256(text) }));
      section = null;
    } else {
      if (section && line !== '\\.') section.push(line);
      written.push(line);
    }
  }
  const body = written.map((line) => `${line}\n`).join('');
  const digest = sha256(body);
  const mac = vault.digest('backup', digest).toString('base64');
  const sections = written.filter((line) => line.startsWith('{"section":')).length;
  const trailer = JSON.stringify({ trailer: true, sections, rows, sha256: digest, mac });
  return Buffer.from(`${body}${trailer}\n`);
}

/** The same backup with another header. */
export function withHeader(bytes: Uint8Array, change: Partial<BackupHeader>): Buffer {
  const [first = '', ...rest] = linesOf(bytes);
  return sealedAgain([JSON.stringify({ ...JSON.parse(first), ...change }), ...rest]);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
