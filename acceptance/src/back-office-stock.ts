import type { Client, DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';

/** A StockItem as the tests read it. */
export interface StockItem {
  guid: string;
  name: string;
  sku: string | null;
  plu: string | null;
  status: string;
  quantity: number | null;
  until: string | null;
  lastChange: { guid: string; cause: string; by: string } | null;
}

/** A StockChange as the tests read it. */
export interface StockChange {
  guid: string;
  itemGuid: string;
  cause: string;
  at: string;
  by: string;
  byName: string | null;
  before: { status: string };
  after: { status: string; until: string | null };
}

/** How one item is to be set; it is named in any way. */
export type StockSetting = Readonly<Record<string, string | number | null>>;

/** The stock of one restaurant by the back office. */
export class BackOfficeStock {
  readonly client: Client;
  readonly restaurantGuid: string;

  constructor(client: Client, restaurantGuid: string) {
    this.client = client;
    this.restaurantGuid = restaurantGuid;
  }

  /** Opens that of the operator at the first restaurant of the demo group. */
  static async open(callers: DemoCallers): Promise<BackOfficeStock> {
    const [restaurantGuid] = openRestaurants(callers.platform.demo);
    return new BackOfficeStock(await callers.as('operator'), restaurantGuid);
  }

  /** All items that fit the query, up to 200. */
  async list(query: Readonly<Record<string, string | number>> = {}): Promise<StockItem[]> {
    const { results } = (await this.#get('list', { pageSize: 200, ...query })) as {
      results: StockItem[];
    };
    return results;
  }

  /** Sets items; gives them as they are then. */
  async set(...changes: readonly StockSetting[]): Promise<StockItem[]> {
    const options = { params: { restaurantGuid: this.restaurantGuid }, json: { changes } };
    return (await this.client.call('backOffice.stock.set', 200, options)).json as StockItem[];
  }

  /** The newest changes that fit the query, up to 200. */
  async history(query: Readonly<Record<string, string>> = {}): Promise<StockChange[]> {
    const { results } = (await this.#get('history', { pageSize: 200, ...query })) as {
      results: StockChange[];
    };
    return results;
  }

  /** How an item that nobody else of a test uses is not yet set. */
  async nextSetting(): Promise<StockSetting> {
    const item = (await this.list()).at(-1);
    if (!item) throw new Error('the demo restaurant has no items');
    return { guid: item.guid, status: 'QUANTITY', quantity: (item.quantity ?? 0) + 1 };
  }

  /** Makes a new change of that item; gives its guid. */
  async change(): Promise<string> {
    const [set] = await this.set(await this.nextSetting());
    return String(set?.lastChange?.guid);
  }

  /** Undoes a change, with the status that this has to be answered by. */
  async undo(changeGuid: string, status = 200): Promise<unknown> {
    const params = { restaurantGuid: this.restaurantGuid, changeGuid };
    return (await this.client.call('backOffice.stock.undo', status, { params })).json;
  }

  /** What ran out on the present business day. */
  async ranOut(query: Readonly<Record<string, string | number>> = {}): Promise<unknown> {
    return this.#get('ranOut', query);
  }

  async #get(name: string, query: Readonly<Record<string, string | number>>): Promise<unknown> {
    const options = { params: { restaurantGuid: this.restaurantGuid }, query };
    return (await this.client.call(`backOffice.stock.${name}`, 200, options)).json;
  }
}
