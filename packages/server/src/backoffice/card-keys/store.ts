import type { Sql } from '../../db/database.ts';

/** An account whose card keys may be managed. */
export interface KeyHolder {
  readonly clientId: string;
  /** True once the account was ended: its keys may still be retired and destroyed. */
  readonly isRevoked: boolean;
}

/**
 * The account whose card keys a back office client may manage, or null when there is none within
 * its reach: with a management group the CUSTOMER accounts of that group, without one (the whole
 * platform) every account that can send payments.
 */
export async function findKeyHolder(
  sql: Sql,
  clientId: string,
  managementGroupGuid: string | null,
): Promise<KeyHolder | null> {
  const reach =
    managementGroupGuid === null
      ? sql`type in ('PARTNER', 'CUSTOMER')`
      : sql`type = 'CUSTOMER' and management_group_guid = ${managementGroupGuid}`;
  const [row] = await sql<KeyHolder[]>`
    select client_id as "clientId", revoked_at is not null as "isRevoked"
    from api_client where client_id = ${clientId} and ${reach}`;
  return row ?? null;
}
