import type { HandlerOf } from '../../../http/operation.ts';
import { editGroup, groupDocument } from '../../manage-groups.ts';
import { type ChangeOrganizationDeps, organizerOf } from '../organizer.ts';
import { checkSameArchived, checkSameGuid, requireVersion } from '../same.ts';
import { noSuchGroup } from './no-such-group.ts';

export const updateGroupHandler =
  (deps: ChangeOrganizationDeps): HandlerOf<'backOffice.managementGroups.update'> =>
  async (request) => {
    const { params, body, faults } = request;
    const guid = params.managementGroupGuid;
    const group = await editGroup(deps, guid, organizerOf(request, deps), (before) => {
      requireVersion(body.version, before.version);
      checkSameGuid(body.guid, guid, faults);
      checkSameArchived(body.archived, before.archived, ['archived'], faults);
      faults.refuse();
      return { name: body.name ?? before.name, archived: before.archived };
    });
    if (!group) throw noSuchGroup();
    return { json: groupDocument(group) };
  };
