import type {
  LastStockChange,
  RanOutItem,
  StockChange,
  StockItem,
  StockState as StockStateOnWire,
} from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { StockState } from '../change-store.ts';
import type { ChangeRow, RanOutRow } from '../history-store.ts';
import type { StockItemRow } from '../item-store.ts';
import { stateAfter, stateBefore } from '../record.ts';

/** An item with its stock as the contract writes it. */
export function itemOnWire(row: StockItemRow): StockItem {
  const { guid, multiLocationId, name, sku, plu } = row;
  return { guid, multiLocationId, name, sku, plu, ...stateOnWire(row), lastChange: lastOf(row) };
}

function lastOf(row: StockItemRow): LastStockChange | null {
  const { changeGuid: guid, cause, changedAt, changedBy: by, changedByName: byName } = row;
  // The four of a change are there together or not at all.
  if (guid === null || cause === null || changedAt === null || by === null) return null;
  return { guid, cause, at: isoTimestamp(changedAt), by, byName };
}

/** A change as the contract writes it. */
export function changeOnWire(row: ChangeRow): StockChange {
  const { guid, itemGuid, itemName, version, cause, by, byName } = row;
  const { requestId, undoes, undoneBy } = row;
  return {
    guid,
    itemGuid,
    itemName,
    version,
    cause,
    before: stateOnWire(stateBefore(row)),
    after: stateOnWire(stateAfter(row)),
    at: isoTimestamp(row.at),
    by,
    byName,
    requestId,
    undoes,
    undoneBy,
  };
}

/** An item that ran out, as the contract writes it. */
export function ranOutOnWire({ guid, at, until, backAt, ...row }: RanOutRow): RanOutItem {
  return {
    ...row,
    changeGuid: guid,
    at: isoTimestamp(at),
    until: until && isoTimestamp(until),
    backAt: backAt && isoTimestamp(backAt),
  };
}

function stateOnWire({ status, quantity, until }: StockState): StockStateOnWire {
  return {
    status,
    quantity: quantity === null ? null : Number(quantity),
    until: until && isoTimestamp(until),
  };
}
