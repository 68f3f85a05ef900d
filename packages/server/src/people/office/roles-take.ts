import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { isWithin } from '../../reach/reach.ts';
import { administratorOf, changePerson, type PeopleDeps } from '../administer.ts';
import { mayNotGive } from '../give-role.ts';
import { deleteRole } from '../person-store.ts';
import { mayGive, placeOfRole } from '../places.ts';
import { personOnWire } from './on-wire.ts';

export const takeRoleHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.roles.take'> =>
  async (request) => {
    const { params, reach } = request;
    const { personGuid, roleGuid } = params;
    const administrator = administratorOf(request, deps);
    const changed = await changePerson(deps, administrator, personGuid, {
      concerns: 'part',
      mayRemoveOperator: true,
      make: async (sql, person) => {
        const held = person.roles.find(({ guid }) => guid === roleGuid);
        const place = held && placeOfRole(held);
        if (!held || !place || !isWithin(reach, place)) throw noSuchRole();
        if (!mayGive(administrator.grants, held.role, place)) throw mayNotGive(held.role);
        await deleteRole(sql, personGuid, roleGuid);
      },
    });
    return { json: personOnWire(changed, reach) };
  };

function noSuchRole(): ApiError {
  return new ApiError(
    'notFound',
    'The person has no such role within your reach: check roleGuid in the path.',
  );
}
