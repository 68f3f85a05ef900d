import { randomBytes } from 'node:crypto';
import { Secret, type Vault } from '@servery/support/secret.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import {
  type Credentials,
  findCredentialsOf,
  insertRecoveryCodes,
  updateRecoveryCodeUsed,
  updateTotpConfirmed,
  updateTotpSecret,
  updateTotpStep,
} from './credential-store.ts';
import {
  type Confirmation,
  changeSelf,
  type OwnAccountDeps,
  requirePassword,
  type Self,
  wrongPassword,
} from './own-account.ts';
import { deleteSessions } from './session-store.ts';
import { forgiveCode, type SlowDownDeps, slowDownCodes } from './slow-down.ts';
import { acceptedStep, base32, newTotpSecret, totpUri } from './totp.ts';

export interface SecondFactorDeps extends SlowDownDeps {
  readonly database: Database;
  readonly vault: Vault;
}

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;
const RECOVERY_LENGTH = (RECOVERY_BYTES * 8) / 5;
const GROUP = /.{4}/g;

export interface BegunTotp {
  readonly secret: Secret;
  readonly uri: Secret;
}

/**
 * Has no effect until confirmed. Asks for the password, so that a stranger at an open browser can't
 * lock the owner out. Throws ApiError `conflict` when there is an app, and what `requirePassword`
 * throws.
 */
export async function beginTotp(
  deps: OwnAccountDeps,
  self: Self,
  present: Confirmation,
  issuer: string,
): Promise<BegunTotp> {
  await requirePassword(deps, self, present, wrongPassword('password', 'no app was begun'));
  const { database, vault } = deps;
  const { personGuid, email } = self;
  const secret = newTotpSecret();
  const sealed = vault.seal(secret, totpContext(personGuid));
  if (!(await updateTotpSecret(database.sql, personGuid, sealed))) {
    throw new ApiError('conflict', 'There is an authenticator app already: remove it first.');
  }
  return {
    secret: new Secret(base32(secret)),
    uri: new Secret(totpUri(secret, issuer, email)),
  };
}

/**
 * Ends the other sessions. The recovery codes can't be shown again. Throws ApiError `conflict` when
 * nothing was begun, `unprocessable` for a wrong code, and what `requirePassword` and
 * `slowDownCodes` throw.
 */
export async function confirmTotp(
  deps: OwnAccountDeps,
  self: Self,
  { code, present }: { readonly code: string; readonly present: Confirmation },
  origin: ChangeOrigin,
): Promise<Secret[]> {
  await requirePassword(deps, self, present, wrongPassword('password', 'the app is not confirmed'));
  const { database, vault, realClock } = deps;
  const { personGuid, sessionGuid } = self;
  const credentials = await findCredentialsOf(database.sql, personGuid);
  const sealedSecret = credentials?.sealedTotpSecret;
  if (!sealedSecret || credentials.isTotpConfirmed) throw nothingBegun();
  const nowMs = realClock.nowMs();
  const secret = vault.open(sealedSecret, totpContext(personGuid));
  const attempt = { ...credentials, known: sessionGuid };
  await slowDownCodes(deps, attempt);
  const step = acceptedStep(secret, code, { nowMs, lastStep: null });
  if (step === null) {
    throw new ApiError('unprocessable', 'code is not the present one: check the app and its time.');
  }
  await forgiveCode(deps, attempt);
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES)));
  const digests = codes.map((one) => recoveryDigest(vault, personGuid, one));
  await changeSelf(deps, self, origin, async (sql, now) => {
    const isFirst = await updateTotpConfirmed(sql, personGuid, { sealedSecret, step, now });
    if (!isFirst) throw nothingBegun();
    await insertRecoveryCodes(sql, personGuid, digests);
    await deleteSessions(sql, personGuid, { exceptGuid: sessionGuid });
  });
  return codes.map((one) => new Secret((one.match(GROUP) ?? []).join('-')));
}

export interface GivenCode {
  readonly credentials: Credentials;
  readonly code: string;
  readonly known: string | null;
}

/**
 * Each code works once. Recovery codes are too long to guess, so they don't count, and they work
 * after somebody else used up the guesses. For other codes, throws what `slowDownCodes` throws.
 */
export async function isCode(
  deps: SecondFactorDeps,
  { credentials, code, known }: GivenCode,
): Promise<boolean> {
  const recovery = recoveryText(code);
  if (recovery.length === RECOVERY_LENGTH) return await recovers(deps, credentials, recovery);
  const attempt = { ...credentials, known };
  await slowDownCodes(deps, attempt);
  const isRight = await opens(deps, credentials, code);
  if (isRight) await forgiveCode(deps, attempt);
  return isRight;
}

async function opens(
  { database: { sql }, vault, realClock }: SecondFactorDeps,
  { personGuid, sealedTotpSecret, totpLastStep }: Credentials,
  code: string,
): Promise<boolean> {
  if (!sealedTotpSecret) return false;
  const secret = vault.open(sealedTotpSecret, totpContext(personGuid));
  const given = { nowMs: realClock.nowMs(), lastStep: totpLastStep };
  const step = acceptedStep(secret, code, given);
  return step !== null && (await updateTotpStep(sql, personGuid, step));
}

async function recovers(
  { database: { sql }, vault, realClock }: SecondFactorDeps,
  { personGuid }: Credentials,
  recovery: string,
): Promise<boolean> {
  const digest = recoveryDigest(vault, personGuid, recovery);
  return await updateRecoveryCodeUsed(sql, personGuid, digest, new Date(realClock.nowMs()));
}

/** Uses the code up. Throws ApiError `unprocessable` for a wrong one, and what `isCode` throws. */
export async function requireCode(
  deps: SecondFactorDeps,
  personGuid: string,
  { code, known }: { readonly code: string | null; readonly known: string | null },
): Promise<void> {
  const credentials = await findCredentialsOf(deps.database.sql, personGuid);
  const isGiven = credentials !== null && code !== null;
  if (isGiven && (await isCode(deps, { credentials, code, known }))) return;
  throw new ApiError(
    'unprocessable',
    code === null
      ? 'totpCode is missing: this account has an authenticator app, send its present code too.'
      : 'totpCode is not the present one, nor a recovery code: check the app and its time.',
  );
}

function nothingBegun(): ApiError {
  return new ApiError('conflict', 'No authenticator app waits for its first code: begin anew.');
}

/** Binds a sealed secret to its row. */
function totpContext(personGuid: string): string {
  return `person-totp:${personGuid}`;
}

function recoveryText(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
}

function recoveryDigest(vault: Vault, personGuid: string, recovery: string): Buffer {
  return vault.digest('person-recovery-code', `${personGuid}\0${recovery}`);
}
