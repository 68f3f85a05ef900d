import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../src/database/database.ts';
import { insertLiveConnection } from '../rows.ts';

/** Connects the partner of an account to a restaurant, with an endpoint that wants everything. */
export async function insertListener(
  sql: Sql,
  clientId: string,
  restaurantGuid: string,
  now: Date,
): Promise<void> {
  const partnerGuid = await findPartner(sql, clientId);
  await insertLiveConnection(sql, restaurantGuid, partnerGuid);
  await insertEndpoint(sql, clientId, now);
}

async function findPartner(sql: Sql, clientId: string): Promise<string> {
  const [{ partnerGuid }] = await sql<[{ partnerGuid: string }]>`
    select partner_guid as "partnerGuid" from api_client where client_id = ${clientId}`;
  return partnerGuid;
}

/** Wants everything. */
export async function insertEndpoint(sql: Sql, clientId: string, now: Date): Promise<void> {
  const partnerGuid = await findPartner(sql, clientId);
  await sql`
    insert into webhook_endpoint (partner_guid, guid, client_id, url, connect_timeout_ms,
      answer_timeout_ms, retry_delays_s, is_ordered, state, state_since, state_by, failures, probes,
      created_at, created_by, modified_at)
    values (${partnerGuid}, ${newGuid()}, ${clientId}, 'https://hooks.example.com/', 2000, 2000,
      '{}', false, 'ACTIVE', ${now}, 'test', 0, 0, ${now}, 'test', ${now})`;
}

/** The bodies of the events about a payment, in their order; each has a delivery. */
export async function listPaymentBodies(sql: Sql, paymentUuid: string): Promise<string[]> {
  const rows = await sql<{ body: string }[]>`
    select body from partner_event e
    join webhook_delivery d on d.partner_guid = e.partner_guid and d.place = e.position
      and d.extra = 0
    where body::json -> 'details' ->> 'paymentUuid' = ${paymentUuid}
    order by position`;
  return rows.map(({ body }) => body);
}
