import type { LastStockChange, StockItem, StockState as StockStateOnWire } from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { StockState } from '../change-store.ts';
import type { StockItemRow } from '../item-store.ts';

export function itemOnWire(row: StockItemRow): StockItem {
  const { guid, multiLocationId, name, sku, plu } = row;
  return { guid, multiLocationId, name, sku, plu, ...stateOnWire(row), lastChange: lastOf(row) };
}

function lastOf(row: StockItemRow): LastStockChange | null {
  const { changeGuid: guid, cause, changedAt, changedBy: by, changedByName: byName } = row;
  // A change has all four or none.
  if (guid === null || cause === null || changedAt === null || by === null) return null;
  return { guid, cause, at: isoTimestamp(changedAt), by, byName };
}

export function stateOnWire({ status, quantity, until }: StockState): StockStateOnWire {
  return {
    status,
    quantity: quantity === null ? null : Number(quantity),
    until: until && isoTimestamp(until),
  };
}
