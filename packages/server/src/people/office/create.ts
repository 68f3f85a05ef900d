import { newGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { administratorOf, isVisible } from '../administer.ts';
import { giveRole } from '../give-role.ts';
import { invite } from '../invitations.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { findGuidOfEmail, findHeldPerson, insertPerson, type PersonRow } from '../person-store.ts';
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
      const guid = newGuid();
      if (await insertPerson(sql, { guid, email, name, createdAt: origin.realAt })) {
        await giveRole(sql, administrator, guid, role);
        const invitation = linkOnWire(await invite(deps, sql, guid, origin), baseUrl);
        const person = personOnWire(await recordPerson(sql, origin, guid, null), reach);
        return { json: { person, invitation, accountExisted: false } };
      }
      const known = await findGuidOfEmail(sql, email);
      const before = known && (await findHeldPerson(sql, known, origin.realAt));
      if (!before) throw new Error('a person who was there a moment ago is gone');
      if (isVisible(reach, before)) throw isThere(before);
      await giveRole(sql, administrator, before.guid, role);
      // Check it after the role, so that only callers who could give it learn of the account.
      if (before.deactivatedAt) throw isGoneElsewhere();
      if (!existingAccount) throw isThereElsewhere();
      const person = personOnWire(await recordPerson(sql, origin, before.guid, before), reach);
      return { json: { person, invitation: null, accountExisted: true } };
    });
  };

function isThereElsewhere(): ApiError {
  return new ApiError(
    'conflict',
    "An account with that email address already exists, and you don't have access to it. " +
      'Somebody else chose its password, and the platform cannot tell who owns the address. Ask ' +
      'the person, in a way that you trust, whether the account is theirs. Then send ' +
      '"existingAccount": true.',
  );
}

function isGoneElsewhere(): ApiError {
  return new ApiError(
    'conflict',
    "A deactivated account that you don't have access to has that email address: ask an operator.",
  );
}

function isThere({ deactivatedAt }: PersonRow): ApiError {
  return new ApiError(
    'conflict',
    deactivatedAt
      ? 'Somebody with that email address was deactivated: reactivate that person.'
      : 'A person with that email address already exists: give that person a role.',
  );
}
