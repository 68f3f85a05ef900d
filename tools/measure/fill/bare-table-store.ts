import type { Sql } from '../../../packages/server/src/database/database.ts';

/** A key, a check of references or an index, with the statements that end it and make it again. */
interface Holder {
  readonly drop: string;
  readonly create: string;
}

/** Room to sort and to compare a million rows in; what is said here ends with the transaction. */
const ROOM = `set local maintenance_work_mem = '512MB'; set local work_mem = '256MB'`;

/** Keys and indexes of the tables, and references to them; what leans on others is first. */
export async function listHolders(sql: Sql, tables: readonly string[]): Promise<Holder[]> {
  return await sql<Holder[]>`
    with filled as (
      select name::regclass as oid from unnest(string_to_array(${tables.join(' ')}, ' ')) as name
    ), holder as (
      select case contype when 'f' then 1 else 2 end as rank, conname as name,
        format('alter table %s drop constraint %I', conrelid::regclass, conname) as "drop",
        format('alter table %s add constraint %I %s', conrelid::regclass, conname,
          pg_get_constraintdef(oid)) as "create"
      from pg_constraint
      where (contype in ('f', 'p', 'u') and conrelid in (select oid from filled))
        or (contype = 'f' and confrelid in (select oid from filled))
      union all
      select 3, relname, format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
      from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid in (select oid from filled) and not exists (
        select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    )
    select "drop", "create" from holder order by rank, name`;
}

/** Ends them. Their tables are locked until the transaction ends that `sql` is of. */
export async function deleteHolders(sql: Sql, holders: readonly Holder[]): Promise<void> {
  await sql.unsafe(ROOM);
  for (const { drop } of holders) await sql.unsafe(drop);
}

/** Makes them again, what others lean on first. Throws for a row that must not be. */
export async function insertHolders(sql: Sql, holders: readonly Holder[]): Promise<void> {
  for (const { create } of holders.toReversed()) await sql.unsafe(create);
}
