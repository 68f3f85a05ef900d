import { operations } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import type { ApplicationDeps } from '../../src/http/edge/application.ts';
import type { OperationHandlers } from '../../src/http/operation.ts';
import { MemoryRateCounter } from '../../src/http/pipeline/rate-limit.ts';
import { attest, NOW_MS, principal } from '../request.ts';

const silent = () => {};

/** What an application without a database needs; its caller is a partner without connections. */
export function applicationDeps(): ApplicationDeps {
  return {
    brand: 'Acme',
    clock: new FixedClock(NOW_MS),
    realClock: new FixedClock(NOW_MS),
    rateLimits: { perSecond: 1_000, perQuarterHour: 100_000 },
    rateCounter: new MemoryRateCounter(),
    authenticate: async () => principal(),
    access: async () => ({ outcome: 'notGranted' }),
    baseUrl: () => 'http://127.0.0.1:4400',
    log: { debug: silent, info: silent, warn: silent, error: silent },
    isSandbox: true,
    trustedProxies: [],
    observers: [],
    attest,
  };
}

/** Handlers of all operations, which answer an empty object. */
export function emptyHandlers(): OperationHandlers {
  const answer = async () => ({ json: {} });
  const handlers = Object.fromEntries(operations.map(({ id }) => [id, answer]));
  return handlers as unknown as OperationHandlers;
}
