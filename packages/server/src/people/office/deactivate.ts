import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { administratorOf, changePerson, type PeopleDeps } from '../administer.ts';
import { deleteInvitations } from '../invitation-store.ts';
import { updateDeactivated } from '../person-store.ts';
import { deleteSessions } from '../session-store.ts';
import { personOnWire } from './on-wire.ts';

export const deactivatePersonHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.deactivate'> =>
  async (request) => {
    const { personGuid } = request.params;
    const administrator = administratorOf(request, deps);
    const person = await changePerson(deps, administrator, personGuid, {
      concerns: 'whole',
      mayRemoveOperator: true,
      make: async (sql, _person, now) => {
        if (administrator.personGuid === personGuid) {
          throw new ApiError('conflict', 'You cannot deactivate yourself: ask somebody else.');
        }
        await updateDeactivated(sql, personGuid, now);
        await deleteSessions(sql, personGuid, { exceptGuid: null });
        await deleteInvitations(sql, personGuid);
      },
    });
    return { json: personOnWire(person, request.reach) };
  };
