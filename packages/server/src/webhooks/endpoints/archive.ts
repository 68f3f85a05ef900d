import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { Sql } from '../../database/database.ts';
import { updateQueuedDropped } from '../delivery/delivery-store.ts';
import {
  type EndpointKey,
  listEndpointsOfClientLocked,
  updateEndpointArchived,
} from './endpoint-store.ts';
import { recordEndpointChange } from './record-endpoint.ts';
import { updateAllWebhookSecretsRevoked } from './secret-store.ts';

/**
 * Ends an endpoint that is kept from others, with its secrets, and drops what waits for it;
 * `reason` is what the deliveries say.
 */
export async function archiveLocked(
  sql: Sql,
  key: EndpointKey,
  reason: string,
  origin: ChangeOrigin,
): Promise<void> {
  const { at, by } = origin;
  await recordEndpointChange(sql, origin, key.endpointGuid, async () => {
    await updateEndpointArchived(sql, key, at, by);
    await updateAllWebhookSecretsRevoked(sql, key, at, by);
    await updateQueuedDropped(sql, key, { at, by, reason });
  });
}

/**
 * Ends all endpoints of an account that is revoked in the same transaction: they would look alive
 * and be told nothing.
 */
export async function archiveEndpointsOfClient(
  sql: Sql,
  clientId: string,
  origin: ChangeOrigin,
): Promise<void> {
  for (const key of await listEndpointsOfClientLocked(sql, clientId)) {
    await archiveLocked(sql, key, 'The account of the endpoint was revoked.', origin);
  }
}
