import { stockElementsAtMost } from '@servery/contract';
import type { Database } from '../../database/database.ts';
import { listInTurns } from '../../http/list-in-turns.ts';
import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import {
  type ItemIdentifier,
  invalidElement,
  itemResolver,
  levelOf,
  listNamedItems,
  validElement,
} from '../items.ts';
import { listItems } from '../store.ts';

export interface SearchStockDeps {
  readonly database: Database;
}

export const searchStockHandler =
  ({ database }: SearchStockDeps): HandlerOf<'stock.search'> =>
  async (request) => {
    const wanted = identifiersOf(request);
    const items = await listNamedItems(database, request.restaurant.guid, wanted, listItems);
    const resolve = itemResolver(items);
    return await listInTurns(wanted, (identifier) => {
      const found = resolve(identifier);
      return found.kind === 'item'
        ? validElement(found.item, levelOf(found.item))
        : invalidElement(identifier);
    });
  };

/** `guids` first; keeps duplicates. */
function identifiersOf({ body, faults }: RequestFor<'stock.search'>): ItemIdentifier[] {
  const { guids = null, multiLocationIds = null } = body;
  if (guids === null && multiLocationIds === null) {
    faults.addMissing([], 'names no items: send guids, multiLocationIds, or both');
  }
  const identifiers = [
    ...(guids ?? []).map((guid) => ({ guid, multiLocationId: null })),
    ...(multiLocationIds ?? []).map((multiLocationId) => ({ guid: null, multiLocationId })),
  ];
  if (identifiers.length > stockElementsAtMost) {
    const count = identifiers.length;
    faults.add([], `has ${count} identifiers; at most ${stockElementsAtMost} are allowed`);
  }
  faults.refuse();
  return identifiers;
}
