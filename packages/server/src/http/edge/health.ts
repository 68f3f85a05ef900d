import type { HandlersOf } from '../operation.ts';

/** Names the process that answers, so that a second start can tell it from a stranger. */
export const INSTANCE_HEADER = 'process-instance';

/** What the health operations need. */
export interface HealthDeps {
  /** Why the service cannot work now, in a sentence that anybody may read; null when it can. */
  readonly whyUnready: () => Promise<string | null>;
  /** Names this process; another one, on the same address later, has another name. */
  readonly instance: string;
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can serve; 503 while it cannot. */
export function healthHandlers(deps: HealthDeps): HandlersOf<'health.'> {
  const headers = { 'cache-control': 'no-store' };
  return {
    'health.live': async () => ({
      headers: { ...headers, [INSTANCE_HEADER]: deps.instance },
      json: { status: 'ok', reason: null },
    }),
    'health.ready': async () => {
      const reason = await deps.whyUnready();
      if (reason === null) return { status: 200, headers, json: { status: 'ready', reason } };
      return { status: 503, headers, json: { status: 'unavailable', reason } };
    },
  };
}
