import type { HandlerOf } from '../../../http/operation.ts';
import { archiveGroup, groupDocument } from '../../manage-groups.ts';
import { type ChangeOrganizationDeps, organizerOf } from '../organizer.ts';
import { noSuchGroup } from './no-such-group.ts';

export const archiveGroupHandler =
  (deps: ChangeOrganizationDeps): HandlerOf<'backOffice.managementGroups.archive'> =>
  async (request) => {
    const guid = request.params.managementGroupGuid;
    const group = await archiveGroup(deps, guid, organizerOf(request, deps), true);
    if (!group) throw noSuchGroup();
    return { json: groupDocument(group) };
  };
