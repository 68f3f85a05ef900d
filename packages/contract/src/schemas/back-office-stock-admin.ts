import type { Static } from 'typebox';
import {
  answer,
  choice,
  dateTime,
  decimal,
  flag,
  limits,
  line,
  list,
  orNull,
  request,
  text,
  uuid,
  whole,
} from './field.ts';
import { pageOf } from './page.ts';
import { stockElementsAtMost, stockStatuses } from './stock.ts';
import { Type } from './type.ts';

const status = choice(
  'IN_STOCK: no limit. QUANTITY: limited; quantity holds what remains. OUT_OF_STOCK: ' +
    'the item cannot be selected for an order.',
  stockStatuses,
);

const stateFields = {
  status,
  quantity: orNull(
    decimal('Remaining portions if status is QUANTITY; null for other statuses.', {
      exclusiveMinimum: 0,
    }),
  ),
  until: orNull(
    dateTime(
      'When the item automatically returns to stock; null if it returns only when somebody changes ' +
        'it.',
    ),
  ),
};

const by = text('A client id, `person:` and a GUID, or `system:` and a name.');
const byName = orNull(text('The name of that client or person; null for the system.'));
const cause = choice(
  'SET: somebody set the stock. UNDO: somebody undid a change. RESTORED: the until ' +
    'time was reached. IMPORT: a group document set the stock. ORDER: an order used stock. ' +
    'ORDER_VOID: a void in an order returned stock.',
  ['SET', 'UNDO', 'RESTORED', 'IMPORT', 'ORDER', 'ORDER_VOID'],
);

export const LastStockChange = answer('The newest change to the stock of an item.', {
  guid: uuid('The change; use this to undo it.'),
  cause,
  at: dateTime('When it happened, by the clock of the environment.'),
  by,
  byName,
});
export type LastStockChange = Static<typeof LastStockChange>;

const itemFields = {
  name: text('Name of the item.'),
  sku: orNull(text('Stock keeping unit; null if not set.')),
  plu: orNull(text('Price look-up code; null if not set.')),
};

export const StockItem = answer('A published menu item with its stock.', {
  guid: uuid('The item.'),
  multiLocationId: text('Shared by all versions of an item that is offered at several locations.'),
  ...itemFields,
  ...stateFields,
  lastChange: orNull(LastStockChange, 'Null if the history of the item is empty.'),
});
export type StockItem = Static<typeof StockItem>;

export const StockItemPage = answer(
  'One page of the stock of a restaurant.',
  pageOf(StockItem, 'The items, sorted by name.'),
);
export type StockItemPage = Static<typeof StockItemPage>;

const identifier = (description: string) => Type.Optional(orNull(line(description)));

export const StockSetting = request(
  'New stock of one item. Name the item in one way, or in several ways that all name ' +
    'the same item.',
  {
    guid: Type.Optional(orNull(uuid('The item.'))),
    multiLocationId: identifier(
      'Shared by all versions of an item that is offered at several locations.',
    ),
    sku: identifier('Its stock keeping unit.'),
    plu: identifier('Its price look-up code.'),
    name: identifier('Its name. Case and surrounding spaces do not matter.'),
    status,
    quantity: Type.Optional(
      orNull(
        decimal(
          'Remaining portions. Required with QUANTITY: greater than 0, with at most 12 digits ' +
            'before and 4 after the decimal point. Null or left out with other statuses.',
          { minimum: 0, '~must': 'be a number greater than 0' },
        ),
      ),
    ),
    until: Type.Optional(
      orNull(
        text(
          'Only with OUT_OF_STOCK: when the item automatically returns to stock. Either a ' +
            'future ISO 8601 instant, or `closeOut` for the end of the business day of the ' +
            'restaurant.',
          { examples: ['2026-02-01T09:00:00.000Z', 'closeOut'], ...limits.instant },
        ),
      ),
    ),
  },
  // A list that was read may be sent back.
  ['lastChange'],
);
export type StockSetting = Static<typeof StockSetting>;

export const SetStock = request('The items to set, with their new stock.', {
  changes: list(StockSetting, 'All items are set, or none.', { maxItems: stockElementsAtMost }),
});
export type SetStock = Static<typeof SetStock>;

export const StockState = answer('The stock of an item at one moment.', stateFields);
export type StockState = Static<typeof StockState>;

export const StockChange = answer('One change to the stock of an item.', {
  guid: uuid('The change.'),
  itemGuid: uuid('The item.'),
  itemName: orNull(text('Current name of the item; null if the item is gone.')),
  version: whole('Number of the change among the changes to the item.', { minimum: 1 }),
  cause,
  before: StockState,
  after: StockState,
  at: dateTime('When it happened, by the clock of the environment.'),
  by,
  byName,
  requestId: orNull(uuid('The request that made the change; null if there was none.')),
  undoes: orNull(uuid('The change that this one undid; null unless the cause is UNDO.')),
  undoneBy: orNull(uuid('The change that undid this one; null if it was not undone.')),
});
export type StockChange = Static<typeof StockChange>;

export const StockChangePage = answer(
  'One page of the stock history.',
  pageOf(StockChange, 'The changes, newest first.'),
);
export type StockChangePage = Static<typeof StockChangePage>;

export const RanOutItem = answer('An item that ran out on a business day.', {
  itemGuid: uuid('The item.'),
  itemName: orNull(text('Current name of the item; null if the item is gone.')),
  at: dateTime('When it ran out; if it ran out more than once, the last time.'),
  by,
  byName,
  changeGuid: uuid('The change that made it run out.'),
  isStillOut: flag('Whether it is out of stock now.'),
  until: orNull(
    dateTime(
      'When the item automatically returns to stock; null if it returns only when somebody changes ' +
        'it.',
    ),
  ),
  backAt: orNull(dateTime('When it returned to stock; null if it has not.')),
});
export type RanOutItem = Static<typeof RanOutItem>;

export const RanOutPage = answer('One page of the items that ran out on a business day.', {
  date: text('The business day, named by the date on which it starts.', { format: 'date' }),
  from: dateTime('When the day starts: at the closeout of the previous day.'),
  to: dateTime('When the day ends: at its own closeout.'),
  ...pageOf(RanOutItem, 'The items, the most recent to run out first.'),
});
export type RanOutPage = Static<typeof RanOutPage>;
