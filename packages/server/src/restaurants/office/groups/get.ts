import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { findGroup } from '../../group-store.ts';
import { groupDocument, noSuchGroup } from '../../manage-groups.ts';

export interface GetGroupDeps {
  readonly database: Pick<Database, 'sql'>;
}

export const getGroupHandler =
  ({ database: { sql } }: GetGroupDeps): HandlerOf<'backOffice.managementGroups.get'> =>
  async ({ params, reach }) => {
    const group = await findGroup(sql, params.managementGroupGuid, reach);
    if (!group) throw noSuchGroup();
    return { json: groupDocument(group) };
  };
