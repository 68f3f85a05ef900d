import type { HandlerOf } from '../../http/operation.ts';
import { isVisible, noSuchPerson } from '../administer.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { findPerson } from '../person-store.ts';
import { personOnWire } from './on-wire.ts';

export const getPersonHandler =
  ({ database, realClock }: PeopleDeps): HandlerOf<'backOffice.people.get'> =>
  async ({ params, reach }) => {
    const now = new Date(realClock.nowMs());
    const person = await findPerson(database.sql, params.personGuid, now);
    if (!person || !isVisible(reach, person)) throw noSuchPerson();
    return { json: personOnWire(person, reach) };
  };
