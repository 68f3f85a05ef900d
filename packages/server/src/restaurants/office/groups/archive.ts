import type { HandlerOf } from '../../../http/operation.ts';
import { editGroup, type OrganizationDeps } from '../../manage-groups.ts';

export const archiveGroupHandler =
  (deps: OrganizationDeps): HandlerOf<'backOffice.managementGroups.archive'> =>
  async (request) => ({ json: await editGroup(deps, request, () => ({ archived: true })) });
