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

/** The caller holds the endpoint's lock. */
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
 * Runs in the transaction that revokes the account: its endpoints would look alive but get nothing.
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
