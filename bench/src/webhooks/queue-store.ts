import type postgres from 'postgres';

/** What is to wait, and for whom. */
export interface QueuedEvents {
  readonly partnerGuid: string;
  readonly endpointGuids: readonly string[];
  /** Events for each endpoint. */
  readonly count: number;
  /** The body of the event that they are copies of, and its GUID, for which each has its own. */
  readonly body: string;
  readonly guid: string;
}

/**
 * Lets test events wait for endpoints, all visible at once and due since the endpoints were made:
 * the rows that the product itself writes for them, in the same order, in one statement instead of
 * one request for each event.
 */
export async function insertQueuedEvents(sql: postgres.Sql, events: QueuedEvents): Promise<void> {
  const { partnerGuid, endpointGuids, count, body, guid } = events;
  await sql`
    with counter as (
      insert into webhook_extra_position as counter (partner_guid, number)
      values (${partnerGuid}, ${count})
      on conflict (partner_guid) do update set number = counter.number + ${count}::bigint
      returning number - ${count}::bigint as before
    ), event as materialized (
      select before + index as number, uuidv7() as guid,
        coalesce((select position from partner_counter
          where partner_guid = ${partnerGuid}), 0) as place,
        (select max(created_at) from webhook_endpoint) as at
      from counter, generate_series(1, ${count}::integer) index
    ), extra as (
      insert into webhook_extra (partner_guid, number, kind, request_guid, at, place, guid, type,
        body)
      select ${partnerGuid}::uuid, number, 'TEST', uuidv7(), at, place, guid,
        'partner_updated', replace(${body}, ${guid}, guid::text)
      from event order by number
    )
    insert into webhook_delivery (partner_guid, endpoint_guid, place, extra, guid, event_type,
      state, queued_at, due_at, attempts, tries)
    select ${partnerGuid}::uuid, endpoint_guid, place, number, uuidv7(), 'partner_updated', 'QUEUED',
      at, at, 0, 0
    from event, unnest(string_to_array(${endpointGuids.join(' ')}, ' ')::uuid[])
      with ordinality as endpoint (endpoint_guid, turn)
    order by number, turn`;
}

/** Ends endpoints for which nothing waits anymore, as an operator would, one by one. */
export async function updateArchived(sql: postgres.Sql, guids: readonly string[]): Promise<void> {
  await sql`
    update webhook_endpoint set archived_at = created_at, archived_by = created_by
    where guid = any(string_to_array(${guids.join(' ')}, ' ')::uuid[])`;
}
