import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { newRandomId } from '@servery/support/ids.ts';
import type { Database, Sql } from './database.ts';

export type EnvironmentKind = 'sandbox' | 'production';

export async function findEnvironmentMark({ sql }: Database): Promise<string> {
  const [row] = await sql<[{ createdAt: Date }]>`select created_at as "createdAt" from environment`;
  return row.createdAt.toISOString();
}

/**
 * A copy of the database for another environment gets another one; a restored backup keeps its own.
 * Empty before the first start.
 */
export async function findEnvironmentGuid(sql: Sql): Promise<string> {
  const [row] = await sql<{ guid: string }[]>`select guid from environment`;
  return row?.guid ?? '';
}

export async function findDatabaseName(sql: Sql): Promise<string> {
  const [row] = await sql<[{ name: string }]>`select current_database() as name`;
  return row.name;
}

/** Distinguishes the database from all others of its server, and from a restored one. */
export async function findDatabaseMark(database: Database): Promise<string> {
  const [row] = await database.sql<[{ oid: number }]>`
    select oid::int8 as oid from pg_database where datname = current_database()`;
  return `${row.oid} ${await findEnvironmentMark(database)}`;
}

/**
 * Throws an Error that says what to do if the database has the other kind: a sandbox would expose
 * demo accounts, and production would keep demo data.
 */
export async function claimKind({ sql }: Database, kind: EnvironmentKind): Promise<void> {
  const now = new Date(await readDatabaseTimeMs(sql));
  await sql`
    insert into environment (id, guid, kind, created_at)
    values (1, ${newRandomId()}, ${kind}, ${now})
    on conflict do nothing`;
  const [environment] = await sql<[{ kind: EnvironmentKind }]>`select kind from environment`;
  if (environment.kind === kind) return;
  throw new Error(
    `This database belongs to a ${environment.kind} environment, and the settings say ${kind}: ` +
      `set SERVERY_KIND=${environment.kind}, or use another database.`,
  );
}

export async function findLedgerId({ sql }: Database): Promise<string | null> {
  const [row] = await sql<{ ledgerId: string }[]>`
    select ledger_id as "ledgerId" from processor_ledger`;
  return row?.ledgerId ?? null;
}

/** The first of several processes wins. Returns the environment's ledger. */
export async function claimLedgerId(database: Database, ledgerId: string): Promise<string> {
  const now = new Date(await readDatabaseTimeMs(database.sql));
  await database.sql`
    insert into processor_ledger (id, ledger_id, claimed_at) values (1, ${ledgerId}, ${now})
    on conflict do nothing`;
  return (await findLedgerId(database)) ?? ledgerId;
}
