import type { Sql } from '../../src/database/database.ts';

/** Adds the owners that API accounts of the tests belong to. */
export async function insertOwners(
  sql: Sql,
  owners: { partnerGuid: string; managementGroupGuid: string },
): Promise<void> {
  const createdAt = new Date(0);
  await sql`
    insert into partner (guid, name, created_at)
    values (${owners.partnerGuid}, 'Larder Counts', ${createdAt})`;
  await sql`
    insert into management_group (guid, name, created_at)
    values (${owners.managementGroupGuid}, 'Juniper Street Restaurants', ${createdAt})`;
}

/** Everything that the token service keeps, as one text to search in. */
export async function findEverythingStored(sql: Sql): Promise<string> {
  const rows = await sql<{ text: string }[]>`
    select c::text as text from api_client c union all
    select s::text from client_secret s union all
    select k::text from signing_key k union all
    select g::text from access_grant g union all
    select r::text from revoked_token r`;
  return rows.map((row) => row.text).join('\n');
}

/** How many grants, and how many signing keys, there are. */
export async function countRows(sql: Sql): Promise<{ grants: number; signingKeys: number }> {
  const [row] = await sql<{ grants: number; signing_keys: number }[]>`
    select (select count(*)::int from access_grant) as grants,
      (select count(*)::int from signing_key) as signing_keys`;
  if (!row) throw new Error('a count without a row');
  return { grants: row.grants, signingKeys: row.signing_keys };
}

/** Renames an account, as a back office may. */
export async function updateClientName(sql: Sql, clientId: string, name: string): Promise<void> {
  await sql`update api_client set name = ${name} where client_id = ${clientId}`;
}

/** Writes an account as it is given, past the checks of the application. */
export async function insertRawClient(
  sql: Sql,
  client: {
    readonly clientId?: string;
    readonly type: string;
    readonly partnerGuid: string | null;
    readonly groupGuid: string | null;
    readonly scopes: string;
    readonly holdsLegacyCardKey?: boolean;
  },
): Promise<void> {
  await sql`
    insert into api_client (client_id, name, type, partner_guid, management_group_guid, scopes,
      holds_legacy_card_key, created_at)
    values (${client.clientId ?? 'raw'}, 'Raw', ${client.type}, ${client.partnerGuid},
      ${client.groupGuid}, string_to_array(${client.scopes}, ' '),
      ${client.holdsLegacyCardKey ?? false}, ${new Date(0)})`;
}

/** Deletes what tests of the token service and of accounts write, past the rules of tables. */
export async function deleteRows(sql: Sql): Promise<void> {
  await sql.unsafe(`do $$ declare written text; begin
    set local session_replication_role = replica;
    for written in select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
        and relname not in ('schema_migration', 'environment_clock', 'change_mark',
          'payment_transition', 'audit_head')
    loop execute format('delete from %I', written); end loop;
  end $$`);
}
