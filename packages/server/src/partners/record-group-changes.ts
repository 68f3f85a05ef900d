import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { type ConnectionChangeKind, updatePartnerCounter } from './change-store.ts';
import { type ConnectionView, listGroupConnectionsLocked } from './connection-store.ts';
import { recordConnectionChange } from './record-change.ts';

export interface GroupBefore {
  /** Read after the restaurants were locked. */
  readonly connections: readonly ConnectionView[];
  /** Restaurants whose listed fields changed. */
  readonly isToldAnew: ReadonlySet<string>;
}

/**
 * PTN-7: writes the timelines, the partners' events and the audit log. Call it last: other changes
 * of these partners' connections wait from here on.
 */
export async function recordGroupChanges(
  sql: Sql,
  groupGuid: string,
  { connections, isToldAnew }: GroupBefore,
  origin: ChangeOrigin,
): Promise<void> {
  const known = new Map(connections.map((connection) => [keyOf(connection), connection]));
  // In the partner order that `updatePartnerCounter` requires.
  for (const after of await listGroupConnectionsLocked(sql, groupGuid)) {
    const was = known.get(keyOf(after)) ?? null;
    const kind = kindOf(was, after, isToldAnew.has(after.restaurantGuid));
    if (kind === null) continue;
    const { restaurantGuid, partnerGuid } = after;
    const position = await updatePartnerCounter(sql, partnerGuid, kind);
    const change = { restaurantGuid, partnerGuid, kind, before: was, position };
    await recordConnectionChange(sql, origin, change);
  }
}

function keyOf({ restaurantGuid, partnerGuid }: ConnectionView): string {
  return `${restaurantGuid} ${partnerGuid}`;
}

/** Null when the partner sees no difference. */
function kindOf(
  before: ConnectionView | null,
  after: ConnectionView,
  isToldAnew: boolean,
): ConnectionChangeKind | null {
  const wasLive = before !== null && before.removedAt === null;
  const isLive = after.removedAt === null;
  if (wasLive !== isLive) return isLive ? 'CONNECTED' : 'DISCONNECTED';
  if (!wasLive) return null;
  if (said(before) !== said(after)) return 'EDITED';
  if (isToldAnew) return 'RESTAURANT_EDITED';
  return dates(before) === dates(after) ? null : 'EDITED';
}

function said({ externalGroupRef, externalRestaurantRef, ...connection }: ConnectionView): string {
  const { firstName, lastName, email, phone } = connection;
  const employee = [firstName, lastName, email, phone];
  return JSON.stringify([externalGroupRef, externalRestaurantRef, employee]);
}

function dates({ createdAt, modifiedAt }: ConnectionView): string {
  return JSON.stringify([createdAt, modifiedAt]);
}
