import type { HandlerOf } from '../../../http/operation.ts';
import { editGroup, type OrganizationDeps } from '../../manage-groups.ts';
import { checkSameArchived, checkSameGuid, requireVersion } from '../same.ts';

export const updateGroupHandler =
  (deps: OrganizationDeps): HandlerOf<'backOffice.managementGroups.update'> =>
  async (request) => {
    const { body, faults } = request;
    const group = await editGroup(deps, request, (before) => {
      requireVersion(body.version, before.version);
      checkSameGuid(body.guid, before.guid, faults);
      checkSameArchived(body.archived, before.archived, ['archived'], faults);
      faults.refuse();
      return { name: body.name ?? before.name };
    });
    return { json: group };
  };
