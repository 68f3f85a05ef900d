import type { RequestOf } from '@servery/contract';
import type { HandlerOf } from '../../http/operation.ts';
import { answerPage, type ListPosition } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { listPeople, type PersonPlace } from '../person-store.ts';
import { personOnWire } from './on-wire.ts';

type Query = RequestOf<'backOffice.people.list'>['query'];

export function listPeopleHandler({
  database: { sql },
  vault,
  realClock,
}: PeopleDeps): HandlerOf<'backOffice.people.list'> {
  const tokens = pageTokens<ListPosition<Query, PersonPlace>>(vault, 'backOffice.people');
  return ({ query: sent, reach }) =>
    answerPage(sent, {
      tokens,
      list: (query, after, limit) => {
        const now = new Date(realClock.nowMs());
        return listPeople(sql, { reach, now, ...query }, after, limit);
      },
      placeOf: ({ name, guid }) => ({ name, guid }),
      onWire: (person) => personOnWire(person, reach),
    });
}
