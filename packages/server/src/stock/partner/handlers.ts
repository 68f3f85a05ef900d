import type { HandlersOf } from '../../http/operation.ts';
import { type ListStockDeps, listStockHandler } from './list.ts';
import { type SearchStockDeps, searchStockHandler } from './search.ts';
import { type UpdateStockDeps, updateStockHandler } from './update.ts';

export const stockHandlers = (
  deps: ListStockDeps & SearchStockDeps & UpdateStockDeps,
): HandlersOf<'stock.'> => ({
  'stock.list': listStockHandler(deps),
  'stock.search': searchStockHandler(deps),
  'stock.update': updateStockHandler(deps),
});
