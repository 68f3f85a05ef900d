import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { archiveEndpointsOfClient } from '../webhooks/endpoints/archive.ts';
import { revokeClient } from './clients.ts';
import { recordClientChange } from './record-client.ts';

/**
 * Ends an account with its secrets, tokens and webhook endpoints, at once (AUTH-9), and writes that
 * into the record of changes. Whoever revokes one does it by this: an endpoint of a revoked account
 * would look alive and be told nothing. `sql` is a transaction. Throws ApiError `notFound`.
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
