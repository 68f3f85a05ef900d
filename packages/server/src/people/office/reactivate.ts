import type { HandlerOf } from '../../http/operation.ts';
import { administratorOf, changePerson, type PeopleDeps } from '../administer.ts';
import { updateDeactivated } from '../person-store.ts';
import { personOnWire } from './on-wire.ts';

export const reactivatePersonHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.reactivate'> =>
  async (request) => {
    const { personGuid } = request.params;
    const person = await changePerson(deps, administratorOf(request, deps), personGuid, {
      concerns: 'whole',
      make: (sql) => updateDeactivated(sql, personGuid, null),
    });
    return { json: personOnWire(person, request.reach) };
  };
