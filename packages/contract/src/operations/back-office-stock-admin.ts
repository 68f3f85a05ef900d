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
      'Answers every published item of the restaurant with its stock, by pages in the order of ' +
      'names. Items that are archived are not listed.',
    query: {
      status: Type.Optional(
        choices('Only items of one of these statuses, separated by commas.', stockStatuses, {
          example: 'OUT_OF_STOCK,QUANTITY',
        }),
      ),
      name: Type.Optional(
        trimmed('Only items with this text in their name; upper and lower case do not matter.', {
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
      'Sets every item of the list, at once or not at all, and answers them in its order as they ' +
      'are then. Each is named by guid, multiLocationId, sku, plu or name. When anything is ' +
      'wrong with the list nothing is changed, and errors names every fault in it, with the ' +
      'candidates where several items have the name. Of one item twice the last one counts. At ' +
      'most 5,000. An archived restaurant is made ready in the same way; no partner sees its ' +
      'stock until it is unarchived.',
    requestBody: json('SetStock', bodyBytesAtMost),
    response: { schema: 'StockItem', array: true, maxItems: stockElementsAtMost },
    also: [422],
  }),
  operation({
    ...reading,
    id: 'backOffice.stock.history',
    path: `${path}/history`,
    summary: 'List the changes of stock',
    description:
      'Answers who changed the stock of which item, from what to what, whichever way it came: ' +
      'the back office, a partner, the clock, an import. By pages, the newest first.',
    query: {
      item: Type.Optional(
        uuid('Only changes of this item.', { example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35' }),
      ),
      by: Type.Optional(
        trimmed('Only changes by this client or person, written as in the answers.', {
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
    summary: 'Undo a change of stock',
    description:
      'Gives the item the stock that it had before the change, and answers it as it is then. ' +
      'Once the item has changed since, this is a conflict that says how it is now. An undo is a ' +
      'change too, and can be undone. Takes no body.',
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
      'Answers the items that ran out on a business day of the restaurant, which begins and ends ' +
      'at its close-out hour: when, by whom, and whether they are still out. A change that was ' +
      'undone does not count. By pages, the one that ran out last first.',
    query: {
      date: Type.Optional(
        text('The business day, by the date on which it begins; the present one without it.', {
          format: 'date',
          example: '2026-01-31',
        }),
      ),
      ...pageParameters('Items'),
    },
    response: single('RanOutPage'),
  }),
] as const;
