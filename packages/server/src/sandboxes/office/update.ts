import type { HandlerOf } from '../../http/operation.ts';
import { updateExpiry } from '../registry-store.ts';
import { type SandboxAdminDeps, sandboxesOf } from './deps.ts';
import { sandboxOnWire } from './on-wire.ts';
import { endAfter } from './read-ttl.ts';
import { recordSandboxChange } from './record.ts';

export const updateSandboxHandler =
  (deps: SandboxAdminDeps): HandlerOf<'backOffice.sandboxes.update'> =>
  async (request) => {
    const { params, body, faults, baseUrl } = request;
    const { lifecycle } = sandboxesOf(deps);
    const expiresAt = endAfter(body.ttl, deps.realClock.nowMs(), ['ttl'], faults);
    faults.refuse();
    const before = await lifecycle.requireSandbox(params.name);
    await updateExpiry(deps.database.sql, params.name, expiresAt);
    const row = await lifecycle.requireSandbox(params.name);
    await recordSandboxChange(deps, request, params.name, {
      before: { expiresAt: before.expiresAt },
      after: { expiresAt },
    });
    return { json: await sandboxOnWire(deps, row, baseUrl) };
  };
