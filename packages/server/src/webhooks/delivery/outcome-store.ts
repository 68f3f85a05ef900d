import type { Sql } from '../../database/database.ts';
import type { EndpointKey, EndpointStanding } from '../endpoints/endpoint-store.ts';
import type { AttemptRow, DeliveryKey, DeliveryState } from './delivery-store.ts';
import { type ClaimedDelivery, leaseOf } from './due-delivery-store.ts';

export interface RecordedAttempt {
  readonly claimed: ClaimedDelivery;
  readonly attempt: AttemptRow;
  readonly state: DeliveryState;
  readonly dueAt: Date;
  readonly tries: number;
  readonly early: number;
}

/**
 * Returns the indexes of the written attempts. Skips deliveries that another process took over; a
 * delivery that a person dropped stays dropped.
 */
export async function updateAttempted(
  sql: Sql,
  attempts: readonly RecordedAttempt[],
): Promise<ReadonlySet<number>> {
  const numbered = attempts.map((attempt, index) => ({ ...attempt, index }));
  // Key order prevents deadlocks between bulk writers.
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
    // Only queued deliveries have a holder. A condition on the state could make the database scan
    // everything that waits.
    sql`d.lease_holder = done.holder`,
  );
  const dropped = rows.filter(({ index }) => !written.has(index));
  if (dropped.length > 0) {
    // The attempt was sent while a person dropped the delivery: show it, change nothing else.
    const isNext = sql`d.state = 'DROPPED' and d.attempts = done.number - 1`;
    await writeAttempts(sql, dropped, sql`attempts = done.number`, isNext);
  }
  return written;
}

/** The limit excludes nothing: it tells the planner that rows are few, so it finds each by key. */
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

/** Skips locked endpoints; the next success updates them. */
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

/** Throws 55P03 while another transaction holds one. */
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
