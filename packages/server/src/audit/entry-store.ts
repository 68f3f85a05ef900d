import type { AuditEntry, RequestOf, subjectKinds } from '@servery/contract';
import type { Row, Statement } from '@servery/postgres/sql.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../database/database.ts';
import type { Attest } from '../http/operation.ts';
import type { PageQuery } from '../http/page.ts';
import type { Dated } from '../http/timestamps.ts';
import type { Reach } from '../reach/reach.ts';
import { isAtReachedRestaurant } from '../reach/reach-store.ts';
import { canonicalText } from './chain.ts';

export interface ChangeOrigin {
  /** An account id, `person:` and a GUID, or `system:` and a name. */
  readonly by: string;
  /** Null when no request caused it. */
  readonly requestId: string | null;
  readonly operation: string;
  readonly at: Date;
  readonly realAt: Date;
  /** Proves that this platform wrote the entry. */
  readonly attest: Attest;
}

type SubjectKind = (typeof subjectKinds)[number];

/** Neither side may contain a secret, a token or a card number. */
export interface Change {
  readonly subject: { readonly kind: SubjectKind; readonly id: string };
  /** Where it belongs; only readers who reach that place see it. */
  readonly managementGroupGuid?: string | null;
  readonly restaurantGuid?: string | null;
  readonly partnerGuid?: string | null;
  /** Null for what did not exist. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** `sql` makes the change. The sealer finds the entry in `audit_unsealed` after COMMIT. */
export async function insertEntry(sql: Sql, origin: ChangeOrigin, change: Change): Promise<void> {
  const guid = newGuid();
  await sql`
    with entry as (${newEntry(sql, guid, origin, change, always(sql))})
    ${waitingFor(sql, sql`values (${guid}::uuid)`)}`;
}

/**
 * The steps `entry` and `waiting` for the `with` of a statement that makes a change. With `made`,
 * they write an entry only if this step has a row. A cluster then needs all of its nodes, because it
 * sends what a step returns to each of them.
 */
export function entrySteps(
  sql: Sql,
  origin: ChangeOrigin,
  change: Change,
  made: Statement<Row[]> | null = null,
): Statement<Row[]> {
  const guid = newGuid();
  return sql`
    entry as (${newEntry(sql, guid, origin, change, made ?? always(sql))} returning guid),
    waiting as (
      ${waitingFor(sql, made ? sql`select guid from entry` : sql`values (${guid}::uuid)`)}
    )`;
}

const always = (sql: Sql) => sql`(select) as change`;

function waitingFor(sql: Sql, guids: Statement<Row[]>) {
  return sql`insert into audit_unsealed (entry_guid) ${guids}`;
}

function newEntry(
  sql: Sql,
  guid: string,
  origin: ChangeOrigin,
  change: Change,
  made: Statement<Row[]>,
) {
  const { by, requestId, operation, at, realAt, attest } = origin;
  const entry = {
    guid,
    atMs: at.getTime(),
    realAtMs: realAt.getTime(),
    actor: by.toWellFormed(),
    requestId,
    operation: operation.toWellFormed(),
    subjectKind: change.subject.kind,
    subjectId: change.subject.id.toWellFormed(),
    managementGroupGuid: change.managementGroupGuid ?? null,
    restaurantGuid: change.restaurantGuid ?? null,
    partnerGuid: change.partnerGuid ?? null,
    before: change.before && JSON.stringify(change.before),
    after: change.after && JSON.stringify(change.after),
  };
  return sql`
    insert into audit_entry (guid, at, real_at, actor, request_id, operation, subject_kind,
      subject_id, management_group_guid, restaurant_guid, partner_guid, before, after, mac)
    select ${entry.guid}::uuid, ${at}::timestamptz, ${realAt}::timestamptz, ${entry.actor}::text,
      ${requestId}::uuid, ${entry.operation}::text, ${entry.subjectKind}::text,
      ${entry.subjectId}::text, ${entry.managementGroupGuid}::uuid, ${entry.restaurantGuid}::uuid,
      ${entry.partnerGuid}::uuid, ${entry.before}::text::json, ${entry.after}::text::json,
      ${attest(canonicalText(entry))}::bytea
    from ${made}`;
}

export type EntryFilter = Omit<RequestOf<'backOffice.audit.list'>['query'], keyof PageQuery> & {
  readonly reach: Reach;
};

export interface EntryPlace {
  readonly at: string;
  readonly guid: string;
}

export async function listEntries(
  sql: Sql,
  filter: EntryFilter,
  after: EntryPlace | null,
  limit: number,
): Promise<Dated<AuditEntry>[]> {
  // Only conditions that were asked for, so that the database can use indexes.
  const { actor, operation, subjectKind, subjectId, restaurantGuid, requestId, from, to } = filter;
  const place = after
    ? sql`and (e.at, e.guid) < (${after.at}::text::timestamptz, ${after.guid}::uuid)`
    : sql``;
  const conditions = sql`
    ${actor === undefined ? sql`` : sql`and e.actor = ${actor}`}
    ${operation === undefined ? sql`` : sql`and e.operation = ${operation}`}
    ${subjectKind === undefined ? sql`` : sql`and e.subject_kind = ${subjectKind}`}
    ${subjectId === undefined ? sql`` : sql`and e.subject_id = ${subjectId}`}
    ${restaurantGuid === undefined ? sql`` : sql`and e.restaurant_guid = ${restaurantGuid}::uuid`}
    ${requestId === undefined ? sql`` : sql`and e.request_id = ${requestId}::uuid`}
    ${from === undefined ? sql`` : sql`and e.at >= ${from}::text::timestamptz`}
    ${to === undefined ? sql`` : sql`and e.at < ${to}::text::timestamptz`}
    ${place}`;
  return await sql<Dated<AuditEntry>[]>`
    select e.guid, e.at, e.real_at as "realAt", e.actor, e.request_id as "requestId", e.operation,
      e.subject_kind as "subjectKind", e.subject_id as "subjectId",
      e.management_group_guid as "managementGroupGuid", e.restaurant_guid as "restaurantGuid",
      e.partner_guid as "partnerGuid", e.before, e.after, l.position
    from ${reachedEntries(sql, filter.reach, conditions, limit)} as found
    join audit_entry e using (guid) left join audit_link l on l.entry_guid = e.guid
    order by e.at desc, e.guid desc`;
}

/** With more, each restaurant costs more. With fewer, more restaurants are read twice. */
const FEW_ENTRIES = 8;

/**
 * The first of the whole log, or of each place in reach: a place may have few of the many entries,
 * and each kind of place has an index. A group can have many restaurants: the newest entries of each
 * show which of them can have more on the page.
 */
function reachedEntries(sql: Sql, reach: Reach, conditions: Statement<Row[]>, limit: number) {
  const first = (condition: Statement<Row[]>, count = limit) => sql`(
    select e.guid, e.at from audit_entry e where ${condition} ${conditions}
    order by e.at desc, e.guid desc limit ${count})`;
  if (reach.isPlatform) return first(sql`true`);
  const firstOf = (column: Statement<Row[]>, guids: readonly string[]) => sql`(
    select own.* from unnest(string_to_array(${guids.join(' ')}, ' ')::uuid[]) as place (guid)
    cross join lateral ${first(sql`e.${column} = place.guid`)} as own)`;
  const ofPlace = sql`e.restaurant_guid = place.guid`;
  const oldest = sql`coalesce((select at from oldest), '-infinity')`;
  return sql`(
    with few as materialized (
      select place.guid as place, own.* from restaurant as place
      cross join lateral ${first(ofPlace, FEW_ENTRIES)} as own
      where ${isAtReachedRestaurant(sql, sql`place.guid`, reach)}
    ),
    oldest as materialized (select at from few order by at desc offset ${limit - 1} limit 1),
    further as materialized (
      select place as guid, min(at) as at from few group by place
      having count(*) = ${FEW_ENTRIES} and min(at) >= ${oldest}
    )
    select * from (
      select guid, at from few
      union (
        select own.* from further as place cross join lateral
          ${first(sql`${ofPlace} and e.at <= place.at and e.at >= ${oldest}`)} as own)
      union ${firstOf(sql`management_group_guid`, reach.groupGuids)}
      union ${firstOf(sql`partner_guid`, reach.partnerGuids)}
    ) as reached
    order by at desc, guid desc limit ${limit})`;
}
