import type { HandlersOf } from '../../http/operation.ts';
import { type StockHistoryDeps, stockHistoryHandler } from './history.ts';
import { type ListStockItemsDeps, listStockItemsHandler } from './list.ts';
import { type RanOutDeps, ranOutHandler } from './ran-out.ts';
import { type SetStockDeps, setStockHandler } from './set.ts';
import { type UndoStockDeps, undoStockHandler } from './undo.ts';

export type OfficeStockDeps = ListStockItemsDeps &
  SetStockDeps &
  StockHistoryDeps &
  UndoStockDeps &
  RanOutDeps;

export const officeStockHandlers = (deps: OfficeStockDeps): HandlersOf<'backOffice.stock.'> => ({
  'backOffice.stock.list': listStockItemsHandler(deps),
  'backOffice.stock.set': setStockHandler(deps),
  'backOffice.stock.history': stockHistoryHandler(deps),
  'backOffice.stock.undo': undoStockHandler(deps),
  'backOffice.stock.ranOut': ranOutHandler(deps),
});
