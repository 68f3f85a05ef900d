import { randomBytes } from 'node:crypto';
import type {
  MenuItemInventory,
  OperationId,
  RanOutItem,
  StockChange,
  StockItem,
} from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault, type Vault } from '@servery/support/secret.ts';
import type { Database } from '../../src/database/database.ts';
import type { Caller, RestaurantContext } from '../../src/http/operation.ts';
import type { ZeroQuantity } from '../../src/stock/level.ts';
import { officeStockHandlers } from '../../src/stock/office/handlers.ts';
import { stockHandlers } from '../../src/stock/partner/handlers.ts';
import { createStockRestoration, type RestoreDeps } from '../../src/stock/restore.ts';
import type { DoneWork } from '../../src/support/due-work.ts';
import { idleCaches } from '../freshness/caches.ts';
import { callOperation, principal, type TestAnswer } from '../request.ts';
import { insertObject, insertRestaurant, type ObjectParts } from '../rows.ts';

/** What a test says of the restaurant; the rest is filled in. */
export interface StockFixtureParts {
  readonly timeZone?: string;
  readonly closeoutHour?: number;
  /** ISO 8601: where the clock stands. */
  readonly now?: string;
  readonly zeroQuantity?: ZeroQuantity;
  readonly group?: string;
}

/** A restaurant of its own for one test, its stock as the back office and a partner see it, and a clock that a test moves. */
export interface StockFixture {
  readonly restaurant: RestaurantContext;
  readonly clock: FixedClock;
  readonly vault: Vault;
  readonly operator: Caller;
  readonly partner: Caller;
  /** What the restoration needs; a test may replace parts of it. */
  readonly restoreDeps: RestoreDeps;
  /** Inserts a menu item; gives its guid. */
  item(
    name: string,
    fields?: Readonly<Record<string, unknown>>,
    parts?: ObjectParts,
  ): Promise<string>;
  archive(itemGuid: string): Promise<void>;
  list(query?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  set(changes: unknown, by?: Caller): Promise<TestAnswer>;
  /** Sets one item, which has to work; gives it as it is then. */
  put(guid: string, status: string, more?: object, by?: Caller): Promise<StockItem>;
  history(query?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  changes(query?: Readonly<Record<string, string>>): Promise<StockChange[]>;
  undo(changeGuid: string, by?: Caller): Promise<TestAnswer>;
  ranOut(query?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  ranOutItems(query?: Readonly<Record<string, string>>): Promise<RanOutItem[]>;
  partnerList(query?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  partnerSearch(body: unknown): Promise<TestAnswer>;
  partnerUpdate(body: unknown): Promise<TestAnswer>;
  /** GUID and status, with the quantity if there is one, of what a partner is listed. */
  partnerListed(): Promise<string[]>;
  /** Status, quantity and until of an item as one text. */
  state(guid: string): Promise<string>;
  /** Does what is due by the clock. */
  restore(isSequential?: boolean): Promise<DoneWork[]>;
}

/** Opens a new restaurant without items, at 12:00 UTC on 1 March 2026 unless told else. */
export async function openStockFixture(
  database: Database,
  parts: StockFixtureParts = {},
): Promise<StockFixture> {
  const { timeZone = 'America/Chicago', closeoutHour = 4, zeroQuantity = 'reject' } = parts;
  const opened = await insertRestaurant(database.sql, parts.group ? { group: parts.group } : {});
  const restaurant = { ...opened, timeZone };
  await database.sql`
    update restaurant set time_zone = ${timeZone}, closeout_hour = ${closeoutHour}
    where guid = ${restaurant.guid}`;
  const clock = new FixedClock(Date.parse(parts.now ?? '2026-03-01T12:00:00.000Z'));
  const vault = createVault(randomBytes(32));
  const operator = principal({ type: 'BACK_OFFICE' });
  const partner = principal();
  const caches = idleCaches(database);
  const deps = { ...caches, database, vault, clock, realClock: clock, zeroQuantity };
  const handlers = { ...officeStockHandlers(deps), ...stockHandlers(deps) };
  const call = (id: OperationId, more: object, caller: Caller = operator) =>
    callOperation(handlers, id, { restaurant, caller, nowMs: clock.nowMs(), ...more });
  const warn = (facts: { readonly err: unknown }) => {
    throw facts.err;
  };
  const restoreDeps = { ...deps, log: { warn } as RestoreDeps['log'] };
  const set = (changes: unknown, by?: Caller) =>
    call('backOffice.stock.set', { body: { changes } }, by);
  const history = (query = {}) => call('backOffice.stock.history', { query });
  const partnerList = (query = {}) => call('stock.list', { query }, partner);
  const ranOut = (query = {}) => call('backOffice.stock.ranOut', { query });
  return {
    restaurant,
    clock,
    vault,
    operator,
    partner,
    restoreDeps,
    item: (name, fields = {}, more = {}) =>
      insertObject(database.sql, restaurant.guid, 'menuItems', {
        fields: { name, ...fields },
        ...more,
      }),
    archive: async (itemGuid) => {
      await database.sql`update configuration_object set archived = true where guid = ${itemGuid}`;
    },
    list: (query = {}) => call('backOffice.stock.list', { query }),
    set,
    put: async (guid, status, more = {}, by = operator) => {
      const { status: answered, body } = await set([{ guid, status, ...more }], by);
      if (answered !== 200) throw new Error(`${answered}: ${body.message}`);
      return body[0];
    },
    history,
    changes: async (query) => (await history(query)).body.results,
    undo: (changeGuid, by) => call('backOffice.stock.undo', { params: { changeGuid } }, by),
    ranOut,
    ranOutItems: async (query) => (await ranOut(query)).body.results,
    partnerList,
    partnerSearch: (body) => call('stock.search', { body, principal: partner }, partner),
    partnerUpdate: (body) => call('stock.update', { body, principal: partner }, partner),
    partnerListed: async () => {
      const { body } = await partnerList();
      return body.map(({ guid, status, quantity }: MenuItemInventory) =>
        [guid, status, quantity].filter((part) => part !== null).join(' '),
      );
    },
    state: async (guid) => {
      const [row] = await database.sql<{ status: string; quantity: string; until: Date | null }[]>`
        select status, trim_scale(quantity)::text as quantity, until from stock
        where restaurant_guid = ${restaurant.guid} and item_guid = ${guid}`;
      const shown = [row?.status, row?.quantity, row?.until?.toISOString()];
      return row ? shown.filter((part) => part).join(' ') : 'IN_STOCK';
    },
    restore: (isSequential = false) =>
      createStockRestoration(restoreDeps).runDue(clock.nowMs(), { isSequential }),
  };
}
