import type { PartnerAccessExternalWebhookRep } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { type ChangeOrigin, insertEntry, type SubjectKind } from '../../audit/entry-store.ts';
import type { Database } from '../../database/database.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import {
  insertExtraDeliveries,
  insertTestEvent,
  listWantingEndpoints,
} from '../delivery/queue-store.ts';
import { requireTold, takeNumbers } from '../delivery/replay.ts';
import { eventBody } from '../events/event-body.ts';
import type { PartnerEventType } from '../events/event-types.ts';
import { type EndpointAuthority, findLiveEndpoint, keyOf } from './endpoints.ts';

/** What test events need. */
export interface TestEventDeps {
  readonly database: Database;
}

/** An event that nothing caused. */
export interface TestEvent {
  readonly eventType: PartnerEventType;
  /** Made up when absent. */
  readonly details?: PartnerAccessExternalWebhookRep;
}

/** What was sent, and to whom. */
export interface SentTestEvent {
  readonly eventGuid: string;
  /** Its number among what the partner is told beside the log. */
  readonly number: number;
  /** The deliveries, one for each endpoint. */
  readonly deliveryGuids: readonly string[];
}

/**
 * Queues a test event for one endpoint, whatever types it wants; streams of the partner get it too,
 * and no log does. Throws ApiError `notFound`, and `conflict` for an endpoint that is archived or
 * disabled.
 */
export async function sendTestEvent(
  { database }: TestEventDeps,
  endpointGuid: string,
  event: TestEvent,
  { reach, origin }: EndpointAuthority,
): Promise<SentTestEvent> {
  return await database.transaction(async (sql) => {
    const endpoint = await findLiveEndpoint(sql, endpointGuid, reach);
    requireTold(endpoint);
    const subject = { kind: 'webhookEndpoint', id: endpointGuid } as const;
    const to = { ...keyOf(endpoint), endpointGuids: [endpointGuid], subject };
    return await write(sql, to, event, origin);
  });
}

/** Queues a test event for every endpoint of a partner that wants its type, and for its streams. */
export async function sendSyntheticEvent(
  { database }: TestEventDeps,
  partnerGuid: string,
  event: TestEvent,
  origin: ChangeOrigin,
): Promise<SentTestEvent> {
  return await database.transaction(async (sql) => {
    const endpointGuids = await listWantingEndpoints(sql, partnerGuid, event.eventType);
    const subject = { kind: 'partner', id: partnerGuid } as const;
    return await write(sql, { partnerGuid, endpointGuids, subject }, event, origin);
  });
}

/** Who is told of a test event, and what the record of changes says it was sent to. */
interface Told {
  readonly partnerGuid: string;
  readonly endpointGuids: readonly string[];
  readonly subject: { readonly kind: SubjectKind; readonly id: string };
}

async function write(
  sql: Database['sql'],
  to: Told,
  { eventType: type, details }: TestEvent,
  origin: ChangeOrigin,
): Promise<SentTestEvent> {
  const { partnerGuid, subject } = to;
  const { at } = origin;
  const guid = newGuid();
  const { first: number } = await takeNumbers(sql, partnerGuid, 1);
  const body = eventBody({ guid, type, at, details: details ?? madeUpDetails(at) });
  const requestGuid = newGuid();
  await insertTestEvent(sql, { partnerGuid, number, requestGuid, guid, type, at, body });
  const deliveryGuids: string[] = [];
  for (const endpointGuid of to.endpointGuids) {
    const guids = [newGuid()];
    await insertExtraDeliveries(sql, { partnerGuid, endpointGuid, first: number, guids, at });
    deliveryGuids.push(...guids);
  }
  // A receiver may take it for real: who sent it is kept.
  const after = { testEvent: { guid, type, deliveryGuids } };
  await insertEntry(sql, origin, { subject, partnerGuid, before: null, after });
  return { eventGuid: guid, number, deliveryGuids };
}

/** A connection that there is not, with a value in every field. */
function madeUpDetails(at: Date): PartnerAccessExternalWebhookRep {
  return {
    restaurantGuid: '00000000-0000-4000-8000-000000000001',
    managementGroupGuid: '00000000-0000-4000-8000-000000000002',
    restaurantName: 'Test Restaurant',
    locationName: 'Test Street',
    externalGroupRef: 'TEST-GROUP',
    externalRestaurantRef: 'TEST-RESTAURANT',
    modifiedDate: at.getTime(),
    createdDate: at.getTime(),
    isoModifiedDate: isoTimestamp(at),
    isoCreatedDate: isoTimestamp(at),
    createdByFirstName: 'Test',
    createdByLastName: 'Person',
    createdByEmailAddress: 'test@example.com',
    createdByPhoneNumber: '2025550100',
    restaurantPhoneNumber: '2025550101',
    restaurantAddressLine1: '1 Test Street',
    restaurantAddressLine2: 'Floor 2',
    restaurantCity: 'Springfield',
    restaurantState: 'IL',
    restaurantZipCode: '62701',
    restaurantLatitude: '39.7990',
    restaurantLongitude: '-89.6440',
    restaurantCountryCode: 'US',
    restaurantTimezone: 'America/Chicago',
  };
}
