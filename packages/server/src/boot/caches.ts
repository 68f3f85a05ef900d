import type { TokenClient } from '../clients/client-store.ts';
import type { LoginState } from '../clients/grant-store.ts';
import type { ReadAnywhere } from '../database/read-anywhere.ts';
import { Cache, type CacheUse } from '../freshness/cache.ts';
import type { Freshness } from '../freshness/freshness.ts';
import { Answers } from '../http/fast/cached-answer.ts';
import { type ReadyRequest, requestBytes } from '../http/fast/ready-path.ts';
import type { PublishedRestaurant } from '../orders/published-store.ts';
import type { AccessRow } from '../partners/store.ts';
import type { RememberedCardKeys } from '../payments/cards/keyring.ts';
import type { Metrics } from '../support/metrics.ts';

export interface Caches {
  readonly answers: Answers;
  readonly requests: Cache<ReadyRequest>;
  readonly tokenClients: Cache<TokenClient>;
  readonly logins: Cache<LoginState>;
  readonly cardKeys: Cache<RememberedCardKeys>;
  readonly accesses: Cache<AccessRow>;
  readonly orderingRestaurants: Cache<PublishedRestaurant>;
}

const SHARES = {
  answers: 0.75,
  requests: 0.1,
  tokenClients: 0.04,
  logins: 0.04,
  cardKeys: 0.03,
  accesses: 0.02,
  orderingRestaurants: 0.02,
} as const;

const cacheNames = Object.keys(SHARES) as (keyof typeof SHARES)[];

const CLIENT_BYTES = 800;
const LOGIN_BYTES = 2_000;
const CARD_KEYS_BYTES = 2_500;
const ACCESS_BYTES = 400;
const ORDERING_RESTAURANT_BYTES = 800;

/** Together the caches hold about `maxBytes`. */
export function openCaches(
  freshness: Freshness,
  maxBytes: number,
  readAnywhere: ReadAnywhere,
  hasReplica = false,
): Caches {
  const bounds = (name: keyof typeof SHARES) => ({
    freshness,
    maxBytes: Math.max(1, Math.floor(maxBytes * SHARES[name])),
  });
  const sized = <Value>(name: keyof typeof SHARES, bytesOf: (value: Value) => number) => ({
    ...bounds(name),
    bytesOf,
  });
  return {
    answers: new Answers({ ...bounds('answers'), readAnywhere, hasReplica }),
    requests: new Cache(sized('requests', requestBytes)),
    tokenClients: new Cache(sized('tokenClients', () => CLIENT_BYTES)),
    logins: new Cache(sized('logins', () => LOGIN_BYTES)),
    cardKeys: new Cache(sized('cardKeys', () => CARD_KEYS_BYTES)),
    accesses: new Cache(sized('accesses', () => ACCESS_BYTES)),
    orderingRestaurants: new Cache(sized('orderingRestaurants', () => ORDERING_RESTAURANT_BYTES)),
  };
}

export function watchCaches(metrics: Metrics, caches: Caches): void {
  const each = (what: keyof CacheUse) => () =>
    cacheNames.map((name) => [name, caches[name].use()[what]] as const);
  const ofCache = { label: 'cache', values: cacheNames } as const;
  metrics.sums({
    ...{ name: 'cache_hits_total', ...ofCache, read: each('hits') },
    help: 'Cache hits: the answer was cached and still valid.',
  });
  metrics.sums({
    ...{ name: 'cache_misses_total', ...ofCache, read: each('misses') },
    help: 'Cache misses: the answer was not cached, or no longer valid.',
  });
  metrics.gauge({
    name: 'cache_bytes',
    help: 'Approximate size of a cache of this process, in bytes.',
    ...ofCache,
    isOfProcess: true,
    read: async () => each('bytes')(),
  });
}
