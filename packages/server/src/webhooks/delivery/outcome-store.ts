import type { Sql } from '../../database/database.ts';
import type { EndpointKey, EndpointStanding } from '../endpoints/endpoint-store.ts';
import type { AttemptRow, DeliveryKey, DeliveryState } from './delivery-store.ts';
import { type ClaimedDelivery, leaseOf } from './due-delivery-store.ts';

/** An attempt as it is written down, and what becomes of its delivery. */
export interface RecordedAttempt {
  readonly claimed: ClaimedDelivery;
  readonly attempt: AttemptRow;
  readonly state: DeliveryState;
  readonly dueAt: Date;
  /** Attempts that the schedule of retries counts, and that it does not: they were asked for. */
  readonly tries: number;
  readonly early: number;
}

/**
 * Writes attempts down and what becomes of their deliveries, and lets go of those; gives the places
 * in the list of those that were written. A delivery that somebody else took over meanwhile stays
 * as it is, without the attempt; one that a person dropped stays dropped.
 */
export async function updateAttempted(
  sql: Sql,
  attempts: readonly RecordedAttempt[],
): Promise<ReadonlySet<number>> {
  const numbered = attempts.map((attempt, index) => ({ ...attempt, index }));
  // In the order of the key: whoever writes many at once never waits in a circle.
  const inOrder = numbered.toSorted((one, other) => compareKeys(one.claimed, other.claimed));
  const rows = inOrder.map(({ claimed, attempt, state, dueAt, tries, early, index }) => ({
    ...leaseOf(claimed),
    ...{ index, state, due_at: dueAt, tries, early, number: attempt.number, at: attempt.at },
    ...{ is_probe: attempt.isProbe, url: attempt.url, request_headers: attempt.requestHeaders },
    ...{ status: attempt.status, answer: attempt.answer, is_answer_cut: attempt.isAnswerCut },
    ...{ duration_ms: attempt.durationMs, outcome: attempt.outcome },
    ...{ explanation: attempt.explanation, next_at: attempt.nextAt },
  }));
  const written = await writeAttempts(
    sql,
    rows,
    sql`state = done.state, due_at = done.due_at, attempts = done.number, tries = done.tries,
      early = done.early,
      finished_at = case when done.state = 'QUEUED' then null else done.at end,
      lease_holder = null, lease_expires_at = null`,
    // Only what is queued has a holder. If its state were asked for too, the database would begin
    // with all that waits, wherever it takes that for little.
    sql`d.lease_holder = done.holder`,
  );
  const dropped = rows.filter(({ index }) => !written.has(index));
  if (dropped.length > 0) {
    // What was sent while somebody dropped it is visible, and changes nothing else.
    const isNext = sql`d.state = 'DROPPED' and d.attempts = done.number - 1`;
    await writeAttempts(sql, dropped, sql`attempts = done.number`, isNext);
  }
  return written;
}

/**
 * Writes attempts of deliveries for which a condition holds, with what changes of those. The limit
 * leaves none out: it tells the database that they are few, so that each is found by its key.
 */
async function writeAttempts(
  sql: Sql,
  rows: readonly object[],
  change: ReturnType<Sql>,
  condition: ReturnType<Sql>,
): Promise<ReadonlySet<number>> {
  const written = await sql<{ index: number }[]>`
    with done as (
      select * from json_to_recordset(${sql.json(rows as never)}) as row (partner uuid,
        endpoint uuid, place bigint, extra bigint, holder uuid, index integer, state text,
        due_at timestamptz, tries integer, early integer, number integer, at timestamptz,
        is_probe boolean, url text, request_headers json, status integer, answer text,
        is_answer_cut boolean, duration_ms integer, outcome text, explanation text,
        next_at timestamptz)
      limit ${rows.length}
    ), updated as (
      update webhook_delivery d set ${change}
      from done
      where d.partner_guid = done.partner and d.endpoint_guid = done.endpoint
        and d.place = done.place and d.extra = done.extra and ${condition}
      returning done.index
    ), inserted as (
      insert into webhook_attempt (partner_guid, endpoint_guid, place, extra, number, at, is_probe,
        url, request_headers, status, answer, is_answer_cut, duration_ms, outcome, explanation,
        next_at)
      select partner, endpoint, place, extra, number, at, is_probe, url, request_headers, status,
        answer, is_answer_cut, duration_ms, outcome, explanation, next_at
      from done join updated using (index)
    )
    select index from updated`;
  return new Set(written.map(({ index }) => index));
}

function compareKeys(one: DeliveryKey, other: DeliveryKey): number {
  if (one.partnerGuid !== other.partnerGuid) return one.partnerGuid < other.partnerGuid ? -1 : 1;
  if (one.endpointGuid !== other.endpointGuid) {
    return one.endpointGuid < other.endpointGuid ? -1 : 1;
  }
  return one.place - other.place || one.extra - other.extra;
}

/**
 * Notes that endpoints took what was sent: their failures in a row have come to an end. Those that
 * somebody holds are left for the next time.
 */
export async function updateEndpointsSound(
  sql: Sql,
  endpointGuids: readonly string[],
): Promise<void> {
  await sql`
    update webhook_endpoint e set failures = 0, failing_since = null
    from (
      select partner_guid, guid from webhook_endpoint
      where guid = any(string_to_array(${endpointGuids.join(' ')}, ' ')::uuid[])
        and failures > 0 and state = 'ACTIVE'
      order by guid
      for no key update skip locked
    ) mended
    where e.partner_guid = mended.partner_guid and e.guid = mended.guid`;
}

/**
 * Lists how endpoints stand, by GUID, and keeps others from changing them. Fails with 55P03 while
 * somebody else does.
 */
export async function listStandingsLocked(
  sql: Sql,
  endpointGuids: readonly string[],
): Promise<(EndpointKey & EndpointStanding)[]> {
  return await sql<(EndpointKey & EndpointStanding)[]>`
    select partner_guid as "partnerGuid", guid as "endpointGuid", state,
      state_reason as "stateReason", state_detail as "stateDetail", state_since as "stateSince",
      state_by as "stateBy", failures, failing_since as "failingSince", probes,
      probe_at as "probeAt"
    from webhook_endpoint
    where guid = any(string_to_array(${endpointGuids.join(' ')}, ' ')::uuid[])
    order by guid
    for no key update nowait`;
}
