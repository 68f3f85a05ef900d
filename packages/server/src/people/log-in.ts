import type { Database } from '../db/database.ts';
import { ApiError } from '../http/errors.ts';
import type { Clock } from '../support/clock.ts';
import type { Vault } from '../support/secret.ts';
import { isPassword } from './password.ts';
import {
  type Credentials,
  findCredentials,
  updateRecoveryCodeUsed,
  updateTotpStep,
} from './person-store.ts';
import { recoveryDigest, totpContext } from './second-factor.ts';
import { type BegunSession, beginSession, type SessionOrigin } from './sessions.ts';
import { forgiveAttempts, takeAttempt } from './slow-down.ts';
import { acceptedStep } from './totp.ts';

/** What logging in leans on. */
export interface LogInDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
  /** Resolves after so many milliseconds of real time. */
  readonly wait: (durationMs: number) => Promise<void>;
}

/** What a person presents. */
export interface LogInRequest {
  readonly email: string;
  readonly password: string;
  /** Six digits of the authenticator app, or a recovery code; null when none was sent. */
  readonly code: string | null;
}

/**
 * Begins a session for whoever knows the password and, where there is an authenticator app, its
 * present code. A wrong address, password and code are the same refusal after the same work; only
 * to whoever knows the password is told that a code is missing. Throws ApiError `unauthorized`, and
 * `tooManyRequests` when this address has guessed at the account too often.
 */
export async function logIn(
  deps: LogInDeps,
  { email: given, password, code }: LogInRequest,
  origin: SessionOrigin,
): Promise<BegunSession> {
  const email = given.trim().toLowerCase();
  const brake = await takeAttempt(deps, email, origin.address);
  if (brake.isRefused) throw tooOften();
  if (brake.waitMs > 0) await deps.wait(brake.waitMs);
  const known = await findCredentials(deps.database.sql, email);
  const isRight = await isPassword(known?.passwordHash ?? null, password);
  if (!known || !isRight) throw refused();
  if (known.isTotpConfirmed) {
    if (code === null) throw codeMissing();
    if (!(await isSecondFactor(deps, known, code))) throw refused();
  }
  await forgiveAttempts(deps, email, origin.address);
  return await beginSession(deps, deps.database.sql, known.personGuid, origin);
}

/** Whether the code is the app's, or one of the recovery codes; each counts once. */
async function isSecondFactor(
  { database: { sql }, vault, realClock }: LogInDeps,
  { personGuid, sealedTotpSecret, totpLastStep }: Credentials,
  code: string,
): Promise<boolean> {
  if (!sealedTotpSecret) return false;
  const nowMs = realClock.nowMs();
  const secret = vault.open(sealedTotpSecret, totpContext(personGuid));
  const step = acceptedStep(secret, code, { nowMs, lastStep: totpLastStep });
  if (step !== null) return await updateTotpStep(sql, personGuid, step);
  const digest = recoveryDigest(vault, personGuid, code);
  return await updateRecoveryCodeUsed(sql, personGuid, digest, new Date(nowMs));
}

/** The same words for everything that can be wrong. */
function refused(): ApiError {
  return new ApiError(
    'unauthorized',
    'E-mail address, password and code do not fit together: check them and try again.',
  );
}

function codeMissing(): ApiError {
  return new ApiError(
    'unauthorized',
    'This account has an authenticator app: send its present code as totpCode too.',
  );
}

function tooOften(): ApiError {
  return new ApiError(
    'tooManyRequests',
    'Too many attempts at this account from this address: wait a quarter of an hour, or ask an ' +
      'administrator for a new link.',
    { headers: { 'retry-after': '900' } },
  );
}
