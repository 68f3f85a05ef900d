import type { Sql } from '../database/database.ts';
import { type ApiClient, type ClientRow, clientColumns, readClient } from './client-store.ts';

export interface GroupClient extends ApiClient {
  readonly type: 'PARTNER' | 'CUSTOMER';
}

/**
 * The group's CUSTOMER accounts and the PARTNER accounts of these partners. Back office accounts
 * belong to the operator, not to the document.
 */
export async function listGroupClients(
  sql: Sql,
  groupGuid: string,
  partnerGuids: readonly string[],
): Promise<GroupClient[]> {
  const rows = await sql<(ClientRow & Pick<GroupClient, 'type'>)[]>`
    select ${clientColumns(sql)}
    from api_client c
    where c.revoked_at is null and c.type <> 'BACK_OFFICE' and (
      c.management_group_guid = ${groupGuid}
      or c.partner_guid = any(${partnerGuids}::uuid[])
    )
    order by c.client_id`;
  return rows.map((row) => ({ ...readClient(row), type: row.type }));
}

export async function findClient(sql: Sql, clientId: string): Promise<ApiClient | null> {
  const [row] = await sql<ClientRow[]>`
    select ${clientColumns(sql)} from api_client c where c.client_id = ${clientId}`;
  return row ? readClient(row) : null;
}

export async function updateClient(
  sql: Sql,
  clientId: string,
  client: Pick<ApiClient, 'name' | 'holdsLegacyCardKey'>,
): Promise<void> {
  await sql.touching([`client:${clientId}`])`
    update api_client
    set name = ${client.name}, holds_legacy_card_key = ${client.holdsLegacyCardKey}
    where client_id = ${clientId} and revoked_at is null`;
}

export async function findSharedPartner(
  sql: Sql,
  groupGuid: string,
  partnerGuid: string,
): Promise<boolean> {
  const rows = await sql`
    select from management_group_partner
    where partner_guid = ${partnerGuid} and management_group_guid <> ${groupGuid}
    union all
    select from connection join restaurant on restaurant.guid = connection.restaurant_guid
    where connection.partner_guid = ${partnerGuid} and connection.removed_at is null
      and restaurant.management_group_guid <> ${groupGuid}
    limit 1`;
  return rows.length > 0;
}
