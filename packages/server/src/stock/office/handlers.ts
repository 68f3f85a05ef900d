import type { HandlersOf } from '../../http/operation.ts';
import { stockHistoryHandler } from './history.ts';
import { listStockItemsHandler } from './list.ts';
import { ranOutHandler } from './ran-out.ts';
import { type SetStockDeps, setStockHandler } from './set.ts';
import type { CachedListDeps } from './stock-answers.ts';
import { type UndoStockDeps, undoStockHandler } from './undo.ts';

export type OfficeStockDeps = CachedListDeps & SetStockDeps & UndoStockDeps;

export const officeStockHandlers = (deps: OfficeStockDeps): HandlersOf<'backOffice.stock.'> => ({
  'backOffice.stock.list': listStockItemsHandler(deps),
  'backOffice.stock.set': setStockHandler(deps),
  'backOffice.stock.history': stockHistoryHandler(deps),
  'backOffice.stock.undo': undoStockHandler(deps),
  'backOffice.stock.ranOut': ranOutHandler(deps),
});
