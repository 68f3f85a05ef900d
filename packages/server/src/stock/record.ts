import { nextTurn, partsOf } from '@servery/support/runner.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import {
  queueRestaurantEvents,
  type RestaurantNews,
} from '../webhooks/delivery/queue-restaurant-events.ts';
import {
  type ChangeReason,
  findIsRecorded,
  type MadeChange,
  type StockState,
  updateStock,
  type WantedState,
} from './change-store.ts';
import { stockNews } from './stock-events.ts';
import { updateReadStock } from './update-store.ts';

/**
 * `sql` must hold the restaurant's lock. Writes each change to the history, one entry to the audit
 * log, and events for partners, unless the caller tells them later with its own `news`. `states`
 * must have each item once.
 */
export async function recordStock(
  sql: Sql,
  origin: ChangeOrigin,
  restaurantGuid: string,
  states: readonly WantedState[],
  reason: ChangeReason,
  news?: RestaurantNews[],
): Promise<MadeChange[]> {
  if (states.length === 0) return [];
  const changes: MadeChange[] = [];
  for (const part of partsOf(states)) {
    changes.push(...(await updateStock(sql, restaurantGuid, part, origin, reason)));
  }
  const entry = entryOf(restaurantGuid, changes);
  await nextTurn();
  if (changes.length > 0) await insertEntry(sql, origin, entry);
  const own = stockNews(sql, restaurantGuid, origin.at, changes, reason.cause);
  if (news) news.push(...own);
  else await queueRestaurantEvents(sql, ...own);
  return changes;
}

/**
 * The same, in one round trip, for changes of what was read under the restaurant's lock. Nothing may
 * be written that is the same as before. The news is there at once.
 */
export async function recordReadStock(
  sql: Sql,
  origin: ChangeOrigin,
  restaurantGuid: string,
  changes: readonly MadeChange[],
  reason: ChangeReason,
  news: RestaurantNews[],
): Promise<void> {
  if (changes.length === 0) return;
  news.push(...stockNews(sql, restaurantGuid, origin.at, changes, reason.cause));
  const entry = entryOf(restaurantGuid, changes);
  await updateReadStock(sql, origin, restaurantGuid, changes, { ...reason, entry });
}

/** For a lost COMMIT: all changes are in the database or none. */
export async function isRecorded(
  sql: Sql,
  restaurantGuid: string,
  [first]: readonly MadeChange[],
): Promise<boolean> {
  return !first || (await findIsRecorded(sql, restaurantGuid, first.guid));
}

/** One entry for all items: a list can be long, and the history has the details. */
export function entryOf(restaurantGuid: string, changes: readonly MadeChange[]) {
  const documentOf = (stateOf: (change: MadeChange) => StockState) =>
    Object.fromEntries(changes.map((change) => [change.itemGuid, stateOf(change)]));
  return {
    subject: { kind: 'stock', id: restaurantGuid },
    restaurantGuid,
    before: documentOf(stateBefore),
    after: documentOf(stateAfter),
  } as const;
}

export function stateBefore(
  change: Pick<MadeChange, 'statusBefore' | 'quantityBefore' | 'untilBefore'>,
): StockState {
  const { statusBefore: status, quantityBefore: quantity, untilBefore: until } = change;
  return { status, quantity, until };
}

export function stateAfter(
  change: Pick<MadeChange, 'statusAfter' | 'quantityAfter' | 'untilAfter'>,
): StockState {
  const { statusAfter: status, quantityAfter: quantity, untilAfter: until } = change;
  return { status, quantity, until };
}
