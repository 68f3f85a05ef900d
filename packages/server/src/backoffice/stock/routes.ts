import type { Clock } from '@servery/support/clock.ts';
import { parseGuid } from '@servery/support/ids.ts';
import { nextTurn, partsOf } from '@servery/support/runner.ts';
import type { Vault } from '@servery/support/secret.ts';
import { originOf } from '../../audit/origin.ts';
import type { Database } from '../../database/database.ts';
import { listInTurns } from '../../http/list-in-turns.ts';
import { type ListPosition, readListQuery, readPageSize } from '../../http/list-query.ts';
import type {
  Answer,
  BackOfficeRestaurantRequest,
  OperationHandlers,
} from '../../http/operation.ts';
import { answerPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { BusinessDay } from '../../payments/due/close-out.ts';
import { findRestaurant } from '../../restaurants/store.ts';
import { type BusinessDaySpan, businessDayOf, businessDayOn } from '../../stock/business-day.ts';
import { type ChangePlace, listChanges, listRanOut } from '../../stock/history-store.ts';
import {
  listStockItems,
  listStockItemsByGuid,
  type StockItemPlace,
  type StockItemRow,
} from '../../stock/item-store.ts';
import type { ZeroQuantity } from '../../stock/rules.ts';
import { setStock } from '../../stock/set.ts';
import { readSettings } from '../../stock/settings.ts';
import { noSuchChange, undoChange } from '../../stock/undo.ts';
import { changeOnWire, itemOnWire, ranOutOnWire } from './present.ts';
import {
  changeParameters,
  itemParameters,
  ranOutParameters,
  readChangeFilter,
  readDate,
  readItemFilter,
} from './read-query.ts';

/** What the back office's operations on stock lean on. */
export interface BackOfficeStockDeps {
  readonly database: Database;
  readonly realClock: Clock;
  /** Authenticates page tokens. */
  readonly vault: Vault;
  /** The switch `stock.zeroQuantity` (decisions STK-7). */
  readonly zeroQuantity: ZeroQuantity;
}

type ItemPosition = ListPosition<(typeof itemParameters)[number], StockItemPlace>;
type ChangePosition = ListPosition<(typeof changeParameters)[number], ChangePlace>;
type RanOutPosition = ListPosition<(typeof ranOutParameters)[number], ChangePlace>;
type StockOperationId = `backOffice.stock.${'list' | 'set' | 'history' | 'undo' | 'ranOut'}`;

/** The operations of the back office on stock by any name, and its history. */
export function backOfficeStockHandlers(
  deps: BackOfficeStockDeps,
): Pick<OperationHandlers, StockOperationId> {
  const { sql } = deps.database;
  const itemTokens = pageTokens<ItemPosition>(deps.vault, 'backOffice.stock');
  const changeTokens = pageTokens<ChangePosition>(deps.vault, 'backOffice.stock.history');
  const ranOut = ranOutHandler(deps);
  return {
    'backOffice.stock.list': ({ query: sent, restaurant: { guid } }) =>
      answerPage(sent, {
        names: itemParameters,
        tokens: itemTokens,
        list: (query, after, limit) =>
          listStockItems(sql, guid, readItemFilter(query), after, limit),
        placeOf: ({ sortName, guid: itemGuid }) => ({ sortName, guid: itemGuid }),
        onWire: itemOnWire,
      }),
    'backOffice.stock.set': async (request) => {
      const { guid } = request.restaurant;
      const list = readSettings(request.body, deps.zeroQuantity);
      // Each step takes some milliseconds for a long list.
      await nextTurn();
      const set = await setStock(deps, guid, list, originOf(request, deps.realClock));
      const items = await itemsByGuid(deps, guid, set);
      await nextTurn();
      const listed = set.flatMap((itemGuid) => items.get(itemGuid) ?? []);
      return await listInTurns(listed, itemOnWire);
    },
    'backOffice.stock.history': ({ query: sent, restaurant: { guid } }) =>
      answerPage(sent, {
        names: changeParameters,
        tokens: changeTokens,
        list: (query, after, limit) =>
          listChanges(sql, guid, readChangeFilter(query), after, limit),
        placeOf,
        onWire: changeOnWire,
      }),
    'backOffice.stock.undo': async (request) => {
      const { guid } = request.restaurant;
      const changeGuid = parseGuid(request.params.changeGuid ?? '');
      if (changeGuid === null) throw noSuchChange();
      const origin = originOf(request, deps.realClock);
      const itemGuid = await undoChange(deps, guid, changeGuid, origin);
      const item = (await itemsByGuid(deps, guid, [itemGuid])).get(itemGuid);
      if (!item) throw noSuchChange();
      return { json: itemOnWire(item) };
    },
    'backOffice.stock.ranOut': ranOut,
  };
}

/** The pages of a day: those that follow are of the same one, even when it is over by then. */
function ranOutHandler({ database: { sql }, vault }: BackOfficeStockDeps) {
  const tokens = pageTokens<RanOutPosition>(vault, 'backOffice.stock.ranOut');
  return async (request: BackOfficeRestaurantRequest): Promise<Answer> => {
    const { guid } = request.restaurant;
    const { query, after } = readListQuery(ranOutParameters, request.query, tokens);
    const pageSize = readPageSize(query.pageSize);
    const restaurant = await findRestaurant(sql, guid);
    if (!restaurant) throw new Error('a restaurant that was admitted is gone');
    const day = dayOf(query.date, restaurant, request.nowMs);
    const span = { from: new Date(day.fromMs), to: new Date(day.toMs) };
    const rows = await listRanOut(sql, guid, span, after, pageSize + 1);
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    const position = { ...query, date: day.date };
    return {
      json: {
        date: day.date,
        from: isoTimestamp(span.from),
        to: isoTimestamp(span.to),
        results: shown.map(ranOutOnWire),
        nextPageToken: last ? tokens.seal({ query: position, after: placeOf(last) }) : null,
      },
    };
  };
}

function dayOf(date: string | undefined, restaurant: BusinessDay, nowMs: number): BusinessDaySpan {
  if (date === undefined) return businessDayOf(nowMs, restaurant);
  return businessDayOn(readDate(date), restaurant);
}

function placeOf({ at, guid }: { readonly at: Date; readonly guid: string }): ChangePlace {
  return { at: at.toISOString(), guid };
}

async function itemsByGuid(
  { database: { sql } }: BackOfficeStockDeps,
  restaurantGuid: string,
  guids: readonly string[],
): Promise<ReadonlyMap<string, StockItemRow>> {
  const items = new Map<string, StockItemRow>();
  for (const part of partsOf(guids)) {
    for (const row of await listStockItemsByGuid(sql, restaurantGuid, part)) {
      items.set(row.guid, row);
    }
  }
  return items;
}
