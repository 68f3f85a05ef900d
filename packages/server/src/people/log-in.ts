import type { LogIn } from '@servery/contract';
import type { ApiError } from '../http/errors.ts';
import { unauthorized } from '../tokens/bearer.ts';
import { findCredentials, findHasStill } from './credential-store.ts';
import { deviceOf } from './known-device.ts';
import { isPassword } from './password.ts';
import { isCode } from './second-factor.ts';
import { type BegunSession, beginSession, type SessionOrigin } from './sessions.ts';
import { type Attempt, forgiveAttempts, type SlowDownDeps, slowDown } from './slow-down.ts';

/**
 * A wrong address, password or code gives the same refusal after the same work. Only with the right
 * password does the answer say that a code is missing or that too many were wrong. Throws ApiError
 * `unauthorized` or `secondFactorRequired`, and what `slowDown` and `isCode` throw.
 */
export async function logIn(
  deps: SlowDownDeps,
  { email: given, password, totpCode: code = null }: LogIn,
  origin: SessionOrigin,
): Promise<BegunSession & { readonly personGuid: string }> {
  const email = given.trim().toLowerCase();
  const attempt = await attemptOf(deps, email, origin);
  await slowDown(deps, attempt);
  const found = await findCredentials(deps.database.sql, email);
  const known = found?.deactivatedAt ? null : found;
  const isRight = await isPassword(known?.passwordHash ?? null, password);
  if (!known || !isRight) throw refused();
  if (known.totpConfirmedAt) {
    if (code === null) {
      throw unauthorized(
        'This account has an authenticator app: send its current code as totpCode too.',
        { errorClass: 'secondFactorRequired' },
      );
    }
    if (!(await isCode(deps, known, code, attempt.known))) throw refused();
  }
  await forgiveAttempts(deps, attempt);
  const { personGuid } = known;
  const session = await deps.database.transaction(async (sql) => {
    // A change since the check ended all earlier sessions.
    if (!(await findHasStill(sql, known))) throw refused();
    return await beginSession(deps, sql, personGuid, origin);
  });
  return { ...session, personGuid };
}

/** A browser with a valid mark is no stranger. */
export async function attemptOf(
  { vault, database }: SlowDownDeps,
  email: string,
  { address, mark }: SessionOrigin,
): Promise<Attempt> {
  if (mark === null) return { email, address, known: null };
  const account = await findCredentials(database.sql, email);
  return { email, address, known: account && deviceOf(vault, account, mark) };
}

/** The same text for every reason. */
function refused(): ApiError {
  return unauthorized('The email address, password, or code is wrong: check them and try again.');
}
