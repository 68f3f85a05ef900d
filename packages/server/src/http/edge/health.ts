import type { HandlersOf } from '../operation.ts';

/** A second start uses it to tell this process from a stranger. */
export const INSTANCE_HEADER = 'process-instance';

export interface HealthDeps {
  readonly whyUnready: () => Promise<string | null>;
  readonly instance: string;
}

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
