import type { Sql } from '../database/database.ts';
import type { MarkedAccount } from './known-device.ts';

/** What logging in compares with. */
export interface Credentials {
  readonly personGuid: string;
  readonly passwordHash: string | null;
  readonly sealedTotpSecret: Buffer | null;
  readonly isTotpConfirmed: boolean;
  readonly totpLastStep: number | null;
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

/** What the mark of a device is for, by e-mail address (in lower case); null for nobody. */
export async function findMarkedAccount(sql: Sql, email: string): Promise<MarkedAccount | null> {
  const [row] = await sql<MarkedAccount[]>`
    select email, password_changed_at as "passwordChangedAt",
      totp_confirmed_at as "totpConfirmedAt"
    from person where email = ${email}`;
  return row ?? null;
}

/**
 * Whether somebody still has the credentials that were compared and may log in, held until the
 * transaction ends: a change of any of it waits.
 */
export async function findHasStill(
  sql: Sql,
  { personGuid, passwordHash, isTotpConfirmed }: Credentials,
): Promise<boolean> {
  const rows = await sql`
    select from person
    where guid = ${personGuid} and password_hash = ${passwordHash}
      and (totp_confirmed_at is not null) = ${isTotpConfirmed} and deactivated_at is null
    for share`;
  return rows.length === 1;
}

function credentialColumns(sql: Sql) {
  return sql`guid as "personGuid", password_hash as "passwordHash",
    sealed_totp_secret as "sealedTotpSecret", totp_confirmed_at is not null as "isTotpConfirmed",
    totp_last_step::float8 as "totpLastStep"`;
}

/** Sets a password. */
export async function updatePassword(
  sql: Sql,
  guid: string,
  { passwordHash, now }: { readonly passwordHash: string; readonly now: Date },
): Promise<void> {
  await sql`
    update person set password_hash = ${passwordHash}, password_changed_at = ${now}
    where guid = ${guid}`;
}

/** Sets the secret of an app that is to be confirmed; false when there is a confirmed one. */
export async function updateTotpSecret(
  sql: Sql,
  guid: string,
  sealedSecret: Buffer,
): Promise<boolean> {
  const result = await sql`
    update person set sealed_totp_secret = ${sealedSecret}
    where guid = ${guid} and totp_confirmed_at is null`;
  return result.count === 1;
}

/** Takes an app into use with the step of its first code; false when somebody was faster. */
export async function updateTotpConfirmed(
  sql: Sql,
  guid: string,
  given: { readonly sealedSecret: Buffer; readonly step: number; readonly now: Date },
): Promise<boolean> {
  const result = await sql`
    update person set totp_confirmed_at = ${given.now}, totp_last_step = ${given.step}
    where guid = ${guid} and totp_confirmed_at is null
      and sealed_totp_secret = ${given.sealedSecret}`;
  return result.count === 1;
}

/** Removes the authenticator app and its recovery codes. */
export async function deleteTotp(sql: Sql, guid: string): Promise<void> {
  await sql`
    update person
    set sealed_totp_secret = null, totp_confirmed_at = null, totp_last_step = null
    where guid = ${guid}`;
  await sql`delete from person_recovery_code where person_guid = ${guid}`;
}

/** Takes a code's step for used; false when somebody was faster with the same code. */
export async function updateTotpStep(sql: Sql, guid: string, step: number): Promise<boolean> {
  const result = await sql`
    update person set totp_last_step = ${step}
    where guid = ${guid} and (totp_last_step is null or totp_last_step < ${step})`;
  return result.count === 1;
}

/** Inserts the one-time codes for a lost telephone, in place of earlier ones. */
export async function insertRecoveryCodes(
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
