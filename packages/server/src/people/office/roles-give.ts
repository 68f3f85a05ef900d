import type { HandlerOf } from '../../http/operation.ts';
import { administratorOf, changePerson, type PeopleDeps } from '../administer.ts';
import { giveRole } from '../give-role.ts';
import { personOnWire } from './on-wire.ts';

export const giveRoleHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.roles.give'> =>
  async (request) => {
    const { params, body: role, reach } = request;
    const { personGuid } = params;
    const administrator = administratorOf(request, deps);
    const person = await changePerson(deps, administrator, personGuid, {
      concerns: 'part',
      make: (sql, _person, now) => giveRole(sql, administrator, { personGuid, role, now }),
    });
    return { json: personOnWire(person, reach) };
  };
