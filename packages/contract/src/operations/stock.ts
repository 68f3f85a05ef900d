import { choice } from '../schemas/field.ts';
import { stockElementsAtMost } from '../schemas/stock.ts';
import { Type } from '../schemas/type.ts';
import { type Body, operation } from './operation.ts';

const common = {
  interface: 'stock',
  tag: 'Stock',
  restaurant: 'header',
  response: { schema: 'MenuItemInventory', array: true },
} as const;

const json = <const Content extends Body>(body: Content) =>
  ({ ...body, contentTypes: ['application/json'], required: true }) as const;

export const stockOperations = [
  operation({
    ...common,
    id: 'stock.list',
    method: 'GET',
    path: '/stock/v1/inventory',
    summary: 'List items that are limited or out of stock',
    description:
      'Returns the items with the status QUANTITY or OUT_OF_STOCK, sorted by guid. Items ' +
      'in stock are never listed.',
    scope: 'stock:read',
    query: {
      status: Type.Optional(
        choice('Only items with this status.', ['OUT_OF_STOCK', 'QUANTITY'], {
          example: 'OUT_OF_STOCK',
          '~emptyIsAbsent': true,
        }),
      ),
    },
  }),
  operation({
    ...common,
    id: 'stock.search',
    method: 'POST',
    path: '/stock/v1/inventory/search',
    summary: 'Look up the stock of items',
    description:
      'Returns one element for each identifier, in the order of the request, guids first. ' +
      'An identifier that matches no item has itemGuidValidity INVALID. At most 5,000 ' +
      'identifiers.',
    scope: 'stock:read',
    requestBody: json({ schema: 'InventorySearchRequest', array: false }),
  }),
  operation({
    ...common,
    id: 'stock.update',
    method: 'PUT',
    path: '/stock/v1/inventory/update',
    summary: 'Set the stock of items',
    description:
      'Sets the status of every item in the list, all or none, and returns the elements in ' +
      'the order of the list. An identifier that matches no item has itemGuidValidity ' +
      'INVALID and does not stop the others. At most 5,000 elements.',
    scope: 'stock:write',
    requestBody: json({
      schema: 'MenuItemInventoryUpdate',
      array: true,
      maxItems: stockElementsAtMost,
    }),
  }),
] as const;
