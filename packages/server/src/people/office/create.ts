import { newGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { administratorOf, isVisible, type PeopleDeps } from '../administer.ts';
import { giveRole } from '../give-role.ts';
import { invite } from '../invitations.ts';
import {
  findGuidOfEmail,
  findHeldPerson,
  findPerson,
  type PersonRow,
} from '../person-list-store.ts';
import { insertPerson } from '../person-store.ts';
import { recordPerson } from '../record-person.ts';
import { linkOnWire, personOnWire } from './on-wire.ts';

/**
 * A person who works elsewhere gets only the role: a link would open everything that the account
 * has there. Nothing proves that the owner of the address chose that account's password, so the
 * administrator must confirm that the person was asked.
 */
export const createPersonHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.create'> =>
  async (request) => {
    const { body, reach, baseUrl } = request;
    const { email, name, role, existingAccount = false } = body;
    const administrator = administratorOf(request, deps);
    const { origin } = administrator;
    return await deps.database.transaction(async (sql) => {
      const now = new Date(deps.realClock.nowMs());
      const personGuid = newGuid();
      if (await insertPerson(sql, { guid: personGuid, email, name, createdAt: now })) {
        await giveRole(sql, administrator, { personGuid, role, now });
        const invitation = linkOnWire(
          await invite(deps, sql, { personGuid, by: origin.by }),
          baseUrl,
        );
        const added = await mustFind(findPerson(sql, personGuid, now));
        await recordPerson(sql, origin, null, added);
        const person = personOnWire(added, reach);
        return { json: { person, invitation, accountExisted: false } };
      }
      const known = await findGuidOfEmail(sql, email);
      const before = await mustFind(findHeldPerson(sql, known ?? personGuid, now));
      if (isVisible(reach, before)) throw isThere(before);
      await giveRole(sql, administrator, { personGuid: before.guid, role, now });
      // Check it after the role, so that only callers who could give it learn of the account.
      if (before.deactivatedAt) throw isGoneElsewhere();
      if (!existingAccount) throw isThereElsewhere();
      const after = await mustFind(findPerson(sql, before.guid, now));
      await recordPerson(sql, origin, before, after);
      const person = personOnWire(after, reach);
      return { json: { person, invitation: null, accountExisted: true } };
    });
  };

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
