import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../../audit/origin.ts';
import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { findStockItems } from '../item-store.ts';
import { noSuchChange, undoChange } from '../undo-change.ts';
import { itemOnWire } from './on-wire.ts';

export interface UndoStockDeps {
  readonly database: Database;
  readonly realClock: Clock;
}

export const undoStockHandler =
  ({ database, realClock }: UndoStockDeps): HandlerOf<'backOffice.stock.undo'> =>
  async (request) => {
    const { restaurant, params } = request;
    const origin = originOf(request, realClock);
    const itemGuid = await undoChange(database, restaurant.guid, params.changeGuid, origin);
    const item = (await findStockItems(database.sql, restaurant.guid, [itemGuid])).get(itemGuid);
    if (!item) throw noSuchChange();
    return { json: itemOnWire(item) };
  };
