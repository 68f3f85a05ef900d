import { originOf } from '../audit/origin.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { SessionRequest } from '../http/operation.ts';
import { sessionEnded } from './authenticate-session.ts';
import { findCredentialsOf } from './credential-store.ts';
import { isPassword } from './password.ts';
import type { PeopleDeps } from './people-deps.ts';
import { findHeldPerson, type PersonRow } from './person-store.ts';
import { recordPerson } from './record-person.ts';
import { findSessionEnd } from './session-store.ts';
import { forgiveAttempts, type SlowDownDeps, slowDown } from './slow-down.ts';

/**
 * Writes the audit log in the same transaction. Throws ApiError `unauthorized` when the session has
 * ended: a thief's request that began earlier must not undo the owner's change.
 */
export async function changeSelf(
  { database, realClock }: PeopleDeps,
  request: SessionRequest,
  make: (sql: Sql, now: Date) => Promise<void>,
): Promise<PersonRow> {
  const { personGuid, sessionGuid } = request.caller;
  const origin = originOf(request, realClock);
  return await database.transaction(async (sql) => {
    const before = await findHeldPerson(sql, personGuid, origin.realAt);
    if (!before || !(await findSessionEnd(sql, personGuid, sessionGuid))) throw sessionEnded();
    await make(sql, origin.realAt);
    return await recordPerson(sql, origin, personGuid, before);
  });
}

/** Throws ApiError `forbidden` for a wrong password, and what `slowDown` throws. */
export async function requirePassword(
  deps: SlowDownDeps,
  { caller, remoteAddress: address }: SessionRequest,
  password: string,
  consequence: string,
  field = 'password',
): Promise<void> {
  // Strangers who guess must not slow an open session.
  const attempt = { email: caller.email, address, known: caller.sessionGuid };
  await slowDown(deps, attempt);
  const credentials = await findCredentialsOf(deps.database.sql, caller.personGuid);
  if (!(await isPassword(credentials?.passwordHash ?? null, password))) {
    throw new ApiError(
      'forbidden',
      `${field} is wrong: ${consequence}. Send the password that you log in with.`,
    );
  }
  await forgiveAttempts(deps, attempt);
}
