import type { HandlerOf } from '../../http/operation.ts';
import { changePerson } from '../administer.ts';
import { deleteTotp } from '../credential-store.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { deleteSessions } from '../session-store.ts';
import { personOnWire } from './on-wire.ts';

export const removePersonTotpHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.removeTotp'> =>
  async (request) => {
    const person = await changePerson(deps, request, {
      concerns: 'whole',
      make: async (sql, { guid, hasTotp }) => {
        if (!hasTotp) return;
        await deleteTotp(sql, guid);
        await deleteSessions(sql, guid);
      },
    });
    return { json: personOnWire(person, request.reach) };
  };
