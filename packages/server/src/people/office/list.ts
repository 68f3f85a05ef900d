import type { HandlerOf } from '../../http/operation.ts';
import { answerPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { listPeople, type PersonPlace } from '../person-store.ts';
import { personOnWire } from './on-wire.ts';

export function listPeopleHandler({
  database: { sql },
  vault,
  realClock,
}: PeopleDeps): HandlerOf<'backOffice.people.list'> {
  const tokens = pageTokens(vault, 'backOffice.people');
  return ({ query: sent, reach }) =>
    answerPage(sent, {
      tokens,
      list: (query, after: PersonPlace | null, limit) => {
        const now = new Date(realClock.nowMs());
        return listPeople(sql, { reach, now, ...query }, after, limit);
      },
      placeOf: ({ name, guid }) => ({ name, guid }),
      onWire: (person) => personOnWire(person, reach),
    });
}
