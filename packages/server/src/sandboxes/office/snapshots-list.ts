import type { HandlerOf } from '../../http/operation.ts';
import { listSnapshots } from '../registry-store.ts';
import { type SandboxAdminDeps, sandboxesOf } from './deps.ts';
import { snapshotOnWire } from './on-wire.ts';

export const listSnapshotsHandler =
  (deps: SandboxAdminDeps): HandlerOf<'backOffice.sandboxes.snapshots.list'> =>
  async ({ params }) => {
    await sandboxesOf(deps).lifecycle.requireSandbox(params.name);
    const rows = await listSnapshots(deps.database.sql, params.name);
    return { json: await Promise.all(rows.map((row) => snapshotOnWire(deps, row))) };
  };
