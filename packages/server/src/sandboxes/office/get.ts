import type { HandlerOf } from '../../http/operation.ts';
import { type SandboxAdminDeps, sandboxesOf } from './deps.ts';
import { sandboxOnWire } from './on-wire.ts';

export const getSandboxHandler =
  (deps: SandboxAdminDeps): HandlerOf<'backOffice.sandboxes.get'> =>
  async ({ params, baseUrl }) => {
    const row = await sandboxesOf(deps).lifecycle.requireSandbox(params.name);
    return { json: await sandboxOnWire(deps, row, baseUrl) };
  };
