import type { HandlerOf } from '../../http/operation.ts';
import { administratorOf, changePerson, type PeopleDeps } from '../administer.ts';
import { deleteTotp } from '../credential-store.ts';
import { deleteSessions } from '../session-store.ts';
import { personOnWire } from './on-wire.ts';

export const removePersonTotpHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.removeTotp'> =>
  async (request) => {
    const { personGuid } = request.params;
    const person = await changePerson(deps, administratorOf(request, deps), personGuid, {
      concerns: 'whole',
      make: async (sql, { hasTotp }) => {
        if (!hasTotp) return;
        await deleteTotp(sql, personGuid);
        await deleteSessions(sql, personGuid, { exceptGuid: null });
      },
    });
    return { json: personOnWire(person, request.reach) };
  };
