import type { PersonRole, PersonSession } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { Dated } from '../http/timestamps.ts';

/** In real time: a sandbox's clock logs nobody out. */
export interface NewSession {
  readonly digest: Buffer;
  readonly guid: string;
  readonly personGuid: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly address: string;
  readonly userAgent: string | null;
}

interface Life {
  readonly now: Date;
  readonly idleSince: Date;
}

/** At most one GUID is set; none means the platform. */
export interface RoleRow
  extends Pick<PersonRole, 'role' | 'managementGroupGuid' | 'restaurantGuid' | 'partnerGuid'> {
  readonly guid: string;
}

export interface SessionPerson {
  readonly sessionGuid: string;
  readonly seenAt: Date;
  readonly personGuid: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly RoleRow[];
}

export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await sql`
    insert into person_session (digest, guid, person_guid, created_at, seen_at, expires_at, address,
      user_agent)
    values (${session.digest}, ${session.guid}, ${session.personGuid}, ${session.createdAt},
      ${session.createdAt}, ${session.expiresAt}, ${session.address}, ${session.userAgent})`;
}

/** One statement on every request: a role that was taken away is gone at once (AUTH-9). */
export async function findSessionPerson(
  sql: Sql,
  digest: Buffer,
  { now, idleSince }: Life,
): Promise<SessionPerson | null> {
  const [row] = await sql<SessionPerson[]>`
    select session.guid as "sessionGuid", session.seen_at as "seenAt",
      person.guid as "personGuid", person.name, person.email,
      coalesce((
        select json_agg(json_build_object('guid', held.guid, 'role', held.role,
          'managementGroupGuid', held.management_group_guid,
          'restaurantGuid', held.restaurant_guid, 'partnerGuid', held.partner_guid))
        from person_role held where held.person_guid = person.guid
      ), '[]') as roles
    from person_session session
    join person on person.guid = session.person_guid
    where session.digest = ${digest} and session.expires_at > ${now}
      and session.seen_at > ${idleSince} and person.deactivated_at is null`;
  return row ?? null;
}

export async function updateSessionSeen(sql: Sql, guid: string, seenAt: Date): Promise<void> {
  await sql`update person_session set seen_at = ${seenAt} where guid = ${guid}`;
}

export async function listSessions(
  sql: Sql,
  { personGuid, sessionGuid }: { readonly personGuid: string; readonly sessionGuid: string | null },
  { now, idleSince }: Life,
): Promise<Dated<PersonSession>[]> {
  return await sql<Dated<PersonSession>[]>`
    select guid as "sessionGuid", created_at as "createdAt", seen_at as "seenAt",
      expires_at as "expiresAt", address, user_agent as "userAgent",
      guid is not distinct from ${sessionGuid}::uuid as "isCurrent"
    from person_session
    where person_guid = ${personGuid} and expires_at > ${now} and seen_at > ${idleSince}
    order by seen_at desc, guid`;
}

/** Null for an unknown session. */
export async function findSessionEnd(
  sql: Sql,
  personGuid: string,
  guid: string,
): Promise<Date | null> {
  const [row] = await sql<{ expiresAt: Date }[]>`
    select expires_at as "expiresAt" from person_session
    where person_guid = ${personGuid} and guid = ${guid}`;
  return row?.expiresAt ?? null;
}

export async function deleteSession(sql: Sql, personGuid: string, guid: string): Promise<boolean> {
  const result = await sql`
    delete from person_session where person_guid = ${personGuid} and guid = ${guid}`;
  return result.count === 1;
}

export async function deleteSessions(
  sql: Sql,
  personGuid: string,
  exceptGuid: string | null = null,
): Promise<void> {
  await sql`
    delete from person_session
    where person_guid = ${personGuid} and (${exceptGuid}::uuid is null or guid <> ${exceptGuid})`;
}

export async function deleteEndedSessions(sql: Sql, { now, idleSince }: Life): Promise<void> {
  await sql`delete from person_session where expires_at <= ${now} or seen_at <= ${idleSince}`;
}
