import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { Sql } from '../../database/database.ts';
import { updateQueuedDropped } from '../delivery/delivery-store.ts';
import {
  type EndpointKey,
  listEndpointsOfClientLocked,
  updateEndpointArchived,
} from './endpoint-store.ts';
import { recordEndpointChange } from './record-endpoint.ts';
import { updateWebhookSecretsRevoked } from './secret-store.ts';

/** The caller holds the endpoint's lock. */
export async function archiveLocked(
  sql: Sql,
  key: EndpointKey,
  reason: string,
  origin: ChangeOrigin,
): Promise<void> {
  const { at, by } = origin;
  await updateEndpointArchived(sql, key, at, by);
  await updateWebhookSecretsRevoked(sql, key, origin);
  await updateQueuedDropped(sql, key, { at, by, reason });
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
    const reason = 'The account of the endpoint was revoked.';
    await recordEndpointChange(sql, origin, key.endpointGuid, () =>
      archiveLocked(sql, key, reason, origin),
    );
  }
}
