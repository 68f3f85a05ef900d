import type { SandboxDiff } from '@servery/contract';
import type { Copies } from '@servery/postgres/copies.ts';
import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { Sent } from '../../http/operation.ts';
import type { AwakeSandboxes } from '../awake.ts';
import type { Lifecycle } from '../lifecycle.ts';

export interface SandboxesHere {
  readonly lifecycle: Lifecycle;
  readonly awake: AwakeSandboxes;
  readonly copies: Copies;
  /** Throws ApiError `notFound`. */
  readonly compare: (
    name: string,
    other: string,
  ) => Promise<Sent<Omit<SandboxDiff, 'name' | 'with'>>>;
}

export interface SandboxAdminDeps {
  readonly database: Database;
  readonly realClock: Clock;
  readonly vault: Vault;
  /** Null in a sandbox: only the main environment has others beside it. */
  readonly sandboxes: () => SandboxesHere | null;
}

/** Throws ApiError `notFound` in a sandbox. */
export function sandboxesOf({ sandboxes }: SandboxAdminDeps): SandboxesHere {
  const here = sandboxes();
  if (here) return here;
  throw new ApiError(
    'notFound',
    'A sandbox has no sandboxes of its own: ask the main environment of this platform.',
  );
}
