import type { Sandbox, SandboxSnapshot } from '@servery/contract';
import type { Sent } from '../../http/operation.ts';
import type { Origin } from '../lifecycle.ts';
import type { SandboxRow, SnapshotRow } from '../registry-store.ts';
import { type SandboxAdminDeps, sandboxesOf } from './deps.ts';

export function ownFields(
  { name, expiresAt, madeFrom }: Pick<SandboxRow, 'name' | 'expiresAt' | 'madeFrom'>,
  baseUrl: string,
) {
  const none = { profile: null, sandbox: null, snapshot: null, replayOf: null };
  const from = { ...none, ...(madeFrom as Origin) };
  return { name, baseUrl: `${baseUrl}/sandboxes/${name}`, expiresAt, from };
}

export async function sandboxOnWire(
  deps: SandboxAdminDeps,
  row: SandboxRow,
  baseUrl: string,
): Promise<Sent<Sandbox>> {
  const { awake, copies } = sandboxesOf(deps);
  const open = await awake.stateOf(row.name);
  const { clockMode: mode, clockMs } = row;
  const nowMs = mode === 'FROZEN' ? clockMs : deps.realClock.nowMs() + clockMs;
  const usedMs = Math.max(row.usedAt?.getTime() ?? 0, open?.usedMs ?? 0);
  return {
    ...ownFields(row, baseUrl),
    createdAt: row.createdAt,
    lastUsedAt: usedMs === 0 ? null : new Date(usedMs),
    sizeBytes: (await copies.sizeBytes(row.databaseName)) ?? 0,
    clock: open
      ? { mode: open.clock.mode, now: new Date(open.clock.nowMs()) }
      : { mode, now: new Date(nowMs) },
  };
}

export async function snapshotOnWire(
  deps: SandboxAdminDeps,
  { name, createdAt, databaseName }: SnapshotRow,
): Promise<Sent<SandboxSnapshot>> {
  const sizeBytes = (await sandboxesOf(deps).copies.sizeBytes(databaseName)) ?? 0;
  return { name, createdAt, sizeBytes };
}
