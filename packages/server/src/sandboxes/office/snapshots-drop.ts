import type { HandlerOf } from '../../http/operation.ts';
import { type SandboxAdminDeps, sandboxesOf } from './deps.ts';
import { recordSandboxChange } from './record.ts';

export const dropSnapshotHandler =
  (deps: SandboxAdminDeps): HandlerOf<'backOffice.sandboxes.snapshots.drop'> =>
  async (request) => {
    const { name: sandboxName, snapshot: name } = request.params;
    await sandboxesOf(deps).lifecycle.dropSnapshot(sandboxName, name);
    await recordSandboxChange(deps, request, sandboxName, {
      before: { snapshot: name },
      after: null,
    });
    return { json: { name } };
  };
