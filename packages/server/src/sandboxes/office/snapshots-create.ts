import type { HandlerOf } from '../../http/operation.ts';
import { type SandboxAdminDeps, sandboxesOf } from './deps.ts';
import { snapshotOnWire } from './on-wire.ts';
import { recordSandboxChange } from './record.ts';

const CREATED = 201;

export const createSnapshotHandler =
  (deps: SandboxAdminDeps): HandlerOf<'backOffice.sandboxes.snapshots.create'> =>
  async (request) => {
    const { params, body, by: createdBy } = request;
    const createdAt = new Date(deps.realClock.nowMs());
    const asked = { name: body.name, createdAt, createdBy };
    const row = await sandboxesOf(deps).lifecycle.snapshot(params.name, asked);
    await recordSandboxChange(deps, request, params.name, {
      before: null,
      after: { snapshot: body.name },
    });
    return { status: CREATED, json: await snapshotOnWire(deps, row) };
  };
