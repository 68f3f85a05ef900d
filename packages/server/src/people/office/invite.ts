import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { administratorOf, changePerson, type PeopleDeps } from '../administer.ts';
import { type Invitation, invite } from '../invitations.ts';
import { linkOnWire, personOnWire } from './on-wire.ts';

export const invitePersonHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.invite'> =>
  async (request) => {
    const { params, reach, baseUrl, by } = request;
    const { personGuid } = params;
    let invitation: Invitation | null = null;
    const person = await changePerson(deps, administratorOf(request, deps), personGuid, {
      concerns: 'whole',
      make: async (sql, { deactivatedAt }) => {
        if (deactivatedAt) {
          throw new ApiError(
            'conflict',
            'The person was deactivated: reactivate the account first.',
          );
        }
        invitation = await invite(deps, sql, { personGuid, by });
      },
    });
    return {
      json: {
        person: personOnWire(person, reach),
        invitation: invitation && linkOnWire(invitation, baseUrl),
        accountExisted: true,
      },
    };
  };
