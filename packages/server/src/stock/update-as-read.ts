import { CommitUnknownError } from '@servery/postgres/database.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database } from '../database/database.ts';
import { stampOf } from '../freshness/freshness.ts';
import { bucketOf } from '../freshness/subjects.ts';
import type { MadeChange } from './change-store.ts';
import { levelOf } from './items.ts';
import { KnownItems, type KnownStock } from './known-items.ts';
import { entryOf } from './record.ts';
import type { StockLevel } from './rules.ts';
import type { ItemToChange } from './store.ts';
import { raisedAsOf, updateStockAsRead } from './update-store.ts';

/** An item as it was read, and the level that it shall have. */
export interface WantedLevel {
  readonly item: ItemToChange;
  readonly level: StockLevel;
}

/** What updates lean on. */
export interface UpdateDeps {
  readonly database: Database;
  /** What was left of stock by the updates of this process. */
  readonly knownStock: KnownStock;
}

/** Where the items to be updated come from. */
export interface UpdateSource {
  readonly restaurantGuid: string;
  /** What is known of the restaurant; null when nothing is. */
  readonly known: KnownItems | null;
  /** Whether the items are those that are known, rather than read. */
  readonly isGuess: boolean;
}

/**
 * Gives items of a restaurant their levels in one round trip, if its stock still is as it was read;
 * an item that has its level already keeps its `until`. False when that is not sure, and nothing
 * was done or nobody knows what: whoever then does the same in a transaction that raises the
 * counter leaves it done once, because what is still under way finds the counter raised. A guess
 * that leaves nothing to change is not sure.
 */
export async function updateAsRead(
  { database, knownStock }: UpdateDeps,
  { restaurantGuid, known, isGuess }: UpdateSource,
  wanted: readonly WantedLevel[],
  origin: ChangeOrigin,
): Promise<boolean> {
  const asOf = wanted[0]?.item.asOf ?? null;
  if (asOf === null) return false;
  const { freshness } = database;
  const bucket = bucketOf(`stock:${restaurantGuid}`);
  const changes = wanted.flatMap(changeOf);
  if (changes.length === 0) {
    if (isGuess) return false;
    // The caller is told what was read just now, and then remembers nothing that is older.
    freshness.changed([bucket]);
    return true;
  }
  const read = { restaurantGuid, asOf, changes, entry: entryOf(restaurantGuid, changes) };
  try {
    const raised = await database.transaction((sql) => updateStockAsRead(sql, origin, read), {
      isOneTrip: true,
    });
    const [mark] = raised;
    if (!mark) return false;
    freshness.committed([bucket], raised);
    const value = known ?? new KnownItems();
    value.learn(asOf, raisedAsOf(restaurantGuid, asOf, mark), wanted.map(itemAfter));
    const subjects = [`stock:${restaurantGuid}`, `configuration:${restaurantGuid}`] as const;
    knownStock.put(restaurantGuid, { value, stamp: stampOf(freshness.begin(), subjects) });
    return true;
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) throw error;
    freshness.doubt([bucket]);
    return false;
  }
}

/** How an item is once it has its level. */
function itemAfter({ item, level: { status, quantity } }: WantedLevel): ItemToChange {
  const isSameStatus = levelOf(item).status === status;
  return {
    ...item,
    status: status === 'IN_STOCK' ? null : status,
    quantity,
    until: isSameStatus ? item.until : null,
  };
}

/** The change that gives an item its level; none when it has it. */
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
