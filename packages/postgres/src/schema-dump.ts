import type { Sql } from './sql.ts';

interface ColumnRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly type: string;
  readonly is_required: boolean;
  readonly default_value: string | null;
  /** The default value is then the expression of a generated column. */
  readonly is_generated: boolean;
}

interface DefinitionRow {
  readonly table_name: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Writes the tables, keys, checks and indexes of the schema `public` as SQL, sorted by name, so that
 * the same schema makes the same text whatever migrations led there. The ledger of migrations is
 * left out.
 */
export async function dumpSchema(sql: Sql): Promise<string> {
  const columns = await findColumns(sql);
  const constraints = await findConstraints(sql);
  const indexes = await findIndexes(sql);
  const tables = [...new Set(columns.map((column) => column.table_name))];
  const texts = tables.map((table) => {
    const lines = [
      ...columns.filter((row) => row.table_name === table).map(describeColumn),
      ...constraints.filter((row) => row.table_name === table).map(describeConstraint),
    ];
    const body = lines.map((line) => `  ${line}`).join(',\n');
    const ownIndexes = indexes.filter((row) => row.table_name === table);
    const indexLines = ownIndexes.map((index) => `${describeIndex(index)};\n`);
    return `create table ${table} (\n${body}\n);\n${indexLines.join('')}`;
  });
  return texts.join('\n');
}

function describeColumn(row: ColumnRow): string {
  const { default_value: value, is_generated: isGenerated } = row;
  const column = `${row.column_name} ${row.type}${row.is_required ? ' not null' : ''}`;
  if (value === null) return column;
  const origin = isGenerated ? `generated always as (${lowerKeywords(value)}) stored` : null;
  return `${column} ${origin ?? `default ${value}`}`;
}

function describeConstraint(row: DefinitionRow): string {
  return `constraint ${row.name} ${lowerKeywords(row.definition)}`;
}

function describeIndex(row: DefinitionRow): string {
  return lowerKeywords(row.definition.replace(/ ON public\./, ' ON ').replace(' USING btree', ''));
}

/** The catalog writes keywords in capitals; the migrations do not. Quoted text stays unchanged. */
function lowerKeywords(definition: string): string {
  return definition.replace(/'(?:[^']|'')*'|[A-Z]{2,}/g, (part) =>
    part.startsWith("'") ? part : part.toLowerCase(),
  );
}

async function findColumns(sql: Sql): Promise<ColumnRow[]> {
  return await sql<ColumnRow[]>`
    select c.relname as table_name, a.attname as column_name,
           format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as is_required,
           pg_get_expr(d.adbin, d.adrelid) as default_value,
           a.attgenerated <> '' as is_generated
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and c.relname <> 'schema_migration'
    order by c.relname collate "C", a.attnum`;
}

async function findConstraints(sql: Sql): Promise<DefinitionRow[]> {
  // Without NOT NULL (n), which newer versions of PostgreSQL list here too.
  return await sql<DefinitionRow[]>`
    select c.relname as table_name, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'c', 'f', 'x')
    order by c.relname collate "C", position(k.contype::text in 'pucfx'), k.conname collate "C"`;
}

async function findIndexes(sql: Sql): Promise<DefinitionRow[]> {
  return await sql<DefinitionRow[]>`
    select c.relname as table_name, i.relname as name, pg_get_indexdef(x.indexrelid) as definition
    from pg_index x
    join pg_class c on c.oid = x.indrelid
    join pg_class i on i.oid = x.indexrelid
    where c.relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_constraint k where k.conindid = x.indexrelid
                      and k.contype in ('p', 'u', 'x'))
    order by c.relname collate "C", i.relname collate "C"`;
}
