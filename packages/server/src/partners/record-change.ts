import type { EventType } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { queueEvent } from '../webhooks/delivery/queue-event.ts';
import { eventBody } from '../webhooks/events/event-body.ts';
import {
  type ConnectionChangeKind,
  findToldRestaurant,
  insertConnectionChange,
  insertPartnerEvent,
} from './change-store.ts';
import { type ConnectionKey, type ConnectionView, findConnection } from './connection-store.ts';
import { webhookRep } from './webhook-rep.ts';

export interface WrittenChange extends ConnectionKey {
  readonly kind: ConnectionChangeKind;
  readonly before: ConnectionView | null;
  /** Taken in this transaction. */
  readonly position: number;
}

const eventTypes: Readonly<Record<ConnectionChangeKind, EventType>> = {
  CONNECTED: 'partner_added',
  EDITED: 'partner_updated',
  RESTAURANT_EDITED: 'partner_updated',
  DISCONNECTED: 'partner_removed',
};

/** PTN-7: adds timeline, event and audit log entries in the transaction of the change. */
export async function recordConnectionChange(
  sql: Sql,
  origin: ChangeOrigin,
  { kind, before, position, ...key }: WrittenChange,
): Promise<ConnectionView> {
  const after = await findConnection(sql, key);
  const restaurant = await findToldRestaurant(sql, key.restaurantGuid);
  if (!after || !restaurant) throw new Error('a connection that was changed is not there');
  const { at, by, requestId } = origin;
  const changeNumber = await insertConnectionChange(sql, {
    ...after,
    kind,
    at,
    actor: by,
    requestId,
    reason: after.removedReason,
  });
  const event = { ...key, position, guid: newGuid(), type: eventTypes[kind], at };
  const body = eventBody({ ...event, details: webhookRep(after, restaurant) });
  await insertPartnerEvent(sql, { ...event, changeNumber, body });
  await queueEvent(sql, event);
  const { restaurantGuid, partnerGuid } = key;
  await insertEntry(sql, origin, {
    subject: { kind: 'connection', id: `${restaurantGuid}/${partnerGuid}` },
    managementGroupGuid: after.managementGroupGuid,
    restaurantGuid,
    partnerGuid,
    before: before && connectionDocument(before),
    after: connectionDocument(after),
  });
  return after;
}

function connectionDocument(connection: ConnectionView): Readonly<Record<string, unknown>> {
  const {
    restaurantName: _,
    restaurantArchived: __,
    partnerName: ___,
    managementGroupGuid: ____,
    ...document
  } = connection;
  return document;
}
