import { type Examples, exampleGuid, exampleMultiLocationId, serials } from './example.ts';

const guid = exampleGuid(serials.menuItem);
const who = { by: `person:${exampleGuid(80)}`, byName: 'Ana Lima' };
const lastChange = {
  guid: exampleGuid(81),
  cause: 'SET',
  at: '2026-01-31T18:30:00.000Z',
  ...who,
} as const;
const until = '2026-02-01T09:00:00.000Z';
const state = { status: 'OUT_OF_STOCK', quantity: null, until } as const;

const StockItem = {
  guid,
  multiLocationId: exampleMultiLocationId,
  name: 'Fish tacos',
  sku: 'TACO-03',
  plu: '4011',
  ...state,
  lastChange,
} satisfies Examples<'StockItem'>['StockItem'];

export const stockAdminExamples = {
  StockItem,
  StockItemPage: { results: [StockItem], nextPageToken: null },
  SetStock: {
    changes: [
      { name: 'Fish tacos', status: 'OUT_OF_STOCK', until: 'closeOut' },
      { sku: 'SOUP-01', status: 'QUANTITY', quantity: 12 },
    ],
  },
  StockChangePage: {
    results: [
      {
        guid: lastChange.guid,
        itemGuid: guid,
        itemName: 'Fish tacos',
        version: 3,
        cause: 'SET',
        before: { status: 'QUANTITY', quantity: 2.5, until: null },
        after: state,
        at: lastChange.at,
        ...who,
        requestId: exampleGuid(82),
        undoes: null,
        undoneBy: null,
      },
    ],
    nextPageToken: null,
  },
  RanOutPage: {
    date: '2026-01-31',
    from: '2026-01-31T09:00:00.000Z',
    to: until,
    results: [
      {
        itemGuid: guid,
        itemName: 'Fish tacos',
        at: lastChange.at,
        ...who,
        changeGuid: lastChange.guid,
        isStillOut: true,
        until,
        backAt: null,
      },
    ],
    nextPageToken: null,
  },
} satisfies Examples<'RanOutPage' | 'SetStock' | 'StockChangePage' | 'StockItem' | 'StockItemPage'>;
