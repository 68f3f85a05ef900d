import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { changePerson } from '../administer.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { endSession } from '../sessions.ts';

export const endPersonSessionHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.sessions.end'> =>
  async (request) => {
    const { sessionGuid } = request.params;
    await changePerson(deps, request, {
      concerns: 'whole',
      make: async (sql, { guid }, { origin }) => {
        if (await endSession(sql, origin, guid, sessionGuid)) return;
        throw new ApiError(
          'notFound',
          'The person has no such session: check sessionGuid in the path.',
        );
      },
    });
    return { json: { sessionGuid, endedAt: new Date(deps.realClock.nowMs()) } };
  };
