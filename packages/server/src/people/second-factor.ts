import { randomBytes } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import { ApiError } from '../http/errors.ts';
import {
  type Credentials,
  findCredentialsOf,
  updateRecoveryCodeUsed,
  updateTotpStep,
} from './credential-store.ts';
import { forgiveCode, type SlowDownDeps, slowDownCodes } from './slow-down.ts';
import { acceptedStep, base32 } from './totp.ts';

const RECOVERY_BYTES = 10;
const RECOVERY_LENGTH = (RECOVERY_BYTES * 8) / 5;

/**
 * Each code works once. Recovery codes are too long to guess, so they don't count, and they work
 * after somebody else used up the guesses. For other codes, throws what `slowDownCodes` throws.
 */
export async function isCode(
  deps: SlowDownDeps,
  credentials: Credentials,
  code: string,
  known: string | null,
): Promise<boolean> {
  const { database, vault, realClock } = deps;
  const { personGuid, sealedTotpSecret, totpLastStep: lastStep } = credentials;
  const recovery = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
  if (recovery.length === RECOVERY_LENGTH) {
    const digest = recoveryDigest(vault, personGuid, recovery);
    const now = new Date(realClock.nowMs());
    return await updateRecoveryCodeUsed(database.sql, personGuid, digest, now);
  }
  await slowDownCodes(deps, credentials, known);
  if (!sealedTotpSecret) return false;
  const secret = vault.open(sealedTotpSecret, totpContext(personGuid));
  const step = acceptedStep(secret, code, { nowMs: realClock.nowMs(), lastStep });
  if (step === null || !(await updateTotpStep(database.sql, personGuid, step))) return false;
  await forgiveCode(deps, credentials, known);
  return true;
}

/** Uses the code up. Throws ApiError `unprocessable` for a wrong one, and what `isCode` throws. */
export async function requireCode(
  deps: SlowDownDeps,
  personGuid: string,
  code: string | null,
  known: string | null,
): Promise<void> {
  const credentials = await findCredentialsOf(deps.database.sql, personGuid);
  if (credentials && code !== null && (await isCode(deps, credentials, code, known))) return;
  throw new ApiError(
    'unprocessable',
    code === null
      ? 'totpCode is missing: this account has an authenticator app, send its current code too.'
      : 'totpCode is neither the current code nor a recovery code: check the app and its clock.',
  );
}

/** Binds a sealed secret to its row. */
export function totpContext(personGuid: string): string {
  return `person-totp:${personGuid}`;
}

export function newRecoveryCode(): string {
  return base32(randomBytes(RECOVERY_BYTES));
}

export function recoveryDigest(vault: Vault, personGuid: string, recovery: string): Buffer {
  return vault.digest('person-recovery-code', `${personGuid}\0${recovery}`);
}
