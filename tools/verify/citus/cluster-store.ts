import type { Sql } from '@servery/postgres/sql.ts';

export async function insertDatabase(sql: Sql): Promise<void> {
  await sql`create database servery`;
}

export async function findAnswer(sql: Sql): Promise<void> {
  await sql`select 1`;
}

export async function insertExtension(sql: Sql): Promise<void> {
  await sql`create extension citus`;
}

export async function insertNodes(
  sql: Sql,
  coordinator: number,
  workers: readonly number[],
): Promise<void> {
  await sql`select citus_set_coordinator_host('127.0.0.1', ${coordinator}::integer)`;
  for (const port of workers) await sql`select citus_add_node('127.0.0.1', ${port}::integer)`;
}

/** From now on, what this node commits or prepares is on disk, but waits for a standby in vain. */
export async function updateToStalled(sql: Sql): Promise<void> {
  await sql`alter system set synchronous_standby_names = 'nobody'`;
  await updateSettings(sql);
}

/** What waits goes on waiting until the node reads its settings, or starts with them. */
export async function updateToRunning(sql: Sql): Promise<void> {
  await sql`alter system reset synchronous_standby_names`;
}

export async function updateSettings(sql: Sql): Promise<void> {
  await sql`select pg_reload_conf()`;
}

/** A transaction that a worker has prepared without knowing what the coordinator will decide. */
export interface Halfway {
  readonly gid: string;
  readonly xid: string;
}

/** Those of a stalled worker whose coordinator has no answer to PREPARE yet. */
export async function listStalledPrepares(worker: Sql): Promise<Halfway[]> {
  return await worker<Halfway[]>`
    select gid, transaction::text as xid from pg_prepared_xacts
    join pg_stat_activity on wait_event = 'SyncRep' and starts_with(query, 'PREPARE ')
      and position(quote_literal(gid) in query) > 0`;
}

export async function listHalfway(worker: Sql): Promise<Halfway[]> {
  return await worker<Halfway[]>`
    select gid, transaction::text as xid from pg_prepared_xacts where starts_with(gid, 'citus_')`;
}

/** The processes of a stalled coordinator that have committed, and have told no worker yet. */
export async function listStalledCommits(coordinator: Sql): Promise<number[]> {
  const rows = await coordinator<{ pid: number }[]>`
    select pid from pg_stat_activity
    where wait_event = 'SyncRep' and backend_type = 'client backend'`;
  return rows.map(({ pid }) => pid);
}

/** What became of transactions of this worker. */
export async function countOutcomes(
  worker: Sql,
  xids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await worker<{ outcome: string; count: number }[]>`
    select pg_xact_status(xid::xid8) as outcome, count(*)::int as count
    from unnest(${[...xids]}::text[]) as xid group by 1`;
  return new Map(rows.map(({ outcome, count }) => [outcome, count]));
}

/** The port of the worker that has the rows of each restaurant. */
export async function listPlaces(
  coordinator: Sql,
  restaurantGuids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await coordinator<{ guid: string; port: number }[]>`
    select guid::text, nodeport as port from unnest(${[...restaurantGuids]}::uuid[]) as guid
    join citus_shards
      on shardid = get_shard_id_for_distribution_column('payment', guid)`;
  return new Map(rows.map(({ guid, port }) => [guid, port]));
}

/** Moves the shard of a restaurant to another worker, unless it is also that of `but`. */
export async function updatePlace(
  coordinator: Sql,
  guid: string,
  port: number,
  but: string | null = null,
): Promise<void> {
  await coordinator`
    select citus_move_shard_placement(shardid, nodename, nodeport, '127.0.0.1', ${port}::integer,
      'block_writes')
    from citus_shards
    where shardid = get_shard_id_for_distribution_column('payment', ${guid}::uuid)
      and (${but}::uuid is null
        or shardid <> get_shard_id_for_distribution_column('payment', coalesce(${but}, ${guid})::uuid))
      and nodeport <> ${port}::integer`;
}

/** The node logs each statement, and each that it sends to another node. */
export async function updateToTalking(sql: Sql): Promise<void> {
  await sql`alter system set log_line_prefix = '<%p %a> '`;
  await sql`alter system set log_statement = 'all'`;
  await sql`alter system set log_min_messages = 'notice'`;
  await sql`alter system set client_min_messages = 'warning'`;
  await sql`alter system set citus.log_remote_commands = on`;
  await updateSettings(sql);
}

/** The default of Citus. */
export async function updateToManyConnections(sql: Sql): Promise<void> {
  await sql`alter system set citus.max_adaptive_executor_pool_size = 16`;
  await updateSettings(sql);
}

/** References to nothing: from workers, from the coordinator, and from all nodes. */
export async function updateReferences(sql: Sql, guid: string): Promise<void> {
  await sql`update payment set client_id = ${guid}`;
  await sql`update person_role set restaurant_guid = ${guid} where restaurant_guid is not null`;
  await sql`update restaurant set management_group_guid = ${guid}`;
}
