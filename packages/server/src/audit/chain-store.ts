import type { Sql } from '../database/database.ts';
import type { EntryFacts, LinkFacts } from './chain.ts';

export interface HeadRow {
  readonly position: number;
  /** Null while there is no link. */
  readonly hash: string | null;
  readonly mac: Buffer | null;
}

export interface StoredEntry extends EntryFacts {
  readonly mac: Buffer;
}

/** `entry` is null when the entry is gone. */
export interface StoredLink extends LinkFacts {
  readonly hash: string;
  readonly mac: Buffer;
  readonly entry: StoredEntry | null;
}

export interface NewLink extends LinkFacts {
  readonly mac: Buffer;
}

/** Null when the row was removed. */
export async function findHead(sql: Sql, lock = sql``): Promise<HeadRow | null> {
  const [row] = await sql<HeadRow[]>`
    select position, encode(hash, 'hex') as hash, mac from audit_head ${lock}`;
  return row ?? null;
}

/** Locked until the transaction ends, so that sealers take turns. */
export function findHeadForUpdate(sql: Sql): Promise<HeadRow | null> {
  return findHead(sql, sql`for update`);
}

export interface WaitingEntry extends StoredEntry {
  /** True when it has a link already: then something else put it into the queue. */
  readonly isLinked: boolean;
}

export async function listUnsealed(sql: Sql, limit: number): Promise<WaitingEntry[]> {
  return await sql<WaitingEntry[]>`
    select ${entryColumns(sql)},
      exists (select from audit_link l where l.entry_guid = e.guid) as "isLinked"
    from audit_unsealed u join audit_entry e on e.guid = u.entry_guid
    order by e.real_at, e.guid
    limit ${limit}`;
}

/** Fails when the position or the entry has a link already. */
export async function insertLinks(sql: Sql, links: readonly NewLink[]): Promise<void> {
  const rows = links.map((link) => ({
    position: link.position,
    entry_guid: link.entryGuid,
    entry_digest: link.entryDigest,
    previous_hash: link.previousHash,
    sealed_at: new Date(link.sealedAtMs).toISOString(),
    mac: link.mac.toString('hex'),
  }));
  await sql`
    insert into audit_link (position, entry_guid, entry_digest, previous_hash, sealed_at, mac)
    select position, entry_guid, decode(entry_digest, 'hex'), decode(previous_hash, 'hex'),
      sealed_at, decode(mac, 'hex')
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as link(position bigint,
      entry_guid uuid, entry_digest text, previous_hash text, sealed_at timestamptz, mac text)
    order by position`;
}

/** Compare-and-set: moves the head only if it still is at `from`. */
export async function updateHead(
  sql: Sql,
  from: HeadRow,
  to: { readonly position: number; readonly hash: string; readonly mac: Buffer },
): Promise<boolean> {
  const result = await sql`
    update audit_head
    set position = ${to.position}, hash = decode(${to.hash}, 'hex'), mac = ${to.mac}
    where position = ${from.position} and hash is not distinct from decode(${from.hash}, 'hex')`;
  return result.count === 1;
}

export async function deleteUnsealed(sql: Sql, entryGuids: readonly string[]): Promise<void> {
  await sql`
    delete from audit_unsealed
    where entry_guid = any(string_to_array(${entryGuids.join(' ')}, ' ')::uuid[])`;
}

export async function listLinks(sql: Sql, after: number, limit: number): Promise<StoredLink[]> {
  const rows = await sql<(Omit<StoredLink, 'entry'> & { readonly entry: RawEntry | null })[]>`
    select l.position, (extract(epoch from l.sealed_at) * 1000)::float8 as "sealedAtMs",
      l.entry_guid as "entryGuid", encode(l.entry_digest, 'hex') as "entryDigest",
      encode(l.previous_hash, 'hex') as "previousHash", encode(l.hash, 'hex') as hash, l.mac,
      case when e.guid is not null
        then (select to_json(one) from (select ${entryColumns(sql)}) one) end as entry
    from audit_link l left join audit_entry e on e.guid = l.entry_guid
    where l.position > ${after}
    order by l.position
    limit ${limit}`;
  return rows.map((row) => ({ ...row, entry: row.entry && withMac(row.entry) }));
}

export interface OutsideEntry extends StoredEntry {
  readonly isWaiting: boolean;
}

export async function listEntriesOutside(sql: Sql, limit: number): Promise<OutsideEntry[]> {
  return await sql<OutsideEntry[]>`
    select ${entryColumns(sql)}, u.entry_guid is not null as "isWaiting"
    from audit_entry e left join audit_unsealed u on u.entry_guid = e.guid
    where not exists (select from audit_link l where l.entry_guid = e.guid)
    order by e.real_at, e.guid
    limit ${limit}`;
}

type RawEntry = EntryFacts & { readonly mac: string };

/** In JSON, PostgreSQL writes bytes as hexadecimal after `\\x`. */
function withMac({ mac, ...facts }: RawEntry): StoredEntry {
  return { ...facts, mac: Buffer.from(mac.slice(2), 'hex') };
}

function entryColumns(sql: Sql) {
  return sql`
    e.guid, (extract(epoch from e.at) * 1000)::float8 as "atMs",
    (extract(epoch from e.real_at) * 1000)::float8 as "realAtMs", e.actor,
    e.request_id as "requestId", e.operation, e.subject_kind as "subjectKind",
    e.subject_id as "subjectId", e.management_group_guid as "managementGroupGuid",
    e.restaurant_guid as "restaurantGuid", e.partner_guid as "partnerGuid",
    e.before::text as before, e.after::text as after, e.mac`;
}

export async function findWaitingEntries(
  sql: Sql,
): Promise<{ readonly count: number; readonly oldest: Date | null }> {
  const [row] = await sql<[{ count: number; oldest: Date | null }]>`
    select count(*)::int as count, min(e.real_at) as oldest
    from audit_unsealed u join audit_entry e on e.guid = u.entry_guid`;
  return row;
}
