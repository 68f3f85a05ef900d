import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { isWithin } from '../../reach/reach.ts';
import { changePerson } from '../administer.ts';
import { mayNotGive } from '../give-role.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { deleteRole } from '../person-store.ts';
import { mayGive, placeOfRole } from '../places.ts';
import { personOnWire } from './on-wire.ts';

export const takeRoleHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.roles.take'> =>
  async (request) => {
    const { roleGuid } = request.params;
    const changed = await changePerson(deps, request, {
      concerns: 'part',
      mayRemoveOperator: true,
      make: async (sql, person, { reach, grants }) => {
        const held = person.roles.find(({ guid }) => guid === roleGuid);
        if (!held || !isWithin(reach, placeOfRole(held))) {
          throw new ApiError(
            'notFound',
            "The person has no such role, or you don't have access to it: check roleGuid in the " +
              'path.',
          );
        }
        if (!mayGive(grants, held.role, placeOfRole(held))) throw mayNotGive(held.role);
        await deleteRole(sql, person.guid, roleGuid);
      },
    });
    return { json: personOnWire(changed, request.reach) };
  };
