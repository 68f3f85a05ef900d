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
  'IN_STOCK: no limit. QUANTITY: limited, what remains is in quantity. OUT_OF_STOCK: the item ' +
    'cannot be selected for an order.',
  stockStatuses,
);

const stateFields = {
  status,
  quantity: orNull(
    decimal('Portions that remain when status is QUANTITY; null for the other two.', {
      exclusiveMinimum: 0,
    }),
  ),
  until: orNull(
    dateTime('When the clock puts the item back in stock; null when only a change does.'),
  ),
};

const by = text('A client id, `person:` and a GUID, or `system:` and a name.');
const byName = orNull(text('What that client or person is called; null for the system.'));
const cause = choice(
  'SET: somebody set it. UNDO: somebody undid a change. RESTORED: its until was reached. IMPORT: ' +
    'a group document said it.',
  ['SET', 'UNDO', 'RESTORED', 'IMPORT'],
);

export const LastStockChange = answer('The newest change of the stock of an item.', {
  guid: uuid('The change; what undoes it takes this.'),
  cause,
  at: dateTime('When it happened, by the clock of the environment.'),
  by,
  byName,
});
export type LastStockChange = Static<typeof LastStockChange>;

const itemFields = {
  name: text('Name of the item.'),
  sku: orNull(text('Stock keeping unit; null when not set.')),
  plu: orNull(text('Price look-up code; null when not set.')),
};

export const StockItem = answer('A published menu item with its stock.', {
  guid: uuid('The item.'),
  multiLocationId: text('Shared by all versions of an item that several locations offer.'),
  ...itemFields,
  ...stateFields,
  lastChange: orNull(LastStockChange, 'Null when its history is empty.'),
});
export type StockItem = Static<typeof StockItem>;

export const StockItemPage = answer(
  'One page of the stock of a restaurant.',
  pageOf(StockItem, 'The items, by name.'),
);
export type StockItemPage = Static<typeof StockItemPage>;

const identifier = (description: string) => Type.Optional(orNull(line(description)));

export const StockSetting = request(
  'New stock of one item, named in one way, or in several that all name the same item.',
  {
    guid: Type.Optional(orNull(uuid('The item.'))),
    multiLocationId: identifier('Shared by all versions of an item that several locations offer.'),
    sku: identifier('Its stock keeping unit.'),
    plu: identifier('Its price look-up code.'),
    name: identifier('Its name; upper and lower case and blanks around it do not matter.'),
    status,
    quantity: Type.Optional(
      orNull(
        decimal(
          'Portions that remain: required with QUANTITY and then greater than 0, at most 12 ' +
            'digits before and 4 after the point; left out or null with the other two.',
          { minimum: 0 },
        ),
      ),
    ),
    until: Type.Optional(
      orNull(
        text(
          'Only with OUT_OF_STOCK: when the clock puts the item back in stock. An ISO 8601 ' +
            'instant in the future, or `closeOut` for the end of the business day of the ' +
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

export const SetStock = request('Which items get which stock.', {
  changes: list(StockSetting, 'All are set, or none.', { maxItems: stockElementsAtMost }),
});
export type SetStock = Static<typeof SetStock>;

export const StockState = answer('The stock of an item at one moment.', stateFields);
export type StockState = Static<typeof StockState>;

export const StockChange = answer('One change of the stock of an item.', {
  guid: uuid('The change.'),
  itemGuid: uuid('The item.'),
  itemName: orNull(text('What the item is called now; null when it is gone.')),
  version: whole('Number of the change among those of the item.', { minimum: 1 }),
  cause,
  before: StockState,
  after: StockState,
  at: dateTime('When it happened, by the clock of the environment.'),
  by,
  byName,
  requestId: orNull(uuid('The request that asked for it; null when none did.')),
  undoes: orNull(uuid('The change that it undid; null unless the cause is UNDO.')),
  undoneBy: orNull(uuid('The change that undid it; null while it stands.')),
});
export type StockChange = Static<typeof StockChange>;

export const StockChangePage = answer(
  'One page of the history of stock.',
  pageOf(StockChange, 'The changes, the newest first.'),
);
export type StockChangePage = Static<typeof StockChangePage>;

export const RanOutItem = answer('An item that ran out on a business day.', {
  itemGuid: uuid('The item.'),
  itemName: orNull(text('What the item is called now; null when it is gone.')),
  at: dateTime('When it ran out, the last time if that was more than once.'),
  by,
  byName,
  changeGuid: uuid('The change by which it ran out.'),
  isStillOut: flag('Whether it is out of stock now.'),
  until: orNull(dateTime('When the clock puts it back in stock; null when only a change does.')),
  backAt: orNull(dateTime('When it was there again; null while it was not since.')),
});
export type RanOutItem = Static<typeof RanOutItem>;

export const RanOutPage = answer('One page of the items that ran out on a business day.', {
  date: text('The business day, by the date on which it began.', { format: 'date' }),
  from: dateTime('When it began: at the close-out of the day before.'),
  to: dateTime('When it ends or ended: at its own close-out.'),
  ...pageOf(RanOutItem, 'The items, the one that ran out last first.'),
});
export type RanOutPage = Static<typeof RanOutPage>;
