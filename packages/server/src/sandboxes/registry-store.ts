import type { Sql } from '../database/database.ts';
import type { Subject } from '../freshness/freshness.ts';
import type { ClockMode } from '../sandbox/clock-store.ts';

/** A database with a ledger, on the server of the main environment. */
export interface SandboxDatabase {
  readonly databaseName: string;
  readonly ledgerId: string;
}

export interface SandboxRow extends SandboxDatabase {
  readonly name: string;
  readonly profile: string;
  readonly madeFrom: unknown;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly clockMode: ClockMode;
  /** How far it is ahead of real time, or where it stands if frozen. */
  readonly clockMs: number;
}

/** What the list tells of a clock, though the sandbox rests. */
export type ClockSeen = Pick<SandboxRow, 'clockMode' | 'clockMs'>;

export interface NewSandbox {
  readonly name: string;
  readonly profile: string;
  readonly madeFrom: unknown;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly expiresAt: Date;
}

export interface SnapshotRow extends SandboxDatabase {
  readonly name: string;
  readonly createdAt: Date;
  readonly createdBy: string;
}

const rowOf = (sql: Sql) => sql`
  s.name, s.database_name as "databaseName", d.ledger_id as "ledgerId", s.profile,
  s.made_from as "madeFrom", s.created_at as "createdAt", s.created_by as "createdBy",
  s.expires_at as "expiresAt", s.used_at as "usedAt", s.clock_mode as "clockMode",
  s.clock_ms as "clockMs"`;

/** Null for one that is still being made, too. */
export async function findSandbox(sql: Sql, name: string): Promise<SandboxRow | null> {
  const [row] = await sql<SandboxRow[]>`
    select ${rowOf(sql)} from sandbox s join sandbox_database d on d.name = s.database_name
    where s.name = ${name}`;
  return row ?? null;
}

export async function listSandboxes(
  sql: Sql,
  afterName: string | null,
  limit: number,
): Promise<SandboxRow[]> {
  return await sql<SandboxRow[]>`
    select ${rowOf(sql)} from sandbox s join sandbox_database d on d.name = s.database_name
    where ${afterName}::text is null or s.name > ${afterName}
    order by s.name limit ${limit}`;
}

export async function listSandboxNames(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from sandbox where database_name is not null order by name`;
  return rows.map(({ name }) => name);
}

/** With those that are still being made. */
export async function listTakenNames(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`select name from sandbox`;
  return rows.map(({ name }) => name);
}

/** One at a time: who counts sandboxes must see those that others add. */
export async function lockSandboxes(sql: Sql): Promise<void> {
  await sql`select from environment for update`;
}

export async function countSandboxes(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`select count(*)::int as count from sandbox`;
  return row.count;
}

/** False if the name is taken. */
export async function reserveSandbox(
  sql: Sql,
  { name, profile, madeFrom, createdAt, createdBy, expiresAt }: NewSandbox,
  makingUntil: Date,
): Promise<boolean> {
  const rows = await sql`
    insert into sandbox (name, making_until, made_from, profile, created_at, created_by, expires_at)
    values (${name}, ${makingUntil}, ${sql.json(madeFrom)}, ${profile}, ${createdAt}, ${createdBy},
      ${expiresAt})
    on conflict (name) do nothing
    returning name`;
  return rows.length > 0;
}

export async function insertDatabase(
  sql: Sql,
  { databaseName, ledgerId }: SandboxDatabase,
  makingUntil: Date,
): Promise<void> {
  await sql`
    insert into sandbox_database (name, ledger_id, making_until)
    values (${databaseName}, ${ledgerId}, ${makingUntil})`;
}

/** False if its lease had run out, and it is being removed. */
export async function extendMaking(sql: Sql, databaseName: string, until: Date): Promise<boolean> {
  const { count } = await sql`
    update sandbox_database set making_until = ${until}
    where name = ${databaseName} and making_until > '-infinity'`;
  return count > 0;
}

export async function extendReservation(sql: Sql, name: string, until: Date): Promise<void> {
  await sql`
    update sandbox set making_until = ${until} where name = ${name} and making_until is not null`;
}

/** In one transaction with the row that names it. False if it is being removed. */
export async function completeDatabase(sql: Sql, databaseName: string): Promise<boolean> {
  const { count } = await sql`
    update sandbox_database set making_until = null
    where name = ${databaseName} and making_until > '-infinity'`;
  return count > 0;
}

export interface GivenDatabase extends ClockSeen {
  readonly databaseName: string;
  readonly wakeAt: Date | null;
}

/**
 * False if the sandbox was dropped meanwhile; another one may have its name. The database it had
 * before is named by nothing then.
 */
export async function setDatabaseOf(
  sql: Sql,
  { name, createdAt }: Pick<SandboxRow, 'name' | 'createdAt'>,
  { databaseName, wakeAt, clockMode, clockMs }: GivenDatabase,
): Promise<boolean> {
  const rows = await sql.touching([`sandbox:${name}`])`
    update sandbox set database_name = ${databaseName}, making_until = null,
      clock_mode = ${clockMode}, clock_ms = ${Math.round(clockMs)}, wake_at = ${wakeAt}
    where name = ${name} and created_at = ${createdAt} returning name`;
  return rows.length > 0;
}

export async function deleteReservation(sql: Sql, name: string): Promise<void> {
  await sql`delete from sandbox where name = ${name} and database_name is null`;
}

/** Its snapshots go with it. */
export async function deleteSandbox(sql: Sql, name: string): Promise<void> {
  await sql.touching([`sandbox:${name}`])`
    delete from sandbox where name = ${name} and database_name is not null`;
  // An earlier one of the name may have expired.
  await sql`delete from sandbox_expired where name = ${name}`;
}

/** Does nothing if it has time left. */
export async function expireSandbox(sql: Sql, name: string, now: Date): Promise<void> {
  await sql.touching([`sandbox:${name}`])`
    with ended as (
      delete from sandbox
      where name = ${name} and database_name is not null and expires_at <= ${now}
      returning name, expires_at
    )
    insert into sandbox_expired (name, expired_at) select name, expires_at from ended
    on conflict (name) do update set expired_at = excluded.expired_at`;
}

/** Null if none of the name has expired lately. */
export async function findExpiry(sql: Sql, name: string): Promise<Date | null> {
  const [row] = await sql<{ expiredAt: Date }[]>`
    select expired_at as "expiredAt" from sandbox_expired where name = ${name}`;
  return row?.expiredAt ?? null;
}

export async function deleteExpiries(sql: Sql, before: Date): Promise<void> {
  await sql`delete from sandbox_expired where expired_at < ${before}`;
}

export async function updateExpiry(sql: Sql, name: string, expiresAt: Date): Promise<boolean> {
  const rows = await sql`
    update sandbox set expires_at = ${expiresAt}
    where name = ${name} and database_name is not null returning name`;
  return rows.length > 0;
}

export interface SandboxUse extends ClockSeen, Pick<SandboxRow, 'usedAt'> {
  readonly wakeAt: Date | null;
}

export async function updateUse(
  sql: Sql,
  name: string,
  { usedAt, wakeAt, clockMode, clockMs }: SandboxUse,
): Promise<void> {
  await sql`
    update sandbox set used_at = greatest(used_at, ${usedAt}), wake_at = ${wakeAt},
      clock_mode = ${clockMode}, clock_ms = ${Math.round(clockMs)}
    where name = ${name}`;
}

/** Those whose work is due. The process that gets a name wakes it; after `until`, another one may. */
export async function claimWakes(sql: Sql, now: Date, until: Date): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    update sandbox set wake_at = ${until}
    where wake_at <= ${now} and database_name is not null
    returning name`;
  return rows.map(({ name }) => name);
}

export async function listExpired(sql: Sql, now: Date): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from sandbox where expires_at <= ${now} and database_name is not null`;
  return rows.map(({ name }) => name);
}

export async function listSnapshots(sql: Sql, sandboxName: string): Promise<SnapshotRow[]> {
  return await sql<SnapshotRow[]>`
    select s.name, s.database_name as "databaseName", d.ledger_id as "ledgerId",
      s.created_at as "createdAt", s.created_by as "createdBy"
    from sandbox_snapshot s join sandbox_database d on d.name = s.database_name
    where s.sandbox_name = ${sandboxName} order by s.created_at, s.name`;
}

/** False if the name is taken, or the sandbox was dropped. */
export async function insertSnapshot(
  sql: Sql,
  sandboxName: string,
  { name, databaseName, createdAt, createdBy }: Omit<SnapshotRow, 'ledgerId'>,
): Promise<boolean> {
  const rows = await sql`
    insert into sandbox_snapshot (sandbox_name, name, database_name, created_at, created_by)
    select name, ${name}, ${databaseName}, ${createdAt}, ${createdBy} from sandbox
    where name = ${sandboxName}
    on conflict (sandbox_name, name) do nothing
    returning name`;
  return rows.length > 0;
}

/** Its database is named by nothing then. One of the same name that was taken later stays. */
export async function deleteSnapshot(
  sql: Sql,
  { databaseName }: Pick<SnapshotRow, 'databaseName'>,
): Promise<void> {
  await sql`delete from sandbox_snapshot where database_name = ${databaseName}`;
}

export async function findTemplate(
  sql: Sql,
  profile: string,
  fingerprint: string,
): Promise<SandboxDatabase | null> {
  const [row] = await sql<SandboxDatabase[]>`
    select t.database_name as "databaseName", d.ledger_id as "ledgerId"
    from sandbox_template t join sandbox_database d on d.name = t.database_name
    where t.profile = ${profile} and t.fingerprint = ${fingerprint}`;
  return row ?? null;
}

/** The template before it is named by nothing then. */
export async function upsertTemplate(
  sql: Sql,
  profile: string,
  fingerprint: string,
  databaseName: string,
): Promise<void> {
  await sql`
    insert into sandbox_template (profile, fingerprint, database_name)
    values (${profile}, ${fingerprint}, ${databaseName})
    on conflict (profile) do update
      set fingerprint = excluded.fingerprint, database_name = excluded.database_name`;
}

/** Their databases are named by nothing then. */
export async function deleteEverySandbox(sql: Sql): Promise<void> {
  await sql`delete from sandbox_template`;
  await sql.touching((rows) => rows.map(({ name }): Subject => `sandbox:${name}`))`
    delete from sandbox returning name`;
}

/** Whose makers have died. */
export async function deleteDeadReservations(sql: Sql, now: Date): Promise<void> {
  await sql`delete from sandbox where making_until < ${now}`;
}

/**
 * What no sandbox, snapshot or template names, and nobody is making. From then on nobody can name
 * it, so it can be removed.
 */
export async function claimUnneeded(sql: Sql, now: Date): Promise<SandboxDatabase[]> {
  await sql`
    update sandbox_database d set making_until = '-infinity'
    where (d.making_until is null or d.making_until < ${now}) and ${isUnnamed(sql)}`;
  // One that was named while the update waited for its row is named now.
  return await sql<SandboxDatabase[]>`
    select d.name as "databaseName", d.ledger_id as "ledgerId" from sandbox_database d
    where d.making_until = '-infinity' and ${isUnnamed(sql)}`;
}

const isUnnamed = (sql: Sql) => sql`
  not exists (select from sandbox s where s.database_name = d.name)
  and not exists (select from sandbox_snapshot s where s.database_name = d.name)
  and not exists (select from sandbox_template t where t.database_name = d.name)`;

export async function deleteDatabaseRow(sql: Sql, databaseName: string): Promise<void> {
  await sql`delete from sandbox_database where name = ${databaseName}`;
}

export async function listDatabases(sql: Sql): Promise<SandboxDatabase[]> {
  return await sql<SandboxDatabase[]>`
    select name as "databaseName", ledger_id as "ledgerId" from sandbox_database`;
}
