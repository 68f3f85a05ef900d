import type { Sql } from '../database/database.ts';

/** A link that lets its holder choose a password once. */
export interface NewInvitation {
  readonly digest: Buffer;
  readonly personGuid: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly expiresAt: Date;
  /** True for the first operator, whose e-mail address nobody knows yet. */
  readonly choosesEmail: boolean;
}

/** Whom an invitation that may still be used is for. */
export interface Invited {
  readonly personGuid: string;
  readonly email: string;
  readonly name: string;
  readonly expiresAt: Date;
  readonly choosesEmail: boolean;
  readonly hasTotp: boolean;
}

/** Inserts an invitation in place of those that the person has: only the newest link opens. */
export async function insertInvitation(sql: Sql, invitation: NewInvitation): Promise<void> {
  await deleteInvitations(sql, invitation.personGuid);
  await sql`
    insert into person_invitation (digest, person_guid, created_at, created_by, expires_at,
      chooses_email)
    values (${invitation.digest}, ${invitation.personGuid}, ${invitation.createdAt},
      ${invitation.createdBy}, ${invitation.expiresAt}, ${invitation.choosesEmail})`;
}

/** Removes the invitations of a person that nobody used: their links open no more. */
export async function deleteInvitations(sql: Sql, personGuid: string): Promise<void> {
  await sql`delete from person_invitation where person_guid = ${personGuid} and used_at is null`;
}

/** The same for those that somebody else than `by` made. */
export async function deleteInvitationsOfOthers(
  sql: Sql,
  personGuid: string,
  by: string,
): Promise<void> {
  await sql`
    delete from person_invitation
    where person_guid = ${personGuid} and used_at is null and created_by <> ${by}`;
}

/** Whom the invitation is for, or null when it is unknown, used, over, or for somebody who left. */
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

/** Takes an invitation for used; false when somebody was faster. */
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
