import type { EventType, TestWebhook } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { type Change, type ChangeOrigin, insertEntry } from '../../audit/entry-store.ts';
import type { Sql } from '../../database/database.ts';
import {
  insertEventDeliveries,
  insertTestEvent,
  listWantingEndpoints,
  updateExtraNumber,
} from '../delivery/queue-store.ts';
import { requireTold } from '../delivery/replay.ts';
import { eventBody } from '../events/event-body.ts';
import { madeUpDetails } from '../events/made-up-details.ts';
import { type EndpointAuthority, type EndpointDeps, findManagedEndpoint } from './endpoints.ts';

export interface SentTestEvent {
  readonly eventGuid: string;
  readonly deliveryGuids: string[];
}

/**
 * Ignores the endpoint's event types. Streams get it too; no log does. Throws ApiError `notFound`,
 * and `conflict` for an archived or disabled endpoint.
 */
export async function sendTestEvent(
  { database }: Pick<EndpointDeps, 'database'>,
  endpointGuid: string,
  { eventType }: TestWebhook,
  { reach, origin }: EndpointAuthority,
): Promise<SentTestEvent> {
  return await database.transaction(async (sql) => {
    const endpoint = await findManagedEndpoint(sql, endpointGuid, reach, { isLocked: true });
    requireTold(endpoint);
    const subject = { kind: 'webhookEndpoint', id: endpointGuid } as const;
    return await write(sql, endpoint.partnerGuid, [endpointGuid], eventType, { subject, origin });
  });
}

export async function sendSyntheticEvent(
  { database }: Pick<EndpointDeps, 'database'>,
  partnerGuid: string,
  { eventType }: TestWebhook,
  origin: ChangeOrigin,
): Promise<SentTestEvent> {
  return await database.transaction(async (sql) => {
    const endpointGuids = await listWantingEndpoints(sql, partnerGuid, eventType);
    const subject = { kind: 'partner', id: partnerGuid } as const;
    return await write(sql, partnerGuid, endpointGuids, eventType, { subject, origin });
  });
}

async function write(
  sql: Sql,
  partnerGuid: string,
  endpointGuids: readonly string[],
  type: EventType,
  { subject, origin }: Pick<Change, 'subject'> & { readonly origin: ChangeOrigin },
): Promise<SentTestEvent> {
  const { at } = origin;
  const guid = newGuid();
  const number = await updateExtraNumber(sql, partnerGuid, 1);
  const body = eventBody({ guid, type, at, details: madeUpDetails(type, guid, at) });
  const place = await insertTestEvent(sql, { partnerGuid, number, guid, type, at, body });
  const told = { partnerGuid, place, extra: number, type, at };
  const deliveryGuids = await insertEventDeliveries(sql, told, endpointGuids);
  // A receiver may take it for real, so the audit log keeps the sender.
  const after = { testEvent: { guid, type, deliveryGuids } };
  await insertEntry(sql, origin, { subject, partnerGuid, before: null, after });
  return { eventGuid: guid, deliveryGuids };
}
