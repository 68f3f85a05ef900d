import type { HandlerOf } from '../../http/operation.ts';
import { type SandboxAdminDeps, sandboxesOf } from './deps.ts';
import { recordSandboxChange } from './record.ts';

export const dropSandboxHandler =
  (deps: SandboxAdminDeps): HandlerOf<'backOffice.sandboxes.drop'> =>
  async (request) => {
    const { name } = request.params;
    const { lifecycle } = sandboxesOf(deps);
    const { expiresAt, madeFrom } = await lifecycle.requireSandbox(name);
    await lifecycle.drop(name);
    const before = { from: madeFrom, expiresAt };
    await recordSandboxChange(deps, request, name, { before, after: null });
    return { json: { name } };
  };
