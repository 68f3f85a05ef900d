import type { Sql } from '../../../packages/server/src/database/database.ts';
import type { SentStatement } from './tap.ts';

/** A step of a plan, as far as anybody asks here. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

const EXPLAINED = /^\s*(select|with|insert|update|delete)\b/i;

/** False for what has no plan, such as BEGIN. */
export const hasPlan = ({ text }: SentStatement): boolean => EXPLAINED.test(text);

/**
 * The plan of a statement with the values that it was sent with. Nothing is executed. With
 * `avoidsScans` only what no index can answer is still read from end to end.
 */
export async function findPlan(
  sql: Sql,
  statement: SentStatement,
  avoidsScans: boolean,
): Promise<PlanNode> {
  const rows = await sql.unsafe(
    `set enable_seqscan = ${avoidsScans ? 'off' : 'on'};
    explain (format json, costs off) ${withValues(statement)}`,
  );
  const [answer] = rows.flat().slice(-1);
  if (!answer) throw new Error('the statement has no plan');
  const [{ Plan: plan }] = answer['QUERY PLAN'] as [{ Plan: PlanNode }];
  return plan;
}

const TYPE_NAMES: Readonly<Record<number, string>> = {
  16: 'boolean',
  17: 'bytea',
  20: 'bigint',
  25: 'text',
  114: 'json',
  1082: 'date',
  1184: 'timestamptz',
};

/** The statement with its values in their places: what it is planned for at first. */
function withValues({ text, types, values }: SentStatement): string {
  return text.replace(/\$(\d+)/g, (_parameter, digits) => {
    const index = Number(digits) - 1;
    const value = values[index] ?? null;
    const literal = value === null ? 'null' : `'${value.replaceAll("'", "''")}'`;
    const type = types[index] ?? 0;
    if (type === 0) return literal;
    const name = TYPE_NAMES[type];
    if (name === undefined) throw new Error(`no name is known of the type ${type}: add it`);
    return `${literal}::${name}`;
  });
}

/** The tables that hold more than so many rows. */
export async function listLargeTables(sql: Sql, rows: number): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and (xpath('/row/rows/text()', query_to_xml(
        format('select count(*) as rows from %I', relname), false, true, '')))[1]::text::integer
        > ${rows}`;
  return tables.map(({ name }) => name);
}

/** The indexes that have no more than so many pages, such as those of what waits. */
export async function listSmallIndexes(sql: Sql, pages: number): Promise<string[]> {
  const indexes = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'i' and relnamespace = 'public'::regnamespace
      and pg_relation_size(oid) <= ${pages}::bigint * current_setting('block_size')::bigint`;
  return indexes.map(({ name }) => name);
}

/** Keeps the database from looking by itself how much there is, until `updateCounted`. */
export async function updateUncounted(sql: Sql, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await sql.unsafe(`alter table ${table} set (autovacuum_enabled = false)`);
  }
}

/** Has the database look how much there is. */
export async function updateCounted(sql: Sql): Promise<void> {
  await sql.unsafe('analyze');
}

/** Every table of the platform. */
export async function listTables(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`;
  return tables.map(({ name }) => name);
}
