import type { Sql } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';

export interface KeyHolder {
  readonly clientId: string;
  /** Keys of a revoked account can still be retired and destroyed. */
  readonly isRevoked: boolean;
  readonly managementGroupGuid: string | null;
  readonly partnerGuid: string | null;
}

/** Platform reach covers every account that can send payments. */
export async function findKeyHolder(
  sql: Sql,
  clientId: string,
  reach: Reach,
): Promise<KeyHolder | null> {
  const isReached = reach.isPlatform
    ? sql`type in ('PARTNER', 'CUSTOMER')`
    : sql`(type = 'CUSTOMER' and management_group_guid =
          any(string_to_array(${reach.groupGuids.join(' ')}, ' ')::uuid[])
        or type = 'PARTNER' and partner_guid =
          any(string_to_array(${reach.partnerGuids.join(' ')}, ' ')::uuid[]))`;
  const [row] = await sql<KeyHolder[]>`
    select client_id as "clientId", revoked_at is not null as "isRevoked",
      management_group_guid as "managementGroupGuid", partner_guid as "partnerGuid"
    from api_client where client_id = ${clientId} and ${isReached}`;
  return row ?? null;
}
