import type { HandlerOf } from '../../http/operation.ts';
import { changePerson } from '../administer.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { updateDeactivated } from '../person-store.ts';
import { personOnWire } from './on-wire.ts';

export const reactivatePersonHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.reactivate'> =>
  async (request) => {
    const person = await changePerson(deps, request, {
      concerns: 'whole',
      make: (sql, { guid }) => updateDeactivated(sql, guid, null),
    });
    return { json: personOnWire(person, request.reach) };
  };
