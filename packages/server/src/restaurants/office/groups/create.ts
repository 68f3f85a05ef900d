import { newGuid } from '@servery/support/ids.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { createGroup, type OrganizationDeps } from '../../manage-groups.ts';

export const createGroupHandler =
  (deps: OrganizationDeps): HandlerOf<'backOffice.managementGroups.create'> =>
  async (request) => {
    const { guid = newGuid(), name } = request.body;
    return { json: await createGroup(deps, request, { guid, name }) };
  };
