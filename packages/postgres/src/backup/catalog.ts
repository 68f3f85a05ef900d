import { quoted, type Sql } from '../sql.ts';
import type { BackupTable } from './format.ts';

export interface CatalogTable extends BackupTable {
  /** SQL for `order by`, so that the rows always come in the same order. */
  readonly order: string;
  /** False for rows that a crash of PostgreSQL deletes anyway. */
  readonly isLogged: boolean;
}

export interface Catalog {
  /** Those whose rows a backup holds, each after the tables that it refers to. */
  readonly tables: readonly CatalogTable[];
  readonly leftOut: readonly string[];
}

const MIGRATION_TABLE = 'schema_migration';

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly isText: boolean;
  readonly isStored: boolean;
  readonly isLogged: boolean;
  /** Its place in the primary key, from 1; null for none. */
  readonly keyPlace: number | null;
}

interface ReferenceRow {
  readonly from: string;
  readonly to: string;
}

/**
 * Reads which tables the database has, in the schema `public` only: a backup, like a schema dump, is
 * for databases of one program. A backup holds no rows of unlogged tables and of `leftOut`.
 * Throws an Error for tables that refer to each other.
 */
export async function readCatalog(sql: Sql, leftOut: readonly string[]): Promise<Catalog> {
  const tables = Map.groupBy(await listColumns(sql), ({ table }) => table);
  const described = [...tables].map(([name, columns]) => describe(name, columns));
  const isKept = ({ name, isLogged }: CatalogTable) => isLogged && !leftOut.includes(name);
  const kept = described.filter(isKept);
  return {
    tables: inOrder(kept, await listReferences(sql)),
    leftOut: described.filter((table) => !isKept(table)).map(({ name }) => name),
  };
}

function describe(name: string, columns: readonly ColumnRow[]): CatalogTable {
  const keys = columns
    .filter(({ keyPlace }) => keyPlace !== null)
    .sort((one, other) => (one.keyPlace ?? 0) - (other.keyPlace ?? 0));
  // Databases differ in the order of letters, but not in the order of bytes.
  const order = keys.map(({ column, isText }) =>
    isText ? `${quoted(column)} collate "C"` : quoted(column),
  );
  return {
    name,
    columns: columns.filter(({ isStored }) => isStored).map(({ column }) => column),
    order: order.length > 0 ? order.join(', ') : 'ctid',
    isLogged: columns.every(({ isLogged }) => isLogged),
  };
}

/** A restore fills table by table, so each comes after the tables that it refers to. */
function inOrder(
  tables: readonly CatalogTable[],
  references: readonly ReferenceRow[],
): CatalogTable[] {
  const ordered: CatalogTable[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const isWaiting = new Set(waiting.map(({ name }) => name));
    const ready = waiting.filter(({ name }) =>
      references.every(({ from, to }) => from !== name || to === name || !isWaiting.has(to)),
    );
    if (ready.length === 0) {
      throw new Error(`tables refer to each other: ${[...isWaiting].join(', ')}`);
    }
    ordered.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered;
}

export function copyOutStatement({ name, columns, order }: CatalogTable): string {
  const list = columns.map(quoted).join(', ');
  return `copy (select ${list} from public.${quoted(name)} order by ${order}) to stdout`;
}

export function copyInStatement({ name, columns }: BackupTable): string {
  return `copy public.${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`;
}

/** Makes COPY write the same on every server, for this transaction only. */
export async function fixTexts(sql: Sql): Promise<void> {
  await sql.unsafe(`
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local lock_timeout = 0;
    set local timezone = 'UTC';
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'iso_8601';
    set local bytea_output = 'hex';
    set local extra_float_digits = 1`);
}

export async function emptyTable(sql: Sql, name: string): Promise<void> {
  const table = `public.${quoted(name)}`;
  const [found] = await sql<[{ mayDelete: boolean }]>`
    select has_table_privilege(current_user, ${table}, 'delete') as "mayDelete"`;
  // Not even the owner may delete rows of a table that is only added to.
  if (!found.mayDelete) await sql.unsafe(`grant delete on ${table} to current_user`);
  await sql.unsafe(`delete from ${table}`);
  if (!found.mayDelete) await sql.unsafe(`revoke delete on ${table} from current_user`);
}

async function listColumns(sql: Sql): Promise<ColumnRow[]> {
  return await sql<ColumnRow[]>`
    select c.relname as "table", a.attname as "column", a.attgenerated = '' as "isStored",
      t.typcategory = 'S' as "isText", c.relpersistence = 'p' as "isLogged",
      array_position(i.indkey::int2[], a.attnum) as "keyPlace"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname <> ${MIGRATION_TABLE}
    order by c.relname collate "C", a.attnum`;
}

async function listReferences(sql: Sql): Promise<ReferenceRow[]> {
  return await sql<ReferenceRow[]>`
    select f.relname as "from", t.relname as "to"
    from pg_constraint k
    join pg_class f on f.oid = k.conrelid
    join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and f.relnamespace = 'public'::regnamespace`;
}
