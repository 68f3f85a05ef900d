import { newGuid } from '@servery/support/ids.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { createGroup, groupDocument } from '../../manage-groups.ts';
import { type ChangeOrganizationDeps, organizerOf } from '../organizer.ts';

export const createGroupHandler =
  (deps: ChangeOrganizationDeps): HandlerOf<'backOffice.managementGroups.create'> =>
  async (request) => {
    const { guid = newGuid(), name } = request.body;
    const group = await createGroup(deps, organizerOf(request, deps), { guid, name });
    return { json: groupDocument(group) };
  };
