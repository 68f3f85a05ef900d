import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { administratorOf, changePerson, type PeopleDeps } from '../administer.ts';
import { updatePersonEmail, updatePersonName } from '../person-store.ts';
import { personOnWire } from './on-wire.ts';

const UNIQUE_VIOLATION = '23505';

export const updatePersonHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.update'> =>
  async (request) => {
    const { personGuid } = request.params;
    const { name, email } = request.body;
    try {
      const person = await changePerson(deps, administratorOf(request, deps), personGuid, {
        concerns: 'whole',
        make: async (sql) => {
          if (name !== undefined) await updatePersonName(sql, personGuid, name);
          if (email !== undefined) await updatePersonEmail(sql, personGuid, email);
        },
      });
      return { json: personOnWire(person, request.reach) };
    } catch (error) {
      if (!isSqlState(error, UNIQUE_VIOLATION)) throw error;
      throw new ApiError('conflict', 'Somebody else has that e-mail address.');
    }
  };
