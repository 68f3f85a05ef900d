import { randomBytes } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { ApiError } from '../http/errors.ts';
import type { Clock } from '../support/clock.ts';
import { Secret, type Vault } from '../support/secret.ts';
import { isPassword } from './password.ts';
import {
  findCredentialsOf,
  updateRecoveryCodes,
  updateTotpConfirmed,
  updateTotpSecret,
} from './person-store.ts';
import { acceptedStep, base32, newTotpSecret, totpUri } from './totp.ts';

/** What an authenticator app leans on. */
export interface SecondFactorDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
  /** What the app calls the platform. */
  readonly issuer: string;
}

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 5;

/** What names the row that a sealed secret belongs to. */
export function totpContext(personGuid: string): string {
  return `person-totp:${personGuid}`;
}

/** The keyed digest of a recovery code, however it was typed. */
export function recoveryDigest(vault: Vault, personGuid: string, code: string): Buffer {
  const typed = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
  return vault.digest('person-recovery-code', `${personGuid}\0${typed}`);
}

/** A secret for an app, to be confirmed with a first code. */
export interface BegunTotp {
  readonly secret: Secret;
  /** What the app reads from a QR code. */
  readonly uri: Secret;
}

/** Begins with an authenticator app; nothing changes for logging in until it is confirmed. */
export async function beginTotp(
  deps: SecondFactorDeps,
  person: { readonly personGuid: string; readonly email: string },
): Promise<BegunTotp> {
  const { personGuid, email } = person;
  const credentials = await findCredentialsOf(deps.database.sql, personGuid);
  if (credentials?.isTotpConfirmed) {
    throw new ApiError('conflict', 'There is an authenticator app already: remove it first.');
  }
  const secret = newTotpSecret();
  const sealed = deps.vault.seal(secret, totpContext(personGuid));
  await updateTotpSecret(deps.database.sql, personGuid, sealed);
  return {
    secret: new Secret(base32(secret)),
    uri: new Secret(totpUri(secret, deps.issuer, email)),
  };
}

/**
 * Confirms the app with its present code, from where on one is asked for, and gives the recovery
 * codes, which cannot be shown again. Throws ApiError `conflict` when nothing was begun, and
 * `unprocessable` for a wrong code.
 */
export async function confirmTotp(
  { database, vault, realClock }: SecondFactorDeps,
  personGuid: string,
  code: string,
): Promise<Secret[]> {
  const credentials = await findCredentialsOf(database.sql, personGuid);
  if (!credentials?.sealedTotpSecret || credentials.isTotpConfirmed) {
    throw new ApiError('conflict', 'No authenticator app waits for its first code: begin anew.');
  }
  const nowMs = realClock.nowMs();
  const secret = vault.open(credentials.sealedTotpSecret, totpContext(personGuid));
  const step = acceptedStep(secret, code, { nowMs, lastStep: null });
  if (step === null) {
    throw new ApiError(
      'unprocessable',
      'code is not the present one: check the app, and its time.',
    );
  }
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES)));
  const digests = codes.map((one) => recoveryDigest(vault, personGuid, one));
  await database.transaction(async (sql) => {
    await updateTotpConfirmed(sql, personGuid, { step, now: new Date(nowMs) });
    await updateRecoveryCodes(sql, personGuid, digests);
  });
  return codes.map((one) => new Secret(`${one.slice(0, 4)}-${one.slice(4)}`));
}

/** Removes the app and the recovery codes. Throws ApiError `forbidden` for a wrong password. */
export async function removeTotp(
  { database }: SecondFactorDeps,
  personGuid: string,
  password: string,
): Promise<void> {
  const credentials = await findCredentialsOf(database.sql, personGuid);
  if (!(await isPassword(credentials?.passwordHash ?? null, password))) {
    throw new ApiError('forbidden', 'password is not yours: the authenticator app stays.');
  }
  await database.transaction(async (sql) => {
    await updateTotpSecret(sql, personGuid, null);
    await updateRecoveryCodes(sql, personGuid, []);
  });
}
