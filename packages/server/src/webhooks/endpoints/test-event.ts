import type { PartnerAccessExternalWebhookRep } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { type ChangeOrigin, insertEntry, type SubjectKind } from '../../audit/entry-store.ts';
import type { Database } from '../../database/database.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import {
  insertExtraDeliveries,
  insertTestEvent,
  listWantingEndpoints,
  updateExtraNumber,
} from '../delivery/queue-store.ts';
import { requireTold } from '../delivery/replay.ts';
import { eventBody } from '../events/event-body.ts';
import type { PartnerEventType } from '../events/event-types.ts';
import { type EndpointAuthority, findManagedEndpoint } from './endpoints.ts';

export interface TestEventDeps {
  readonly database: Database;
}

export interface TestEvent {
  readonly eventType: PartnerEventType;
}

export interface SentTestEvent {
  readonly eventGuid: string;
  readonly number: number;
  readonly deliveryGuids: readonly string[];
}

/**
 * Ignores the endpoint's event types. Streams get it too; no log does. Throws ApiError `notFound`,
 * and `conflict` for an archived or disabled endpoint.
 */
export async function sendTestEvent(
  { database }: TestEventDeps,
  endpointGuid: string,
  event: TestEvent,
  { reach, origin }: EndpointAuthority,
): Promise<SentTestEvent> {
  return await database.transaction(async (sql) => {
    const endpoint = await findManagedEndpoint(sql, endpointGuid, reach, { isLocked: true });
    requireTold(endpoint);
    const subject = { kind: 'webhookEndpoint', id: endpointGuid } as const;
    const { partnerGuid } = endpoint;
    return await write(sql, { partnerGuid, endpointGuids: [endpointGuid], subject }, event, origin);
  });
}

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

interface Told {
  readonly partnerGuid: string;
  readonly endpointGuids: readonly string[];
  readonly subject: { readonly kind: SubjectKind; readonly id: string };
}

async function write(
  sql: Database['sql'],
  to: Told,
  { eventType: type }: TestEvent,
  origin: ChangeOrigin,
): Promise<SentTestEvent> {
  const { partnerGuid, subject } = to;
  const { at } = origin;
  const guid = newGuid();
  const number = await updateExtraNumber(sql, partnerGuid, 1);
  const body = eventBody({ guid, type, at, details: madeUpDetails(at) });
  const requestGuid = newGuid();
  await insertTestEvent(sql, { partnerGuid, number, requestGuid, guid, type, at, body });
  const deliveryGuids: string[] = [];
  for (const endpointGuid of to.endpointGuids) {
    const guids = [newGuid()];
    await insertExtraDeliveries(sql, { partnerGuid, endpointGuid, first: number, guids, at });
    deliveryGuids.push(...guids);
  }
  // A receiver may take it for real, so the audit log keeps the sender.
  const after = { testEvent: { guid, type, deliveryGuids } };
  await insertEntry(sql, origin, { subject, partnerGuid, before: null, after });
  return { eventGuid: guid, number, deliveryGuids };
}

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
