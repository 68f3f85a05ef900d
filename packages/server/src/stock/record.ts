import { newGuid } from '@servery/support/ids.ts';
import { nextTurn, partsOf } from '@servery/support/runner.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import {
  type ItemState,
  type MadeChange,
  type StockCause,
  type StockState,
  updateStock,
} from './change-store.ts';

/** What an item becomes; its change gets a guid of its own. */
export type WantedState = Omit<ItemState, 'changeGuid'>;

/** Why stock changes. */
export interface ChangeReason {
  readonly cause: StockCause;
  /** The change that is undone, with the cause `UNDO`. */
  readonly undoes?: string;
  /** True for those who know no `until`: what is as they want it keeps its own. */
  readonly keepsUntil?: boolean;
}

/**
 * Gives each item its state in the transaction `sql`, which holds the restaurant, and writes down
 * what changed: each change into the history of stock, all of them as one entry into the record of
 * changes. Gives what changed. An item may stand in `states` only once.
 */
export async function recordStock(
  sql: Sql,
  origin: ChangeOrigin,
  restaurantGuid: string,
  states: readonly WantedState[],
  { cause, undoes = undefined, keepsUntil = false }: ChangeReason,
): Promise<MadeChange[]> {
  if (states.length === 0) return [];
  const { by, requestId, at } = origin;
  const numbered = states.map((state) => ({ ...state, changeGuid: newGuid() }));
  const reason = { cause, by, requestId, at, undoes: undoes ?? null, keepsUntil };
  const changes: MadeChange[] = [];
  for (const part of partsOf(numbered)) {
    changes.push(...(await updateStock(sql, restaurantGuid, part, reason)));
  }
  const entry = entryOf(restaurantGuid, changes);
  await nextTurn();
  if (changes.length > 0) await insertEntry(sql, origin, entry);
  return changes;
}

/**
 * What the record of changes says of changes of stock. One entry tells of all items: a list can be
 * long, and the history has each of them apart.
 */
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

/** How the item was before a change. */
export function stateBefore(
  change: Pick<MadeChange, 'statusBefore' | 'quantityBefore' | 'untilBefore'>,
): StockState {
  const { statusBefore: status, quantityBefore: quantity, untilBefore: until } = change;
  return { status, quantity, until };
}

/** How the item was after a change. */
export function stateAfter(
  change: Pick<MadeChange, 'statusAfter' | 'quantityAfter' | 'untilAfter'>,
): StockState {
  const { statusAfter: status, quantityAfter: quantity, untilAfter: until } = change;
  return { status, quantity, until };
}
