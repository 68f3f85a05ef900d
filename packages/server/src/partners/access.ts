import type { Database } from '../db/database.ts';
import type { Access, Principal } from '../http/operation.ts';
import { findAccess } from './store.ts';

/**
 * Makes the decision whether a client reaches a restaurant: a PARTNER through the restaurant's
 * live connection to its partner, a CUSTOMER through its management group (decisions T7), a
 * BACK_OFFICE client likewise, or as a client of the whole platform. It asks
 * the database each time, so that a change is in force at once (T9). Archived restaurants are
 * granted too, and marked; whether they serve is the operation's matter (I2).
 */
export function restaurantAccess(deps: { readonly database: Database }): Access {
  return async (principal, restaurantGuid) => {
    const row = await findAccess(deps.database.sql, restaurantGuid, principal.partnerGuid);
    if (row === null) return { outcome: 'unknown' };
    const { connected, ...restaurant } = row;
    const isReached = connected || reachesGroup(principal, row.managementGroupGuid);
    return isReached ? { outcome: 'granted', restaurant } : { outcome: 'notGranted' };
  };
}

/** A PARTNER, whose group is null too, reaches no group; only the back office reaches them all. */
function reachesGroup({ type, managementGroupGuid }: Principal, groupGuid: string): boolean {
  return managementGroupGuid === null ? type === 'BACK_OFFICE' : managementGroupGuid === groupGuid;
}
