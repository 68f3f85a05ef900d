import type { Clock } from '@servery/support/clock.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { updatePartnerCounter } from './change-store.ts';
import { listLiveConnectionsLocked } from './connection-store.ts';
import { recordConnectionChange } from './record-change.ts';
import { updateConnectionsModified } from './write-store.ts';

/** PTN-5: what a partner's lists show. */
export interface ListedRestaurant {
  readonly name: string;
  readonly locationName: string | null;
  readonly managementGroupGuid: string;
  readonly archived: boolean;
}

export function isListedAlike(before: ListedRestaurant, after: ListedRestaurant): boolean {
  return (
    before.name === after.name &&
    before.locationName === after.locationName &&
    before.managementGroupGuid === after.managementGroupGuid &&
    before.archived === after.archived
  );
}

/**
 * PTN-7: dates the live connections as changed and tells each partner. The transaction must hold
 * the restaurant's lock. Call it last: other changes of these partners' connections wait from here
 * on.
 */
export async function recordRestaurantChange(
  sql: Sql,
  clock: Clock,
  origin: ChangeOrigin,
  restaurantGuid: string,
): Promise<void> {
  const kind = 'RESTAURANT_EDITED';
  const positions = [];
  for (const before of await listLiveConnectionsLocked(sql, restaurantGuid)) {
    const position = await updatePartnerCounter(sql, before.partnerGuid, kind);
    positions.push({ before, position });
  }
  // Read under the partners' locks, as for any other change.
  const at = new Date(clock.nowMs());
  await updateConnectionsModified(sql, restaurantGuid, at);
  for (const { before, position } of positions) {
    const { partnerGuid } = before;
    const change = { restaurantGuid, partnerGuid, kind, before, position } as const;
    await recordConnectionChange(sql, { ...origin, at }, change);
  }
}
