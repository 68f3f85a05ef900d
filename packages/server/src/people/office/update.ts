import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { changePerson } from '../administer.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { updatePersonEmail, updatePersonName } from '../person-store.ts';
import { personOnWire } from './on-wire.ts';

const UNIQUE_VIOLATION = '23505';

export const updatePersonHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.update'> =>
  async (request) => {
    const { name, email } = request.body;
    try {
      const person = await changePerson(deps, request, {
        concerns: 'whole',
        make: async (sql, { guid }) => {
          if (name !== undefined) await updatePersonName(sql, guid, name);
          if (email !== undefined) await updatePersonEmail(sql, guid, email);
        },
      });
      return { json: personOnWire(person, request.reach) };
    } catch (error) {
      if (!isSqlState(error, UNIQUE_VIOLATION)) throw error;
      throw new ApiError('conflict', 'Somebody else has that email address.');
    }
  };
