import type { OperationHandlers } from './operation.ts';

/** What the health operations lean on. */
export interface HealthDeps {
  /** True while the process takes requests and its database answers. */
  readonly isReady: () => Promise<boolean>;
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can serve; 503 while it cannot. */
export function healthHandlers(
  deps: HealthDeps,
): Pick<OperationHandlers, 'health.live' | 'health.ready'> {
  const headers = { 'cache-control': 'no-store' };
  return {
    'health.live': async () => ({ headers, json: { status: 'ok' } }),
    'health.ready': async () => {
      const ready = await deps.isReady();
      const json = { status: ready ? 'ready' : 'unavailable' };
      return { status: ready ? 200 : 503, headers, json };
    },
  };
}
