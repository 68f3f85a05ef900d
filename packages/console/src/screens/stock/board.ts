import { signal } from '@preact/signals';
import type { StockChange, StockItem, StockSetting } from '@servery/contract';
import { call } from '../../platform/session.ts';

/** A menu with the items of each of its groups, in their order. */
export interface MenuSection {
  readonly guid: string;
  readonly name: string;
  readonly groups: readonly { readonly guid: string; readonly name: string; items: string[] }[];
}

const PAGE = 200;
/** Beyond them, a search asks the platform: nobody scrolls through more tiles. */
const PAGES = 10;
const CHANGES_PAGE = 50;
const CHANGES_PAGES = 5;

/** The stock of one restaurant, kept up by its history: each change is seen once, and none is missed. */
export class Board {
  readonly items = signal<ReadonlyMap<string, StockItem>>(new Map());
  readonly menus = signal<readonly MenuSection[]>([]);
  /** False if the restaurant has more items than are here. */
  readonly isWhole = signal(true);
  readonly #restaurantGuid: string;
  readonly #onChange: (change: StockChange) => void;
  #newest: string | null = null;
  #isLoaded = false;

  /** `onChange` hears of what others changed. */
  constructor(restaurantGuid: string, onChange: (change: StockChange) => void) {
    this.#restaurantGuid = restaurantGuid;
    this.#onChange = onChange;
  }

  /** Reads all at first, and from then on what has changed. */
  async refresh(): Promise<void> {
    if (!this.#isLoaded) return await this.#load();
    const changes = await this.#readChanges();
    if (changes === null) return await this.#load();
    for (const change of changes) this.#apply(change);
  }

  async #load(): Promise<void> {
    // The history first: what changes while the items are read is applied to them again.
    const { results } = await this.#history(1);
    await Promise.all([this.#loadItems(), this.#loadMenus()]);
    this.#newest = results[0]?.guid ?? null;
    this.#isLoaded = true;
  }

  async #loadItems(): Promise<void> {
    const [all, special] = await Promise.all([
      this.#pages({}),
      this.#pages({ status: ['OUT_OF_STOCK', 'QUANTITY'] }),
    ]);
    this.isWhole.value = all.isWhole;
    this.items.value = new Map([...all.items, ...special.items].map((item) => [item.guid, item]));
  }

  async #pages(filter: { status?: StockItem['status'][] }) {
    const items: StockItem[] = [];
    let pageToken: string | undefined;
    for (let page = 0; page < PAGES; page += 1) {
      const query = { ...filter, pageSize: PAGE, pageToken };
      const answer = await call('backOffice.stock.list', { params: this.#params(), query });
      items.push(...answer.results);
      pageToken = answer.nextPageToken ?? undefined;
      if (pageToken === undefined) return { items, isWhole: true };
    }
    return { items, isWhole: false };
  }

  /** Asks for items that may not be here. */
  async search(name: string): Promise<void> {
    if (this.isWhole.peek() || name === '') return;
    const query = { name, pageSize: PAGE };
    const { results } = await call('backOffice.stock.list', { params: this.#params(), query });
    const found = results.map((item) => [item.guid, item] as const);
    this.items.value = new Map([...this.items.peek(), ...found]);
  }

  async #loadMenus(): Promise<void> {
    const [menus, groups] = await Promise.all([
      this.#objects('menus'),
      this.#objects('menuGroups'),
    ]);
    const byGuid = new Map(groups.map((group) => [String(group.guid), group]));
    this.menus.value = menus.map((menu) => ({
      guid: String(menu.guid),
      name: String(menu.name),
      groups: listOf(menu.groups).flatMap((guid) => sectionsOf(guid, byGuid, new Set())),
    }));
  }

  async #objects(collection: 'menus' | 'menuGroups'): Promise<readonly Published[]> {
    const found: Published[] = [];
    let pageToken: string | undefined;
    for (let page = 0; page < PAGES; page += 1) {
      const params = { ...this.#params(), collection };
      const query = { archived: false, pageSize: PAGE, pageToken };
      const answer = await call('backOffice.configuration.objects.list', { params, query });
      found.push(
        ...answer.results.flatMap(({ published }) => (published ? [published as Published] : [])),
      );
      pageToken = answer.nextPageToken ?? undefined;
      if (pageToken === undefined) break;
    }
    return found;
  }

  /** What is new, oldest first; null if that is more than can be followed. */
  async #readChanges(): Promise<readonly StockChange[] | null> {
    const changes: StockChange[] = [];
    let pageToken: string | undefined;
    for (let page = 0; page < CHANGES_PAGES; page += 1) {
      const answer = await this.#history(CHANGES_PAGE, pageToken);
      const known = answer.results.findIndex(({ guid }) => guid === this.#newest);
      changes.push(...(known < 0 ? answer.results : answer.results.slice(0, known)));
      pageToken = answer.nextPageToken ?? undefined;
      if (known >= 0 || (pageToken === undefined && this.#newest === null)) {
        this.#newest = changes[0]?.guid ?? this.#newest;
        return changes.reverse();
      }
      if (pageToken === undefined) return null;
    }
    return null;
  }

  async #history(pageSize: number, pageToken?: string) {
    return await call('backOffice.stock.history', {
      params: this.#params(),
      query: { pageSize, pageToken },
    });
  }

  #apply(change: StockChange): void {
    const item = this.items.peek().get(change.itemGuid);
    // What this page did itself is here already.
    if (!item || item.lastChange?.guid === change.guid) return;
    const { guid, cause, at, by, byName, after } = change;
    this.#put({ ...item, ...after, lastChange: { guid, cause, at, by, byName } });
    this.#onChange(change);
  }

  /** Returns the item as it is then. */
  async set(setting: StockSetting): Promise<StockItem> {
    const [item] = await call('backOffice.stock.set', {
      params: this.#params(),
      body: { changes: [setting] },
    });
    if (!item) throw new Error('The platform set nothing.');
    this.#put(item);
    return item;
  }

  async undo(changeGuid: string): Promise<StockItem> {
    const params = { ...this.#params(), changeGuid };
    const item = await call('backOffice.stock.undo', { params });
    this.#put(item);
    return item;
  }

  #put(item: StockItem): void {
    this.items.value = new Map([...this.items.peek(), [item.guid, item]]);
  }

  #params() {
    return { restaurantGuid: this.#restaurantGuid };
  }
}

type Published = Readonly<Record<string, unknown>>;

/** A group and the groups below it, each with its own items. */
function sectionsOf(
  guid: string,
  groups: ReadonlyMap<string, Published>,
  seen: Set<string>,
): { guid: string; name: string; items: string[] }[] {
  const group = groups.get(guid);
  if (!group || seen.has(guid)) return [];
  seen.add(guid);
  const items = listOf(group.items);
  const own = items.length > 0 ? [{ guid, name: String(group.name), items }] : [];
  return [...own, ...listOf(group.subgroups).flatMap((child) => sectionsOf(child, groups, seen))];
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
