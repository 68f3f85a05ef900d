import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { archiveEndpointsOfClient } from '../webhooks/endpoints/endpoints.ts';
import { revokeClient } from './clients.ts';
import { recordClientChange } from './record-client.ts';

/**
 * The only way to revoke an account: otherwise its webhook endpoints would look alive but receive
 * nothing (AUTH-9). Writes the audit log. `sql` is a transaction. Throws ApiError `notFound`.
 */
export async function revokeAccount(
  sql: Sql,
  clientId: string,
  origin: ChangeOrigin,
): Promise<void> {
  await recordClientChange(sql, origin, clientId, () =>
    revokeClient({ sql }, clientId, origin.at.getTime(), origin.by),
  );
  await archiveEndpointsOfClient(sql, clientId, origin);
}
