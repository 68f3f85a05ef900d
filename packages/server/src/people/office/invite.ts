import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { changePerson } from '../administer.ts';
import { type Invitation, invite } from '../invitations.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { linkOnWire, personOnWire } from './on-wire.ts';

export const invitePersonHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.invite'> =>
  async (request) => {
    const { reach, baseUrl } = request;
    let link: Invitation | null = null;
    const person = await changePerson(deps, request, {
      concerns: 'whole',
      make: async (sql, { guid, deactivatedAt }, { origin }) => {
        if (deactivatedAt) {
          const text = 'The person was deactivated: reactivate the account first.';
          throw new ApiError('conflict', text);
        }
        link = await invite(deps, sql, guid, origin);
      },
    });
    const invitation = link && linkOnWire(link, baseUrl);
    return { json: { person: personOnWire(person, reach), invitation, accountExisted: true } };
  };
