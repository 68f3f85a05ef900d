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
    summary: 'List limited and missing items',
    description:
      'Answers the items whose status is QUANTITY or OUT_OF_STOCK, by guid. Items in stock are ' +
      'never listed.',
    scope: 'stock:read',
    query: {
      status: Type.Optional(
        choice('Only items of this status.', ['OUT_OF_STOCK', 'QUANTITY'], {
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
      'Answers one element for each identifier, in the order asked, guids first. An identifier ' +
      'that matches no item comes back with itemGuidValidity INVALID. At most 5,000 identifiers.',
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
      'Sets the status of every item in the list, at once or not at all, and answers in the ' +
      'order of the list. An identifier that matches no item comes back with itemGuidValidity ' +
      'INVALID and does not stop the others. At most 5,000 elements.',
    scope: 'stock:write',
    requestBody: json({
      schema: 'MenuItemInventoryUpdate',
      array: true,
      maxItems: stockElementsAtMost,
    }),
  }),
] as const;
