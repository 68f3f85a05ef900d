import type { Sql } from '../../database/database.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * HOOK-2: notes that these accounts read the events of their partners, so that events are kept for
 * a day even if no endpoint wants them. Writes at most once an hour for each account.
 */
export async function upsertEventReaders(
  sql: Sql,
  clientIds: readonly string[],
  realNowMs: number,
): Promise<void> {
  await sql`
    insert into event_reader (partner_guid, client_id, kept_until)
    select account.partner_guid, account.client_id, ${new Date(realNowMs + DAY_MS + HOUR_MS)}
    from api_client account
    where account.client_id = any(string_to_array(${clientIds.join(' ')}, ' '))
      and account.partner_guid is not null
      and not exists (
        select from event_reader known
        where known.partner_guid = account.partner_guid and known.client_id = account.client_id
          and known.kept_until > ${new Date(realNowMs + DAY_MS)})
    order by account.partner_guid, account.client_id
    on conflict (partner_guid, client_id) do update set kept_until = excluded.kept_until`;
}

/** From then on, nothing is kept for them. */
export async function deletePastEventReaders(sql: Sql, realNowMs: number): Promise<void> {
  await sql`delete from event_reader where kept_until <= ${new Date(realNowMs)}`;
}
