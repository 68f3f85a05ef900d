import type { RequestOf } from '@servery/contract';
import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage, type ListDeps, type ListPosition } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { listGroups, type NamePlace } from '../../group-store.ts';
import { groupDocument } from '../../manage-groups.ts';

type Query = RequestOf<'backOffice.managementGroups.list'>['query'];

export function listGroupsHandler({
  database: { sql },
  vault,
}: ListDeps): HandlerOf<'backOffice.managementGroups.list'> {
  const tokens = pageTokens<ListPosition<Query, NamePlace>>(vault, 'managementGroups');
  return ({ query: sent, reach }) =>
    answerPage(sent, {
      tokens,
      list: (query, after, limit) => listGroups(sql, { ...query, reach }, after, limit),
      placeOf: ({ orderName: name, guid }) => ({ name, guid }),
      onWire: ({ orderName: _, ...group }) => groupDocument(group),
    });
}
