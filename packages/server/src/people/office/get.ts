import type { HandlerOf } from '../../http/operation.ts';
import { isVisible, noSuchPerson, type PeopleDeps } from '../administer.ts';
import { findPerson } from '../person-list-store.ts';
import { personOnWire } from './on-wire.ts';

export const getPersonHandler =
  ({ database, realClock }: PeopleDeps): HandlerOf<'backOffice.people.get'> =>
  async ({ params, reach }) => {
    const now = new Date(realClock.nowMs());
    const person = await findPerson(database.sql, params.personGuid, now);
    if (!person || !isVisible(reach, person)) throw noSuchPerson();
    return { json: personOnWire(person, reach) };
  };
