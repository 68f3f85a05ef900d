import type { Database } from '../database/database.ts';
import type { Cache } from '../freshness/cache.ts';
import { type Access, type Caller, grantsOf } from '../http/operation.ts';
import { reachesRestaurant, reachOf } from '../reach/reach.ts';
import { type AccessRow, findAccess } from './store.ts';

/** What the decision needs. */
export interface AccessDeps {
  readonly database: Database;
  /** What access to restaurants depends on, remembered. */
  readonly accesses: Cache<AccessRow>;
}

/**
 * Makes the decision whether a caller reaches a restaurant: a PARTNER through the restaurant's live
 * connection to its partner, everybody else through what was granted to him: a restaurant, a
 * management group (decisions AUTH-7) or the whole platform. What is
 * remembered is read anew once anybody has changed it, so that no right outlives its end (AUTH-9).
 * Archived restaurants are granted too, and marked; whether they serve is the operation's matter
 * (RST-2).
 */
export function restaurantAccess(deps: AccessDeps): Access {
  return async (caller, restaurantGuid) => {
    const partnerGuid = caller.type === 'PARTNER' ? caller.partnerGuid : null;
    const cached = await deps.accesses.get(
      `${restaurantGuid} ${partnerGuid ?? ''}`,
      [`restaurant:${restaurantGuid}`],
      () => findAccess(deps.database.sql, restaurantGuid, partnerGuid),
    );
    const row = cached?.value;
    if (!row) return { outcome: 'unknown' };
    const { connected, ...restaurant } = row;
    return isReached(caller, row) ? { outcome: 'granted', restaurant } : { outcome: 'notGranted' };
  };
}

function isReached(caller: Caller, row: AccessRow): boolean {
  if (caller.type === 'PARTNER') return row.connected;
  return reachesRestaurant(reachOf(grantsOf(caller), null), row);
}
