import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../db/database.ts';
import { type ConnectionChangeKind, updatePartnerEventPosition } from './change-store.ts';
import { type ConnectionView, listGroupConnectionsLocked } from './connection-store.ts';
import { recordConnectionChange } from './record-change.ts';

/**
 * Writes down what a transaction has changed of the connections of a group: in the timeline of
 * each, in the events of the partners (R7) and in the record of changes. `before` is what
 * `listGroupConnectionsLocked` gave once the restaurants were locked and nothing else was changed.
 * Call it last: from here on every other change of these partners' connections waits.
 */
export async function recordGroupChanges(
  sql: Sql,
  groupGuid: string,
  before: readonly ConnectionView[],
  origin: ChangeOrigin,
): Promise<void> {
  const known = new Map(before.map((connection) => [keyOf(connection), connection]));
  // By partner, as updatePartnerEventPosition asks.
  for (const after of await listGroupConnectionsLocked(sql, groupGuid)) {
    const was = known.get(keyOf(after)) ?? null;
    const kind = kindOf(was, after);
    if (kind === null) continue;
    const { restaurantGuid, partnerGuid } = after;
    const position = await updatePartnerEventPosition(sql, partnerGuid);
    const change = { restaurantGuid, partnerGuid, kind, before: was, position };
    await recordConnectionChange(sql, origin, change);
  }
}

function keyOf({ restaurantGuid, partnerGuid }: ConnectionView): string {
  return `${restaurantGuid} ${partnerGuid}`;
}

/** What happened to a connection; null for nothing that a partner can read. */
function kindOf(before: ConnectionView | null, after: ConnectionView): ConnectionChangeKind | null {
  const wasLive = before !== null && before.removedAt === null;
  const isLive = after.removedAt === null;
  if (wasLive !== isLive) return isLive ? 'CONNECTED' : 'DISCONNECTED';
  return wasLive && told(before) !== told(after) ? 'EDITED' : null;
}

function told(connection: ConnectionView): string {
  const { externalGroupRef, externalRestaurantRef, createdAt, modifiedAt } = connection;
  const { firstName, lastName, email, phone } = connection;
  const employee = [firstName, lastName, email, phone];
  return JSON.stringify([externalGroupRef, externalRestaurantRef, createdAt, modifiedAt, employee]);
}
