import type { Sql } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';

/** An account whose card keys may be managed. */
export interface KeyHolder {
  readonly clientId: string;
  /** True once the account was ended: its keys may still be retired and destroyed. */
  readonly isRevoked: boolean;
  /** Of CUSTOMER accounts. */
  readonly managementGroupGuid: string | null;
  /** Of PARTNER accounts. */
  readonly partnerGuid: string | null;
}

/**
 * The account whose card keys may be managed, or null when there is none within reach: on the whole
 * platform every account that can send payments, otherwise the CUSTOMER accounts of the groups and
 * the PARTNER accounts of the partners in reach.
 */
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
