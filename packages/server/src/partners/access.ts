import type { Database } from '../database/database.ts';
import type { Cache } from '../freshness/cache.ts';
import { type Access, type Caller, grantsOf } from '../http/operation.ts';
import { reachesRestaurant, reachOf } from '../reach/reach.ts';
import { type AccessRow, findAccess } from './store.ts';

export interface AccessDeps {
  readonly database: Database;
  readonly accesses: Cache<AccessRow>;
}

/**
 * A partner needs a live connection; others need a grant for the restaurant, its group (AUTH-7) or
 * the platform. AUTH-9: cached rows are read again after any change, so no right outlives its end.
 * Archived restaurants are included: each operation decides (RST-2).
 */
export function restaurantAccess(deps: AccessDeps): Access {
  return async (caller, restaurantGuid) => {
    const partnerGuid = caller.type === 'PARTNER' ? caller.partnerGuid : null;
    const cached = await deps.accesses.get(
      `${restaurantGuid} ${partnerGuid ?? ''}`,
      [`restaurant:${restaurantGuid}`],
      (sight) => findAccess(deps.database.sql, restaurantGuid, partnerGuid, sight),
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
