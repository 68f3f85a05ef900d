import type { ChangeOrigin } from '../audit/entry-store.ts';
import { ApiError } from '../http/errors.ts';
import type { PeopleDeps } from './people-deps.ts';
import { findPerson, type PersonRow } from './person-store.ts';
import { deleteSession } from './session-store.ts';
import { type BegunSession, beginSession } from './sessions.ts';

/** Throws ApiError `conflict`. */
export async function requireActivePerson(
  { database, realClock }: PeopleDeps,
  personGuid: string,
): Promise<PersonRow> {
  const person = await findPerson(database.sql, personGuid, new Date(realClock.nowMs()));
  if (person && person.deactivatedAt === null) return person;
  throw new ApiError(
    'conflict',
    person
      ? `The person ${personGuid} was deactivated: nobody can send requests as them.`
      : `The person ${personGuid} does not exist there: replay into another sandbox.`,
  );
}

/** A session of the person as if they logged in themselves. */
export async function beginSessionWithoutPassword(
  deps: PeopleDeps,
  personGuid: string,
  origin: ChangeOrigin,
): Promise<BegunSession & { end(): Promise<void> }> {
  const of = { address: '', userAgent: null, mark: null, originFor: () => origin };
  const session = await deps.database.transaction((sql) => beginSession(deps, sql, personGuid, of));
  const { guid } = session;
  return {
    ...session,
    end: async () => void (await deleteSession(deps.database.sql, personGuid, guid)),
  };
}
