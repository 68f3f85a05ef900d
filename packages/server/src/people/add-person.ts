import { newGuid } from '@servery/support/ids.ts';
import { ApiError } from '../http/errors.ts';
import { type Administrator, isVisible, type PeopleDeps } from './administer.ts';
import { type Invitation, invite } from './invitations.ts';
import {
  findGuidOfEmail,
  findHeldPerson,
  findPerson,
  type PersonRow,
} from './person-list-store.ts';
import { insertPerson } from './person-store.ts';
import { recordPerson } from './record-person.ts';
import { insertGivenRole, type RoleInput } from './roles.ts';

/** Who is added, with which first role. */
export interface PersonInput {
  /** As `readEmail` gives it. */
  readonly email: string;
  readonly name: string;
  readonly role: RoleInput;
  /** True to give the role to an account that is there already, beyond reach. */
  readonly takesExisting: boolean;
}

/** A person, with the link to hand over; null for an account that was there, beyond reach. */
export interface InvitedPerson {
  readonly person: PersonRow;
  readonly invitation: Invitation | null;
  /** False for an account that was made just now. */
  readonly existed: boolean;
}

/**
 * Adds a person with a role, and gives the link with which a password is chosen. Somebody who works
 * elsewhere gets the role and nothing else: a link would open all that the account has there.
 * Nothing proves that the password of the account was chosen by the owner of the address, so the
 * administrator has to say that the person was asked. Throws ApiError `conflict` for somebody within reach, deactivated, or there
 * without having been asked, and what `insertGivenRole` throws.
 */
export async function addPerson(
  deps: PeopleDeps,
  administrator: Administrator,
  { email, name, role: input, takesExisting }: PersonInput,
): Promise<InvitedPerson> {
  const { origin } = administrator;
  return await deps.database.transaction(async (sql) => {
    const now = new Date(deps.realClock.nowMs());
    const personGuid = newGuid();
    if (await insertPerson(sql, { guid: personGuid, email, name, createdAt: now })) {
      await insertGivenRole(sql, administrator, { personGuid, input, now });
      const invitation = await invite(deps, sql, { personGuid, by: origin.by });
      const person = await mustFind(findPerson(sql, personGuid, now));
      await recordPerson(sql, origin, null, person);
      return { person, invitation, existed: false };
    }
    const known = await findGuidOfEmail(sql, email);
    const before = await mustFind(findHeldPerson(sql, known ?? personGuid, now));
    if (isVisible(administrator.reach, before)) throw isThere(before);
    await insertGivenRole(sql, administrator, { personGuid: before.guid, input, now });
    // Behind the role, so that nobody is told of an account who could not give it anyway.
    if (before.deactivatedAt) throw isGoneElsewhere();
    if (!takesExisting) throw isThereElsewhere();
    const person = await mustFind(findPerson(sql, before.guid, now));
    await recordPerson(sql, origin, before, person);
    return { person, invitation: null, existed: true };
  });
}

async function mustFind(finding: Promise<PersonRow | null>): Promise<PersonRow> {
  const person = await finding;
  if (!person) throw new Error('a person who was there a moment ago is gone');
  return person;
}

function isThereElsewhere(): ApiError {
  return new ApiError(
    'conflict',
    'Somebody beyond your reach has an account with that e-mail address, and chose its ' +
      'password. The platform cannot tell whose the address is. Ask the person, on a way ' +
      'that you trust, whether the account is theirs; then send "existingAccount": true.',
  );
}

function isGoneElsewhere(): ApiError {
  return new ApiError(
    'conflict',
    'Somebody beyond your reach has that e-mail address, and cannot log in: ask an operator.',
  );
}

function isThere({ deactivatedAt }: PersonRow): ApiError {
  return new ApiError(
    'conflict',
    deactivatedAt
      ? 'Somebody with that e-mail address was deactivated: reactivate that person.'
      : 'Somebody with that e-mail address is there already: give that person a role.',
  );
}
