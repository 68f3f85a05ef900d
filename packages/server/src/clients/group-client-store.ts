import type { Sql } from '../database/database.ts';
import { type ApiClient, clientColumns } from './client-store.ts';

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
  return await sql<GroupClient[]>`
    select ${clientColumns(sql)}
    from api_client c
    where c.revoked_at is null and c.type <> 'BACK_OFFICE' and (
      c.management_group_guid = ${groupGuid}
      or c.partner_guid = any(${partnerGuids}::uuid[])
    )
    order by c.client_id`;
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
