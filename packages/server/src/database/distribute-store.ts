import type { Sql } from '@servery/postgres/sql.ts';

/** On every node, because nearly every statement asks for one of them. */
export const referenceTables = ['payment_transition', 'restaurant'] as const;

/** The column that says on which worker a row lives. Each comes after the tables it refers to. */
export const distributedTables = {
  payment_event: 'merchant_guid',
  payment: 'merchant_guid',
  payment_attempt: 'merchant_guid',
  payment_guest: 'merchant_guid',
  payment_alarm: 'merchant_guid',
  configuration_object: 'restaurant_guid',
  configuration_draft: 'restaurant_guid',
  publication: 'restaurant_guid',
  publication_change: 'restaurant_guid',
  published_change: 'restaurant_guid',
  published_menus: 'restaurant_guid',
  stock: 'restaurant_guid',
  stock_change: 'restaurant_guid',
  restaurant_order: 'restaurant_guid',
  order_guest: 'restaurant_guid',
  order_external_id: 'restaurant_guid',
  order_number: 'restaurant_guid',
  order_payment: 'restaurant_guid',
  order_event: 'restaurant_guid',
} as const;

/**
 * Tables of the coordinator that the cluster knows, and plans statements of. One of them is written
 * in each transaction that changes workers and the coordinator together: an event of a partner, an
 * entry of the audit log, or a counter of changes. Only then does the cluster prepare the workers'
 * part before the coordinator commits, so that a crash undoes both or neither.
 */
export const knownTables = [
  'partner_counter',
  'change_mark',
  'audit_entry',
  'audit_unsealed',
  'audit_link',
  'audit_head',
] as const;

/**
 * References to a row on another node. A cluster has no foreign keys for them, so doctor looks
 * for broken ones. Each is a table, its column, and the table and column that it refers to.
 */
export const unheldReferences = [
  ['client_restaurant_use', 'restaurant_guid', 'restaurant', 'guid'],
  ['connection', 'restaurant_guid', 'restaurant', 'guid'],
  ['order_payment', 'client_id', 'api_client', 'client_id'],
  ['partner_counter', 'partner_guid', 'partner', 'guid'],
  ['partner_event', 'restaurant_guid', 'restaurant', 'guid'],
  ['payment', 'client_id', 'api_client', 'client_id'],
  ['person_role', 'restaurant_guid', 'restaurant', 'guid'],
  ['restaurant', 'management_group_guid', 'management_group', 'guid'],
  ['restaurant_order', 'client_id', 'api_client', 'client_id'],
] as const;

export interface Cluster {
  readonly workers: number;
  /** Whether the coordinator keeps copies of reference tables. */
  readonly hasCoordinator: boolean;
  /** Of this schema, with a distribution column; null for a reference table. */
  readonly tables: ReadonlyMap<string, string | null>;
}

/** Null without the extension. */
export async function findCluster(sql: Sql): Promise<Cluster | null> {
  const [found] = await sql<[{ isThere: boolean }]>`
    select exists (select from pg_extension where extname = 'citus') as "isThere"`;
  if (!found.isThere) return null;
  const [nodes] = await sql<[{ workers: number; hasCoordinator: boolean }]>`
    select count(*) filter (where groupid <> 0 and isactive)::integer as workers,
      coalesce(bool_or(groupid = 0), false) as "hasCoordinator"
    from pg_dist_node where noderole = 'primary'`;
  const tables = await sql<{ name: string; column: string | null }[]>`
    select c.relname as name,
      case when p.partmethod = 'h' then column_to_column_name(p.logicalrelid, p.partkey) end
        as "column"
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = 'public'::regnamespace
      and (p.partmethod = 'h' or p.partmethod = 'n' and p.repmodel = 't')`;
  return { ...nodes, tables: new Map(tables.map(({ name, column }) => [name, column])) };
}

/** The transaction moves the rows of all tables, one table after the other. */
export async function updateLayout(sql: Sql, onTable: (name: string) => void): Promise<void> {
  await sql`set local citus.multi_shard_modify_mode to 'sequential'`;
  const references = await listReferences(sql);
  for (const { table, key } of references) {
    await sql.unsafe(`alter table ${table} drop constraint ${key}`);
  }
  // A key holds only within a shard. A GUID is random; doctor looks for one that is there twice.
  await sql`alter table payment_alarm drop constraint payment_alarm_guid_key`;
  await sql`create index payment_alarm_guid_key on payment_alarm (guid)`;
  await sql`drop index restaurant_order_by_guid`;
  await sql`create index restaurant_order_by_guid on restaurant_order (guid)`;
  for (const name of referenceTables) {
    onTable(name);
    await sql`select create_reference_table(${name}::text::regclass)`;
  }
  let other = 'none';
  for (const [name, column] of Object.entries(distributedTables)) {
    onTable(name);
    await sql`
      select create_distributed_table(${name}::text::regclass, ${column}::text,
        colocate_with => ${other}::text)`;
    other = 'payment_event';
  }
  for (const name of knownTables) {
    onTable(name);
    await sql`select citus_add_local_table_to_metadata(${name}::text::regclass)`;
  }
  // Others would refer to a row on another node, or make all tables of the coordinator known.
  for (const { table, key, target, definition } of references) {
    if (unheldReferences.some(([from, , to]) => from === table && to === target)) continue;
    await sql.unsafe(`alter table ${table} add constraint ${key} ${definition}`);
  }
}

/** What is wrong with the nodes: unreachable ones, and transactions that wait for a decision. */
export interface ClusterState {
  readonly unreachable: readonly string[];
  /** The longest that one has waited on a worker, in seconds; null for none. */
  readonly halfwaySeconds: number | null;
  /** How many connections to a worker one transaction may open. */
  readonly connectionsPerWorker: number;
}

export async function findClusterState(sql: Sql): Promise<ClusterState> {
  const nodes = await sql<{ node: string; isUp: boolean; seconds: string }[]>`
    select node.nodename || ':' || node.nodeport as node, asked.success as "isUp",
      asked.result as seconds
    from run_command_on_all_nodes(
      $$select coalesce(extract(epoch from max(clock_timestamp() - prepared))::integer, -1)
        from pg_prepared_xacts
        where database = current_database() and starts_with(gid, 'citus_')$$) as asked
    join pg_dist_node node using (nodeid)
    order by node`;
  const [{ poolSize }] = await sql<[{ poolSize: number }]>`
    select current_setting('citus.max_adaptive_executor_pool_size')::integer as "poolSize"`;
  const waits = nodes.filter(({ isUp }) => isUp).map(({ seconds }) => Number(seconds));
  const longest = Math.max(-1, ...waits);
  return {
    unreachable: nodes.filter(({ isUp }) => !isUp).map(({ node }) => node),
    halfwaySeconds: longest < 0 ? null : longest,
    connectionsPerWorker: poolSize,
  };
}

/**
 * Rows that a key would have refused, by the key's name: those of which no row of the other node
 * says what they refer to, and GUIDs that are there twice.
 */
export async function listBrokenKeys(sql: Sql): Promise<string[]> {
  const broken: string[] = [];
  for (const { key, found } of await Promise.all([
    ...unheldReferences.map((reference) => isOrphaned(sql, reference)),
    ...['payment_alarm', 'restaurant_order'].map((table) => isRepeated(sql, table)),
  ])) {
    if (found) broken.push(key);
  }
  return broken;
}

async function isOrphaned(
  sql: Sql,
  [table, column, target, key]: (typeof unheldReferences)[number],
) {
  const rows = await sql.unsafe(`
    select 1 from (select distinct ${column} from ${table} where ${column} is not null) as used
    where ${column} not in (select ${key} from ${target}) limit 1`);
  return { key: `${table}.${column}`, found: rows.length > 0 };
}

async function isRepeated(sql: Sql, table: string) {
  const rows = await sql.unsafe(`select 1 from ${table} group by guid having count(*) > 1 limit 1`);
  return { key: `${table}.guid`, found: rows.length > 0 };
}

interface ReferenceRow {
  readonly table: string;
  readonly key: string;
  readonly target: string;
  readonly definition: string;
}

/** Between two tables of which the cluster knows at least one. */
async function listReferences(sql: Sql): Promise<ReferenceRow[]> {
  const known = [...Object.keys(distributedTables), ...referenceTables, ...knownTables];
  return await sql<ReferenceRow[]>`
    select f.relname as "table", k.conname as key, t.relname as target,
      pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class f on f.oid = k.conrelid
    join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and f.relnamespace = 'public'::regnamespace
      and k.conrelid <> k.confrelid
      and (f.relname = any(${known}::text[]) or t.relname = any(${known}::text[]))`;
}
