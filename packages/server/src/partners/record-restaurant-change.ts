import type { Clock } from '@servery/support/clock.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { updatePartnerEventPosition } from './change-store.ts';
import { listLiveConnectionsLocked } from './connection-store.ts';
import { recordConnectionChange } from './record-change.ts';
import { updateConnectionsModified } from './write-store.ts';

/** What the lists of a partner say of a restaurant (decisions PTN-5). */
export interface ListedRestaurant {
  readonly name: string;
  readonly locationName: string | null;
  readonly managementGroupGuid: string;
  readonly archived: boolean;
}

/** Whether the lists of a partner say the same of a restaurant before and after a change. */
export function isListedAlike(before: ListedRestaurant, after: ListedRestaurant): boolean {
  return (
    before.name === after.name &&
    before.locationName === after.locationName &&
    before.managementGroupGuid === after.managementGroupGuid &&
    before.archived === after.archived
  );
}

/**
 * Dates the live connections of a restaurant whose listed fields a transaction has changed, and
 * writes that down as any change of a connection: each partner is told (PTN-7). The transaction has
 * locked the restaurant. Call it last: from here on every other change of these partners'
 * connections waits.
 */
export async function recordRestaurantChange(
  sql: Sql,
  clock: Clock,
  origin: ChangeOrigin,
  restaurantGuid: string,
): Promise<void> {
  const positions = [];
  for (const before of await listLiveConnectionsLocked(sql, restaurantGuid)) {
    positions.push({ before, position: await updatePartnerEventPosition(sql, before.partnerGuid) });
  }
  // Read once nobody else can write an event of these partners, as for any other change.
  const at = new Date(clock.nowMs());
  await updateConnectionsModified(sql, restaurantGuid, at);
  for (const { before, position } of positions) {
    const { partnerGuid } = before;
    const change = { restaurantGuid, partnerGuid, before, position };
    await recordConnectionChange(sql, { ...origin, at }, { ...change, kind: 'RESTAURANT_EDITED' });
  }
}
