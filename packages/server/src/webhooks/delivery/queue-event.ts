import type { Sql } from '../../database/database.ts';
import { insertEventDeliveries, listWantingEndpoints, type QueuedEvent } from './queue-store.ts';

/** `sql` is the transaction that wrote the event: both commit or neither. */
export async function queueEvent(sql: Sql, event: QueuedEvent): Promise<void> {
  const endpoints = await listWantingEndpoints(sql, event.partnerGuid, event.type);
  if (endpoints.length === 0) return;
  await insertEventDeliveries(sql, { ...event, place: event.position, extra: 0 }, endpoints);
}
