import type { Database, Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { type Answers, cachedAnswer } from '../../http/fast/cached-answer.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { findManagementGroup, listGroupRestaurants } from '../store.ts';

export interface ListGroupDeps {
  readonly database: Database;
  readonly answers: Answers;
  readonly groupList: 'all' | 'reachable';
}

export const listGroupHandler =
  ({ database, answers, groupList }: ListGroupDeps): HandlerOf<'restaurants.listGroup'> =>
  async ({ restaurant, params: { managementGroupGUID: groupGuid }, principal }) => {
    if (groupGuid !== restaurant.managementGroupGuid) {
      throw (await findManagementGroup(database.sql, groupGuid)) ? notInGroup() : unknownGroup();
    }
    // A management group account reaches its whole group, a partner its connected restaurants.
    const partnerGuid = groupList === 'reachable' ? principal.partnerGuid : null;
    const list = async (sql: Sql) => ({
      json: await listGroupRestaurants(sql, groupGuid, partnerGuid),
    });
    // The group's cache does not track connections to partners.
    if (partnerGuid !== null) return await list(database.sql);
    return await cachedAnswer(answers, ['group', groupGuid], [`group:${groupGuid}`], list);
  };

function unknownGroup(): ApiError {
  return new ApiError('notFound', 'The path names no management group: check the GUID.');
}

function notInGroup(): ApiError {
  return new ApiError(
    'forbidden',
    'The restaurant in the header does not belong to the management group in the path: name one' +
      ' that does.',
  );
}
