import { randomBytes } from 'node:crypto';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import { systemOrigin } from '../audit/origin.ts';
import { ApiError } from '../http/errors.ts';
import type { ReplayEnvironment, ReplayTarget, ReplayTargets } from '../requests/replay/ports.ts';
import type { AwakeSandboxes } from '../sandboxes/awake.ts';
import { type Lifecycle, MAIN } from '../sandboxes/lifecycle.ts';
import type { Parts } from './parts.ts';
import type { OpenedSandbox } from './sandbox-environments.ts';

export interface ReplayTargetsDeps {
  /** Of the main environment. */
  readonly parts: Parts;
  readonly main: ReplayEnvironment;
  readonly awake: AwakeSandboxes<OpenedSandbox>;
  readonly lifecycle: Lifecycle;
  /** Where this machine reaches the platform. */
  readonly local: { readonly url: string };
  /** The name of the environment whose requests are replayed. */
  readonly from: string;
}

const HOUR_MS = 3_600_000;

export function replayTargets(deps: ReplayTargetsDeps): ReplayTargets {
  const { parts, main, awake, lifecycle, local, from } = deps;
  const { database, realClock } = parts;

  async function enter(name: string): Promise<Pick<ReplayTarget, 'environment' | 'leave' | 'url'>> {
    const { environment, leave } = await awake.enter(name);
    const url = `${local.url}/sandboxes/${name}`;
    return { environment: environment.replaying, leave, url };
  }

  return {
    mainUrl: () => main.baseUrl(),

    async enter(name) {
      refuseOthers(from, name);
      const there = { name, demo: null, undo: async () => {} };
      if (name === MAIN) {
        return { ...there, environment: main, leave() {}, url: local.url, expiresAt: null };
      }
      const { expiresAt } = await lifecycle.requireSandbox(name, [MAIN]);
      return { ...there, expiresAt, ...(await enter(name)) };
    },

    async copy(origin, replayOf) {
      const name = `replay-${randomBytes(4).toString('hex')}`;
      const createdAt = new Date(realClock.nowMs());
      const expiresAt = new Date(createdAt.getTime() + HOUR_MS);
      const madeFrom = { sandbox: from, replayOf };
      const asked = { name, createdBy: origin.by, createdAt, expiresAt };
      const { demo } = await lifecycle.create(asked, madeFrom);
      const undo = () => lifecycle.drop(name);
      try {
        await database.transaction((sql) =>
          insertEntry(sql, originInMain(origin), {
            subject: { kind: 'sandbox', id: name },
            before: null,
            after: { from: madeFrom, expiresAt },
          }),
        );
        return { name, demo, expiresAt, undo, ...(await enter(name)) };
      } catch (error) {
        await undo();
        throw error;
      }
    },
  };

  /** The accounts of a sandbox are unknown in the main environment. */
  function originInMain(origin: ChangeOrigin): ChangeOrigin {
    return from === MAIN ? origin : systemOrigin(parts, 'replay', origin.operation);
  }
}

/** No account of a sandbox reaches another environment. */
function refuseOthers(from: string, name: string): void {
  if (from === MAIN || name === from) return;
  throw new ApiError(
    'conflict',
    `The accounts of the sandbox ${from} reach no other environment, so it replays only into ` +
      `itself ("into": "${from}") or into a new copy of itself (without "into").`,
  );
}
