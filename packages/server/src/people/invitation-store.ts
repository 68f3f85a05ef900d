import type { Sql } from '../database/database.ts';

export interface NewInvitation {
  readonly digest: Buffer;
  readonly personGuid: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly expiresAt: Date;
  readonly choosesEmail: boolean;
}

export interface Invited {
  readonly personGuid: string;
  readonly email: string;
  readonly name: string;
  readonly expiresAt: Date;
  readonly choosesEmail: boolean;
  readonly hasTotp: boolean;
}

/** Replaces earlier ones: only the newest link works. */
export async function insertInvitation(sql: Sql, invitation: NewInvitation): Promise<void> {
  await deleteInvitations(sql, invitation.personGuid);
  await sql`
    insert into person_invitation (digest, person_guid, created_at, created_by, expires_at,
      chooses_email)
    values (${invitation.digest}, ${invitation.personGuid}, ${invitation.createdAt},
      ${invitation.createdBy}, ${invitation.expiresAt}, ${invitation.choosesEmail})`;
}

export async function deleteInvitations(
  sql: Sql,
  personGuid: string,
  { keepsThoseBy = null }: { readonly keepsThoseBy?: string | null } = {},
): Promise<void> {
  await sql`
    delete from person_invitation
    where person_guid = ${personGuid} and used_at is null
      and created_by is distinct from ${keepsThoseBy}`;
}

/** Null when it is unknown, used, expired, or the person is deactivated. */
export async function findInvited(sql: Sql, digest: Buffer, now: Date): Promise<Invited | null> {
  const [row] = await sql<Invited[]>`
    select person.guid as "personGuid", person.email, person.name,
      invitation.expires_at as "expiresAt", invitation.chooses_email as "choosesEmail",
      person.totp_confirmed_at is not null as "hasTotp"
    from person_invitation invitation
    join person on person.guid = invitation.person_guid
    where invitation.digest = ${digest} and invitation.used_at is null
      and invitation.expires_at > ${now} and person.deactivated_at is null`;
  return row ?? null;
}

/** False when another request was faster. */
export async function updateInvitationUsed(
  sql: Sql,
  digest: Buffer,
  usedAt: Date,
): Promise<boolean> {
  const result = await sql`
    update person_invitation set used_at = ${usedAt}
    where digest = ${digest} and used_at is null`;
  return result.count === 1;
}
