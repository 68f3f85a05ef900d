import type { HandlerOf } from '../../http/operation.ts';
import { type SandboxAdminDeps, sandboxesOf } from './deps.ts';
import { sandboxOnWire } from './on-wire.ts';
import { recordSandboxChange } from './record.ts';

export const restoreSandboxHandler =
  (deps: SandboxAdminDeps): HandlerOf<'backOffice.sandboxes.restore'> =>
  async (request) => {
    const { params, body, baseUrl } = request;
    const { lifecycle } = sandboxesOf(deps);
    await lifecycle.restore(params.name, body.snapshot);
    await recordSandboxChange(deps, request, params.name, {
      before: null,
      after: { restored: body.snapshot },
    });
    const row = await lifecycle.requireSandbox(params.name);
    return { json: await sandboxOnWire(deps, row, baseUrl) };
  };
