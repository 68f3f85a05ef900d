import type { HandlerOf } from '../../http/operation.ts';
import { changePerson } from '../administer.ts';
import { giveRole } from '../give-role.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { personOnWire } from './on-wire.ts';

export const giveRoleHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.roles.give'> =>
  async (request) => {
    const person = await changePerson(deps, request, {
      concerns: 'part',
      make: (sql, { guid }, administrator) => giveRole(sql, administrator, guid, request.body),
    });
    return { json: personOnWire(person, request.reach) };
  };
