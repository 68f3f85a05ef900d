import type { HandlerOf } from '../../../http/operation.ts';
import { editGroup, type OrganizationDeps } from '../../manage-groups.ts';

export const unarchiveGroupHandler =
  (deps: OrganizationDeps): HandlerOf<'backOffice.managementGroups.unarchive'> =>
  async (request) => ({ json: await editGroup(deps, request, () => ({ archived: false })) });
