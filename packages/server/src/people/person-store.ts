import type { RoleName } from '@servery/contract';
import type { Sql } from '../db/database.ts';
import type { RoleRow } from './session-store.ts';

/** A person as stored, without secrets. */
export interface PersonRow {
  readonly guid: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly deactivatedAt: Date | null;
  /** False until an invitation was accepted. */
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly roles: readonly RoleRow[];
}

/** What logging in compares with. */
export interface Credentials {
  readonly personGuid: string;
  readonly passwordHash: string | null;
  readonly sealedTotpSecret: Buffer | null;
  readonly isTotpConfirmed: boolean;
  readonly totpLastStep: number | null;
}

/** Inserts a person without a password; false when somebody has the e-mail address. */
export async function insertPerson(
  sql: Sql,
  person: {
    readonly guid: string;
    readonly email: string;
    readonly name: string;
    readonly createdAt: Date;
  },
): Promise<boolean> {
  const result = await sql`
    insert into person (guid, email, name, created_at)
    values (${person.guid}, ${person.email}, ${person.name}, ${person.createdAt})
    on conflict (email) do nothing`;
  return result.count === 1;
}

/** Everybody, or one person, by name. */
export async function listPeople(sql: Sql, guid: string | null = null): Promise<PersonRow[]> {
  return await sql<PersonRow[]>`
    select guid, email, name, created_at as "createdAt", deactivated_at as "deactivatedAt",
      password_hash is not null as "hasPassword", totp_confirmed_at is not null as "hasTotp",
      coalesce((
        select json_agg(json_build_object('guid', held.guid, 'role', held.role,
          'managementGroupGuid', held.management_group_guid,
          'restaurantGuid', held.restaurant_guid, 'partnerGuid', held.partner_guid)
          order by held.given_at, held.guid)
        from person_role held where held.person_guid = person.guid
      ), '[]') as roles
    from person
    where ${guid}::uuid is null or guid = ${guid}
    order by lower(name), guid`;
}

/** True once anybody may run the platform: before that, the first one is invited at start. */
export async function findHasOperator(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (
      select from person_role held join person on person.guid = held.person_guid
      where held.role = 'OPERATOR' and person.deactivated_at is null
        and person.password_hash is not null
    ) as found`;
  return row.found;
}

/** What logging in with that e-mail address (in lower case) compares with; null for nobody. */
export async function findCredentials(sql: Sql, email: string): Promise<Credentials | null> {
  const [row] = await sql<Credentials[]>`
    select ${credentialColumns(sql)} from person
    where email = ${email} and deactivated_at is null`;
  return row ?? null;
}

/** The same for a person who is known. */
export async function findCredentialsOf(sql: Sql, guid: string): Promise<Credentials | null> {
  const [row] = await sql<Credentials[]>`
    select ${credentialColumns(sql)} from person where guid = ${guid}`;
  return row ?? null;
}

function credentialColumns(sql: Sql) {
  return sql`guid as "personGuid", password_hash as "passwordHash",
    sealed_totp_secret as "sealedTotpSecret", totp_confirmed_at is not null as "isTotpConfirmed",
    totp_last_step::float8 as "totpLastStep"`;
}

/** Changes what people are called. */
export async function updatePersonName(sql: Sql, guid: string, name: string): Promise<boolean> {
  const result = await sql`update person set name = ${name} where guid = ${guid}`;
  return result.count === 1;
}

/** Sets a password. */
export async function updatePassword(sql: Sql, guid: string, passwordHash: string): Promise<void> {
  await sql`update person set password_hash = ${passwordHash} where guid = ${guid}`;
}

/** Deactivates a person, or with null makes him active again; false for nobody. */
export async function updateDeactivated(
  sql: Sql,
  guid: string,
  deactivatedAt: Date | null,
): Promise<boolean> {
  const result = await sql`
    update person set deactivated_at = ${deactivatedAt}
    where guid = ${guid} and (deactivated_at is null) <> (${deactivatedAt}::timestamptz is null)`;
  return result.count === 1;
}

/** Sets the secret of an authenticator app that is not confirmed yet; null removes the app. */
export async function updateTotpSecret(
  sql: Sql,
  guid: string,
  sealedSecret: Buffer | null,
): Promise<void> {
  await sql`
    update person
    set sealed_totp_secret = ${sealedSecret}, totp_confirmed_at = null, totp_last_step = null
    where guid = ${guid}`;
}

/** Confirms the authenticator app with the step of its first code. */
export async function updateTotpConfirmed(
  sql: Sql,
  guid: string,
  { step, now }: { readonly step: number; readonly now: Date },
): Promise<void> {
  await sql`
    update person set totp_confirmed_at = ${now}, totp_last_step = ${step} where guid = ${guid}`;
}

/** Takes a code's step for used; false when somebody was faster with the same code. */
export async function updateTotpStep(sql: Sql, guid: string, step: number): Promise<boolean> {
  const result = await sql`
    update person set totp_last_step = ${step}
    where guid = ${guid} and (totp_last_step is null or totp_last_step < ${step})`;
  return result.count === 1;
}

/** A role as it is given. */
export interface NewRole extends Omit<RoleRow, 'role'> {
  readonly role: RoleName;
  readonly givenAt: Date;
  /** How histories name whoever gave it. */
  readonly givenBy: string;
}

/** Gives a role; false when the person has it there already. */
export async function insertRole(sql: Sql, personGuid: string, role: NewRole): Promise<boolean> {
  const result = await sql`
    insert into person_role (person_guid, guid, role, management_group_guid, restaurant_guid,
      partner_guid, given_at, given_by)
    values (${personGuid}, ${role.guid}, ${role.role}, ${role.managementGroupGuid},
      ${role.restaurantGuid}, ${role.partnerGuid}, ${role.givenAt}, ${role.givenBy})
    on conflict (person_guid, role, management_group_guid, restaurant_guid, partner_guid)
    do nothing`;
  return result.count === 1;
}

/** Takes a role; false when there is none. */
export async function deleteRole(sql: Sql, personGuid: string, guid: string): Promise<boolean> {
  const result = await sql`
    delete from person_role where person_guid = ${personGuid} and guid = ${guid}`;
  return result.count === 1;
}

/** Inserts the one-time codes of whoever may lose the telephone, in place of earlier ones. */
export async function updateRecoveryCodes(
  sql: Sql,
  personGuid: string,
  digests: readonly Buffer[],
): Promise<void> {
  await sql`delete from person_recovery_code where person_guid = ${personGuid}`;
  for (const digest of digests) {
    await sql`
      insert into person_recovery_code (person_guid, digest) values (${personGuid}, ${digest})`;
  }
}

/** Takes a recovery code for used; false when it is none, or was used. */
export async function updateRecoveryCodeUsed(
  sql: Sql,
  personGuid: string,
  digest: Buffer,
  usedAt: Date,
): Promise<boolean> {
  const result = await sql`
    update person_recovery_code set used_at = ${usedAt}
    where person_guid = ${personGuid} and digest = ${digest} and used_at is null`;
  return result.count === 1;
}
