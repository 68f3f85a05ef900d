import type { HandlerOf } from '../../../http/operation.ts';
import { findGroup } from '../../group-store.ts';
import { groupDocument, noSuchGroup, type OrganizationDeps } from '../../manage-groups.ts';

export const getGroupHandler =
  ({
    database: { sql },
  }: Pick<OrganizationDeps, 'database'>): HandlerOf<'backOffice.managementGroups.get'> =>
  async ({ params, reach }) => {
    const group = await findGroup(sql, params.managementGroupGuid, reach);
    if (!group) throw noSuchGroup();
    return { json: groupDocument(group) };
  };
