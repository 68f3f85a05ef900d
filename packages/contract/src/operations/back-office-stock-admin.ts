import { choices, text, trimmed, uuid } from '../schemas/field.ts';
import { stockElementsAtMost, stockStatuses } from '../schemas/stock.ts';
import { Type } from '../schemas/type.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { bodyBytesAtMost, operation } from './operation.ts';
import { guid, instantParameter, pageParameters } from './parameters.ts';

const restaurantGuid = guid('The restaurant.');
const stock = {
  interface: 'backOffice',
  tag: 'Stock of restaurants',
  restaurant: 'restaurantInPath',
  params: { restaurantGuid },
} as const;
const reading = { ...stock, method: 'GET', scope: 'stock.admin:read' } as const;
const writing = { ...stock, method: 'POST', scope: 'stock.admin:write' } as const;
const path = `${prefix}/restaurants/{restaurantGuid}/stock`;

export const stockAdminOperations = [
  operation({
    ...reading,
    id: 'backOffice.stock.list',
    path,
    summary: 'List the stock of a restaurant',
    description:
      'Returns pages of every published item of the restaurant with its stock, sorted by ' +
      'name. Archived items are not listed.',
    query: {
      status: Type.Optional(
        choices('Only items with one of these statuses, separated by commas.', stockStatuses, {
          example: 'OUT_OF_STOCK,QUANTITY',
        }),
      ),
      name: Type.Optional(
        trimmed('Only items with this text in their name. Case does not matter.', {
          maxLength: 100,
          example: 'soup',
        }),
      ),
      ...pageParameters('Items'),
    },
    response: single('StockItemPage'),
  }),
  operation({
    ...writing,
    id: 'backOffice.stock.set',
    path,
    summary: 'Set the stock of items',
    description:
      'Sets every item in the list, all or none, and returns the new stock in the order of the ' +
      'list. Each item is named by guid, multiLocationId, sku, plu, or name. If the list has ' +
      'any fault, nothing changes, and errors names every fault. If several items have the ' +
      'same name, errors lists the candidates. If the list names an item twice, the last ' +
      'element counts. At most 5,000 elements. You can also prepare the stock of an archived ' +
      'restaurant. Partners do not see it until the restaurant is unarchived.',
    requestBody: json('SetStock', bodyBytesAtMost),
    response: { schema: 'StockItem', array: true, maxItems: stockElementsAtMost },
    also: [422],
  }),
  operation({
    ...reading,
    id: 'backOffice.stock.history',
    path: `${path}/history`,
    summary: 'List stock changes',
    description:
      'Returns pages of stock changes, newest first: who changed which item, from what to what. ' +
      'It includes changes from the back office, partners, the clock, and imports.',
    query: {
      item: Type.Optional(
        uuid('Only changes to this item.', { example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35' }),
      ),
      by: Type.Optional(
        trimmed('Only changes by this client or person, in the form that the responses use.', {
          maxLength: 200,
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000070',
        }),
      ),
      from: instantParameter('Only changes at this time or later.'),
      to: instantParameter('Only changes before this time.'),
      ...pageParameters('Changes'),
    },
    response: single('StockChangePage'),
  }),
  operation({
    ...writing,
    id: 'backOffice.stock.undo',
    path: `${path}/history/{changeGuid}/undo`,
    summary: 'Undo a stock change',
    description:
      'Restores the stock that the item had before the change, and returns the item. If ' +
      'the item has changed since, this is a conflict that says what its stock is now. An ' +
      'undo is a change too, and you can undo it. Takes no body.',
    params: { restaurantGuid, changeGuid: guid('The change.') },
    response: single('StockItem'),
    also: [409],
  }),
  operation({
    ...reading,
    id: 'backOffice.stock.ranOut',
    path: `${path}/ranOut`,
    summary: 'List the items that ran out on a day',
    description:
      'Returns pages of the items that ran out on a business day of the restaurant, the ' +
      'most recent first: when, by whom, and whether they are still out. A business day ' +
      'starts and ends at the closeout hour. A change that was undone does not count.',
    query: {
      date: Type.Optional(
        text(
          'The business day, named by the date on which it starts. Default: the current ' +
            'business day.',
          {
            format: 'date',
            example: '2026-01-31',
          },
        ),
      ),
      ...pageParameters('Items'),
    },
    response: single('RanOutPage'),
  }),
] as const;
