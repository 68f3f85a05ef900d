import type { Sql } from '../../database/database.ts';
import type { EndpointKey, EndpointStanding } from '../endpoints/endpoint-store.ts';
import type { AttemptRow, DeliveryKey, DeliveryView } from './delivery-store.ts';
import { leaseOf } from './due-delivery-store.ts';
import type { MadeAttempt } from './make-attempt.ts';

export type RecordedAttempt = Omit<MadeAttempt, 'event' | 'hasMended' | 'isExhausted' | 'pause'>;

/**
 * Returns the indexes of the written attempts. Skips deliveries that another process took over; a
 * delivery that a person dropped stays dropped.
 */
export async function updateAttempted(
  sql: Sql,
  attempts: readonly RecordedAttempt[],
): Promise<ReadonlySet<number>> {
  const rows = attempts
    .map((attempt, index) => ({ ...attempt, index }))
    // Key order prevents deadlocks between bulk writers.
    .sort((one, other) => compareKeys(one.claimed, other.claimed))
    .map(({ claimed, attempt, index, state, dueAt, tries, early, nextAt }) => ({
      ...leaseOf(claimed),
      ...attempt,
      ...{ index, state, dueAt, tries, early, nextAt },
    }));
  const written = await writeAttempts(
    sql,
    rows,
    sql`state = done.state, due_at = "dueAt", attempts = done.number, tries = done.tries,
      early = done.early, finished_at = case when done.state = 'QUEUED' then null else done.at end,
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

/**
 * The limit excludes nothing. It tells the planner that there are few rows, so it finds each by
 * key. It is a subquery, because the planner sees the value of a parameter, and scans the table for
 * a hundred rows.
 */
async function writeAttempts(
  sql: Sql,
  rows: readonly object[],
  change: ReturnType<Sql>,
  condition: ReturnType<Sql>,
): Promise<ReadonlySet<number>> {
  const written = await sql<{ index: number }[]>`
    with done as (
      select * from json_to_recordset(${sql.json(rows)}) as row (partner uuid, endpoint uuid,
        place bigint, extra bigint, holder uuid, index integer, state text, "dueAt" timestamptz,
        tries integer, early integer, number integer, at timestamptz, "sentAt" timestamptz,
        "isProbe" boolean, url text, status integer, "answerBody" text, "isAnswerCut" boolean,
        "durationMs" integer, outcome text, explanation text, "nextAt" timestamptz,
        fault text)
      limit (select ${rows.length}::integer)
    ), updated as (
      update webhook_delivery d set ${change}
      from done
      where d.partner_guid = done.partner and d.endpoint_guid = done.endpoint
        and d.place = done.place and d.extra = done.extra and ${condition}
      returning done.index
    ), inserted as (
      insert into webhook_attempt (partner_guid, endpoint_guid, place, extra, number, at, sent_at,
        is_probe, url, status, answer, is_answer_cut, duration_ms, outcome, explanation,
        next_at, fault)
      select partner, endpoint, place, extra, number, at, "sentAt", "isProbe", url, status,
        "answerBody", "isAnswerCut", "durationMs", outcome, explanation, "nextAt", fault
      from done join updated using (index)
    )
    select index from updated`;
  return new Set(written.map(({ index }) => index));
}

function compareKeys(one: DeliveryKey, other: DeliveryKey): number {
  return (
    compareTexts(one.partnerGuid, other.partnerGuid) ||
    compareTexts(one.endpointGuid, other.endpointGuid) ||
    one.place - other.place ||
    one.extra - other.extra
  );
}

/** Any order will do. */
function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
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
      where guid = any(${endpointGuids}::uuid[]) and failures > 0 and state = 'ACTIVE'
      order by guid
      for no key update skip locked
    ) mended
    where e.partner_guid = mended.partner_guid and e.guid = mended.guid`;
}

export type Standing = EndpointKey & EndpointStanding;

/** Throws 55P03 while another transaction holds the endpoint. */
export async function findStandingLocked(sql: Sql, endpointGuid: string): Promise<Standing> {
  const [row] = await sql<[Standing]>`
    select partner_guid as "partnerGuid", guid as "endpointGuid", state,
      state_reason as "stateReason", state_detail as "stateDetail", state_since as "stateSince",
      state_by as "stateBy", failures, failing_since as "failingSince", probes,
      probe_at as "probeAt"
    from webhook_endpoint where guid = ${endpointGuid}
    for no key update nowait`;
  return row;
}

type Outlook = Pick<DeliveryView, 'guid' | 'state'> & Pick<AttemptRow, 'nextAt'>;

/** `nextAt` is null when only a person's action leads to another attempt. */
export async function findDeliveryOutlook(
  sql: Sql,
  { partnerGuid, endpointGuid, place, extra }: DeliveryKey,
): Promise<Outlook> {
  const [row] = await sql<[Outlook]>`
    select d.guid, d.state,
      case when d.state = 'QUEUED' and e.state = 'ACTIVE' then d.due_at
        when d.state = 'QUEUED' and e.state = 'PAUSED' then e.probe_at end as "nextAt"
    from webhook_delivery d
    join webhook_endpoint e on e.partner_guid = d.partner_guid and e.guid = d.endpoint_guid
    where d.partner_guid = ${partnerGuid} and d.endpoint_guid = ${endpointGuid}
      and d.place = ${place} and d.extra = ${extra}`;
  return row;
}
