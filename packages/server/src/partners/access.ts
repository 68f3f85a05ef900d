import type { Database } from '../db/database.ts';
import type { Access } from '../http/operation.ts';
import { findAccess } from './store.ts';

/**
 * Makes the decision whether a client reaches a restaurant: a PARTNER through the restaurant's
 * live connection to its partner, a CUSTOMER through its management group (decisions T7). It asks
 * the database each time, so that a change is in force at once (T9). Archived restaurants are
 * granted too, and marked; whether they serve is the operation's matter (I2).
 */
export function restaurantAccess(deps: { readonly database: Database }): Access {
  return async (principal, restaurantGuid) => {
    const row = await findAccess(deps.database.sql, restaurantGuid, principal.partnerGuid);
    if (row === null) return { outcome: 'unknown' };
    const { connected, ...restaurant } = row;
    const granted =
      principal.type === 'PARTNER'
        ? connected
        : row.managementGroupGuid === principal.managementGroupGuid;
    return granted ? { outcome: 'granted', restaurant } : { outcome: 'notGranted' };
  };
}
