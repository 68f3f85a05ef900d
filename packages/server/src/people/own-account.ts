import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { noSuchPerson, type PeopleDeps } from './administer.ts';
import { sessionEnded } from './authenticate-session.ts';
import { findCredentialsOf } from './credential-store.ts';
import { isPassword } from './password.ts';
import { findHeldPerson, findPerson, type PersonRow } from './person-list-store.ts';
import { recordPerson } from './record-person.ts';
import { findSessionEnd } from './session-store.ts';
import { forgiveAttempts, type SlowDownDeps, slowDown } from './slow-down.ts';

export type OwnAccountDeps = PeopleDeps & SlowDownDeps;

export interface Self {
  readonly personGuid: string;
  readonly email: string;
  readonly sessionGuid: string;
}

export interface Confirmation {
  readonly password: string;
  readonly address: string;
}

/**
 * Writes the audit log in the same transaction. Throws ApiError `unauthorized` when the session has
 * ended: a thief's request that began earlier must not undo the owner's change.
 */
export async function changeSelf(
  { database, realClock }: Pick<PeopleDeps, 'database' | 'realClock'>,
  { personGuid, sessionGuid }: Self,
  origin: ChangeOrigin,
  make: (sql: Sql, now: Date) => Promise<void>,
): Promise<PersonRow> {
  return await database.transaction(async (sql) => {
    const now = new Date(realClock.nowMs());
    const before = await findHeldPerson(sql, personGuid, now);
    if (!before) throw noSuchPerson();
    if (!(await findSessionEnd(sql, personGuid, sessionGuid))) throw sessionEnded();
    await make(sql, now);
    const after = await findPerson(sql, personGuid, now);
    if (!after) throw noSuchPerson();
    await recordPerson(sql, origin, before, after);
    return after;
  });
}

/** Throws ApiError `forbidden` for a wrong password, and what `slowDown` throws. */
export async function requirePassword(
  deps: OwnAccountDeps,
  { personGuid, email, sessionGuid }: Self,
  { password, address }: Confirmation,
  refusal: string,
): Promise<void> {
  // Strangers who guess must not slow an open session.
  const attempt = { email, address, known: sessionGuid };
  await slowDown(deps, attempt);
  const credentials = await findCredentialsOf(deps.database.sql, personGuid);
  if (!(await isPassword(credentials?.passwordHash ?? null, password))) {
    throw new ApiError('forbidden', refusal);
  }
  await forgiveAttempts(deps, attempt);
}

export function wrongPassword(field: string, consequence: string): string {
  return `${field} is wrong: ${consequence}. Send the password that you log in with.`;
}
