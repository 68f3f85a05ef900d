import type { OperationHandlers } from './operation.ts';

/** Names the process that answers, so that a second start can tell it from a stranger. */
export const INSTANCE_HEADER = 'process-instance';

/** What the health operations lean on. */
export interface HealthDeps {
  /** True while the process takes requests and its database answers. */
  readonly isReady: () => Promise<boolean>;
  /** Names this process; another one, on the same address later, has another name. */
  readonly instance: string;
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can serve; 503 while it cannot. */
export function healthHandlers(
  deps: HealthDeps,
): Pick<OperationHandlers, 'health.live' | 'health.ready'> {
  const headers = { 'cache-control': 'no-store' };
  return {
    'health.live': async () => ({
      headers: { ...headers, [INSTANCE_HEADER]: deps.instance },
      json: { status: 'ok' },
    }),
    'health.ready': async () => {
      const ready = await deps.isReady();
      const json = { status: ready ? 'ready' : 'unavailable' };
      return { status: ready ? 200 : 503, headers, json };
    },
  };
}
