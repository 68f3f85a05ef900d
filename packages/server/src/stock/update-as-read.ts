import { CommitUnknownError } from '@servery/postgres/database.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database } from '../database/database.ts';
import { bucketOf } from '../freshness/subjects.ts';
import type { MadeChange } from './change-store.ts';
import { levelOf } from './items.ts';
import type { StockLevel } from './level.ts';
import { entryOf } from './record.ts';
import type { ItemToChange } from './store.ts';
import { updateStockAsRead } from './update-store.ts';

export interface WantedLevel {
  readonly item: ItemToChange;
  readonly level: StockLevel;
}

/**
 * One round trip, only if the stock is still as it was read and no partner wants its events;
 * unchanged items keep their `until`.
 * False when that failed or is unknown, or in a cluster. It is then safe to repeat the change in a transaction that
 * raises the counter: the first try would find the counter raised.
 */
export async function updateAsRead(
  database: Database,
  restaurantGuid: string,
  wanted: readonly WantedLevel[],
  origin: ChangeOrigin,
): Promise<boolean> {
  const asOf = wanted[0]?.item.asOf;
  const { freshness } = database;
  if (asOf === undefined || freshness.isOfCluster()) return false;
  const bucket = bucketOf(`stock:${restaurantGuid}`);
  const changes = wanted.flatMap(changeOf);
  if (changes.length === 0) {
    // The caller gets the fresh state and then remembers nothing older.
    freshness.changed([bucket]);
    return true;
  }
  const read = { restaurantGuid, asOf, changes, entry: entryOf(restaurantGuid, changes) };
  try {
    const raised = await database.transaction((sql) => updateStockAsRead(sql, origin, read), {
      isOneTrip: true,
    });
    if (raised.length === 0) return false;
    freshness.committed([bucket], raised);
    return true;
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) throw error;
    freshness.doubt([bucket]);
    return false;
  }
}

function changeOf({ item, level }: WantedLevel): MadeChange[] {
  const before = levelOf(item);
  const isSameStatus = before.status === level.status;
  // Both are the shortest spelling of the number.
  if (isSameStatus && before.quantity === level.quantity) return [];
  return [
    {
      itemGuid: item.guid,
      guid: newGuid(),
      statusBefore: before.status,
      quantityBefore: before.quantity,
      untilBefore: item.until,
      statusAfter: level.status,
      quantityAfter: level.quantity,
      untilAfter: isSameStatus ? item.until : null,
    },
  ];
}
