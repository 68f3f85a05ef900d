import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../database/database.ts';
import { insertEventDeliveries, listWantingEndpoints, type QueuedEvent } from './queue-store.ts';

/**
 * Queues an event for each endpoint of its partner that wants it; `sql` is the transaction that
 * wrote the event, so that either both are there or none.
 */
export async function queueEvent(sql: Sql, event: QueuedEvent): Promise<void> {
  const endpoints = await listWantingEndpoints(sql, event.partnerGuid, event.type);
  if (endpoints.length === 0) return;
  const deliveries = endpoints.map((endpointGuid) => ({ endpointGuid, guid: newGuid() }));
  await insertEventDeliveries(sql, event, deliveries);
}
