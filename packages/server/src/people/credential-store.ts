import type { Sql } from '../database/database.ts';

export interface Credentials {
  readonly personGuid: string;
  readonly email: string;
  readonly deactivatedAt: Date | null;
  readonly passwordHash: string | null;
  readonly passwordChangedAt: Date | null;
  readonly sealedTotpSecret: Buffer | null;
  readonly totpConfirmedAt: Date | null;
  readonly totpLastStep: number | null;
}

export async function findCredentials(sql: Sql, email: string): Promise<Credentials | null> {
  const [row] = await sql<Credentials[]>`
    select ${credentialColumns(sql)} from person where email = ${email}`;
  return row ?? null;
}

export async function findCredentialsOf(sql: Sql, guid: string): Promise<Credentials | null> {
  const [row] = await sql<Credentials[]>`
    select ${credentialColumns(sql)} from person where guid = ${guid}`;
  return row ?? null;
}

/** Locks what was compared, so that changes wait until the transaction ends. */
export async function findHasStill(
  sql: Sql,
  { personGuid, passwordHash, totpConfirmedAt }: Credentials,
): Promise<boolean> {
  const rows = await sql`
    select from person
    where guid = ${personGuid} and password_hash = ${passwordHash}
      and (totp_confirmed_at is not null) = ${totpConfirmedAt !== null} and deactivated_at is null
    for share`;
  return rows.length === 1;
}

function credentialColumns(sql: Sql) {
  return sql`guid as "personGuid", email, deactivated_at as "deactivatedAt",
    password_hash as "passwordHash", password_changed_at as "passwordChangedAt",
    sealed_totp_secret as "sealedTotpSecret", totp_confirmed_at as "totpConfirmedAt",
    totp_last_step::float8 as "totpLastStep"`;
}

export async function updatePassword(
  sql: Sql,
  guid: string,
  { passwordHash, now }: { readonly passwordHash: string; readonly now: Date },
): Promise<void> {
  await sql`
    update person set password_hash = ${passwordHash}, password_changed_at = ${now}
    where guid = ${guid}`;
}

/** False when a confirmed app exists. */
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

/** Stores the first code's step as used; false when another request was faster. */
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

export async function deleteTotp(sql: Sql, guid: string): Promise<void> {
  await sql`
    update person
    set sealed_totp_secret = null, totp_confirmed_at = null, totp_last_step = null
    where guid = ${guid}`;
  await sql`delete from person_recovery_code where person_guid = ${guid}`;
}

/** False when the code was already used. */
export async function updateTotpStep(sql: Sql, guid: string, step: number): Promise<boolean> {
  const result = await sql`
    update person set totp_last_step = ${step}
    where guid = ${guid} and (totp_last_step is null or totp_last_step < ${step})`;
  return result.count === 1;
}

/** Replaces earlier ones. */
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

/** False when it is unknown or used. */
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
