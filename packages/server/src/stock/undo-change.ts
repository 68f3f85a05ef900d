import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { commitOrReadBack } from '../http/read-back.ts';
import { type ChangeToUndo, findChangeToUndo, type StockState } from './change-store.ts';
import { isRecorded, recordStock, stateBefore } from './record.ts';
import { findRestaurantForUpdate } from './store.ts';

/**
 * Drops an `until` that has passed: the item then stays until the next change. Throws ApiError
 * `notFound` for an unknown change; `conflict` when it is not the item's newest, the item is
 * archived, or nothing would change; `unavailable` when the outcome of COMMIT is unknown.
 */
export async function undoChange(
  database: Database,
  restaurantGuid: string,
  changeGuid: string,
  origin: ChangeOrigin,
): Promise<string> {
  const run = async (sql: Sql) => {
    await findRestaurantForUpdate(sql, restaurantGuid);
    const change = await findChangeToUndo(sql, restaurantGuid, changeGuid);
    if (!change) throw noSuchChange();
    refuseUndo(change);
    const { itemGuid } = change;
    const before = stateBefore(change);
    const isPassed = before.until !== null && before.until <= origin.at;
    const state = { itemGuid, ...before, until: isPassed ? null : before.until };
    const reason = { cause: 'UNDO', undoes: changeGuid } as const;
    const made = await recordStock(sql, origin, restaurantGuid, [state], reason);
    if (made.length === 0) throw nothingToUndo(change);
    return { made, itemGuid };
  };
  const { itemGuid } = await commitOrReadBack(database, run, ({ made }) =>
    isRecorded(database.sql, restaurantGuid, made),
  );
  return itemGuid;
}

export function noSuchChange(): ApiError {
  return new ApiError(
    'notFound',
    'The history of this restaurant has no such change: check changeGuid in the path.',
  );
}

function refuseUndo(change: ChangeToUndo): void {
  if (change.newestVersion !== change.version) {
    const { newestAt, newestBy, newestGuid } = change;
    throw new ApiError(
      'conflict',
      `The stock of the item has changed since: it is ${described(change)} now, by change ` +
        `${newestGuid} of ${newestBy} at ${newestAt.toISOString()}. Undo that one, or set the ` +
        'item.',
    );
  }
  if (change.isLive) return;
  throw new ApiError(
    'conflict',
    `The item is archived and its stock is ${described(change)}: it can't change until the item ` +
      'is published again.',
  );
}

function nothingToUndo(change: ChangeToUndo): ApiError {
  return new ApiError(
    'conflict',
    `Nothing is left to undo: the until time before this change has passed, and the item is ` +
      `${described(change)}. Set the stock that you want.`,
  );
}

function described({ status, quantity, until }: StockState): string {
  if (status === 'QUANTITY') return `QUANTITY ${quantity}`;
  return until ? `${status} until ${until.toISOString()}` : status;
}
