import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { changePerson } from '../administer.ts';
import { deleteInvitations } from '../invitation-store.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { updateDeactivated } from '../person-store.ts';
import { deleteSessions } from '../session-store.ts';
import { personOnWire } from './on-wire.ts';

export const deactivatePersonHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.deactivate'> =>
  async (request) => {
    const { caller, reach } = request;
    const person = await changePerson(deps, request, {
      concerns: 'whole',
      mayRemoveOperator: true,
      make: async (sql, { guid }, { origin }) => {
        if (caller.type === 'PERSON' && caller.personGuid === guid) {
          throw new ApiError(
            'conflict',
            'You cannot deactivate your own account: ask somebody else.',
          );
        }
        await updateDeactivated(sql, guid, origin.realAt);
        await deleteSessions(sql, guid);
        await deleteInvitations(sql, guid);
      },
    });
    return { json: personOnWire(person, reach) };
  };
