import type { HandlersOf } from '../../http/operation.ts';
import type { SandboxAdminDeps } from './deps.ts';

export type { SandboxAdminDeps } from './deps.ts';

import { createSandboxHandler } from './create.ts';
import { diffSandboxesHandler } from './diff.ts';
import { dropSandboxHandler } from './drop.ts';
import { getSandboxHandler } from './get.ts';
import { listSandboxesHandler } from './list.ts';
import { restoreSandboxHandler } from './restore.ts';
import { createSnapshotHandler } from './snapshots-create.ts';
import { dropSnapshotHandler } from './snapshots-drop.ts';
import { listSnapshotsHandler } from './snapshots-list.ts';
import { updateSandboxHandler } from './update.ts';

export const sandboxesHandlers = (deps: SandboxAdminDeps): HandlersOf<'backOffice.sandboxes.'> => ({
  'backOffice.sandboxes.list': listSandboxesHandler(deps),
  'backOffice.sandboxes.create': createSandboxHandler(deps),
  'backOffice.sandboxes.get': getSandboxHandler(deps),
  'backOffice.sandboxes.update': updateSandboxHandler(deps),
  'backOffice.sandboxes.drop': dropSandboxHandler(deps),
  'backOffice.sandboxes.snapshots.list': listSnapshotsHandler(deps),
  'backOffice.sandboxes.snapshots.create': createSnapshotHandler(deps),
  'backOffice.sandboxes.snapshots.drop': dropSnapshotHandler(deps),
  'backOffice.sandboxes.restore': restoreSandboxHandler(deps),
  'backOffice.sandboxes.diff': diffSandboxesHandler(deps),
});
