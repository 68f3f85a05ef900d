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

export type WantedState = Omit<ItemState, 'changeGuid'>;

export interface ChangeReason {
  readonly cause: StockCause;
  /** Only with the cause `UNDO`. */
  readonly undoes?: string;
  /** True for callers without `until`: unchanged items keep theirs. */
  readonly keepsUntil?: boolean;
}

/**
 * `sql` must hold the restaurant's lock. Writes each change to the history and one entry to the
 * audit log. `states` must have each item once.
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
