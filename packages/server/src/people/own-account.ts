import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { noSuchPerson, type PeopleDeps } from './administer.ts';
import { sessionEnded } from './authenticate-session.ts';
import { deleteTotp, findCredentialsOf, updatePassword } from './credential-store.ts';
import { deleteInvitations } from './invitation-store.ts';
import { hashPassword, isPassword, passwordFault } from './password.ts';
import { findHeldPerson, findPerson, type PersonRow } from './person-list-store.ts';
import { recordPerson } from './record-person.ts';
import { deleteSessions, findSessionEnd } from './session-store.ts';
import { forgiveAttempts, type SlowDownDeps, slowDown } from './slow-down.ts';

/** What looking after one's own account needs. */
export type OwnAccountDeps = PeopleDeps & SlowDownDeps;

/** A person who logged in, and by which session. */
export interface Self {
  readonly personGuid: string;
  readonly email: string;
  readonly sessionGuid: string;
}

/** A person who says the password again, and from where. */
export interface Confirmation {
  readonly password: string;
  readonly address: string;
}

/**
 * Changes one's own password, ends one's other sessions and open links, and gives the person after
 * the change. Throws ApiError `forbidden` for a wrong present password, `unprocessable` for a new
 * one that is too weak or the same, and what `slowDown` throws: a session alone shall not try out
 * passwords.
 */
export async function changePassword(
  deps: OwnAccountDeps,
  self: Self,
  { present, next }: { readonly present: Confirmation; readonly next: string },
  origin: ChangeOrigin,
): Promise<PersonRow> {
  await requirePassword(
    deps,
    self,
    present,
    wrongPassword('currentPassword', 'the password stays as it was'),
  );
  const fault = passwordFault(next, self.email) ?? sameFault(present.password, next);
  if (fault) throw new ApiError('unprocessable', `newPassword will not do: ${fault}.`);
  const passwordHash = await hashPassword(next);
  return await changeSelf(deps, self, origin, async (sql, now) => {
    await updatePassword(sql, self.personGuid, { passwordHash, now });
    // A link would set yet another password: one that leaked must not open any more.
    await deleteInvitations(sql, self.personGuid);
    await deleteSessions(sql, self.personGuid, { exceptGuid: self.sessionGuid });
  });
}

/**
 * Removes one's own authenticator app and the recovery codes; harmless without one. Throws ApiError
 * `forbidden` for a wrong password, and what `slowDown` throws.
 */
export async function removeOwnTotp(
  deps: OwnAccountDeps,
  self: Self,
  present: Confirmation,
  origin: ChangeOrigin,
): Promise<PersonRow> {
  await requirePassword(deps, self, present, wrongPassword('password', 'the app stays'));
  return await changeSelf(deps, self, origin, (sql) => deleteTotp(sql, self.personGuid));
}

/**
 * Changes one's own account in one transaction, with its entry in the record of changes. A thief of
 * a session and its password may have begun before the owner ended it, and shall not undo that:
 * throws ApiError `unauthorized` when the session is no more.
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

/** Throws ApiError `forbidden` for a password that is not one's own, and what `slowDown` throws. */
export async function requirePassword(
  deps: OwnAccountDeps,
  { personGuid, email, sessionGuid }: Self,
  { password, address }: Confirmation,
  refusal: string,
): Promise<void> {
  // Strangers that guess at the account slow no session that is open already.
  const attempt = { email, address, known: sessionGuid };
  await slowDown(deps, attempt);
  const credentials = await findCredentialsOf(deps.database.sql, personGuid);
  if (!(await isPassword(credentials?.passwordHash ?? null, password))) {
    throw new ApiError('forbidden', refusal);
  }
  await forgiveAttempts(deps, attempt);
}

/** The words for a password that is not the one that its owner logs in with. */
export function wrongPassword(field: string, consequence: string): string {
  return `${field} is wrong: ${consequence}. Send the password that you log in with.`;
}

function sameFault(present: string, next: string): string | null {
  return present === next ? 'it is the present one' : null;
}
