import type { Sql } from '../../src/database/database.ts';
import { NOW_MS } from '../request.ts';

/** Settles what waits for an endpoint after one attempt each that came to nothing. */
export async function updateAllDead(sql: Sql, endpointGuid: string): Promise<void> {
  const at = new Date(NOW_MS);
  await sql`
    with dead as (
      update webhook_delivery
      set state = 'DEAD', attempts = 1, tries = 1, finished_at = ${at}
      where endpoint_guid = ${endpointGuid} and state = 'QUEUED'
      returning partner_guid, endpoint_guid, place, extra
    )
    insert into webhook_attempt (partner_guid, endpoint_guid, place, extra, number, at, sent_at,
      is_probe, url, status, answer, is_answer_cut, duration_ms, outcome, explanation)
    select partner_guid, endpoint_guid, place, extra, 1, ${at}, ${at}, false,
      'https://hooks.example.com/', 400, 'no', false, 12, 'STATUS', 'The endpoint answered with 400.'
    from dead`;
}

/** Settles what waits for an endpoint as taken. */
export async function updateAllDelivered(sql: Sql, endpointGuid: string): Promise<void> {
  await sql`
    update webhook_delivery set state = 'DELIVERED', finished_at = ${new Date(NOW_MS)}
    where endpoint_guid = ${endpointGuid} and state = 'QUEUED'`;
}
