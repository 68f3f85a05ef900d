import type { MenuItemInventory } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import type { Database, Sql } from '../database/database.ts';
import type { StockLevel } from './level.ts';
import type { ItemRow } from './store.ts';

/** How a request names an item, in the letters it used. At least one of the two is set. */
export interface ItemIdentifier {
  readonly guid: string | null;
  readonly multiLocationId: string | null;
}

/** What an identifier names at a restaurant. */
export type Resolution<Item extends ItemRow> =
  | { readonly kind: 'item'; readonly item: Item }
  /** No item, or an archived one: not an error, the element is `INVALID` (decisions STK-3). */
  | { readonly kind: 'invalid' }
  /** `guid` and `multiLocationId` do not name the same item (decisions STK-6). */
  | { readonly kind: 'contradiction' };

/** Lists items of a restaurant with one of the identifiers. */
type ListItems<Item> = (
  sql: Sql,
  restaurantGuid: string,
  guids: readonly string[],
  multiLocationIds: readonly string[],
) => Promise<Item[]>;

/**
 * The items that the identifiers name, archived ones too, as `list` reads them; asks nothing when
 * there are none.
 */
export async function listNamedItems<Item>(
  database: Database,
  restaurantGuid: string,
  identifiers: readonly ItemIdentifier[],
  list: ListItems<Item>,
): Promise<Item[]> {
  const guids = identifiers.map(canonicalGuid).filter((guid) => guid !== null);
  const multiLocationIds = identifiers
    .map(({ multiLocationId }) => multiLocationId)
    .filter((multiLocationId) => multiLocationId !== null);
  if (guids.length === 0 && multiLocationIds.length === 0) return [];
  return list(database.sql, restaurantGuid, guids, multiLocationIds);
}

/** Makes a function that tells which of the items an identifier names (decisions STK-3, STK-6). */
export function itemResolver<Item extends ItemRow>(
  items: readonly Item[],
): (wanted: ItemIdentifier) => Resolution<Item> {
  const byGuid = new Map(items.map((item) => [item.guid, item]));
  const byMultiLocationId = new Map(items.map((item) => [item.multiLocationId, item]));
  return (wanted) => {
    const { multiLocationId } = wanted;
    const guid = canonicalGuid(wanted);
    const named = guid === null ? undefined : byGuid.get(guid);
    const alsoNamed = multiLocationId === null ? undefined : byMultiLocationId.get(multiLocationId);
    if (guid !== null && multiLocationId !== null && named !== alsoNamed) {
      return { kind: 'contradiction' };
    }
    const item = named ?? alsoNamed;
    return !item || item.archived ? { kind: 'invalid' } : { kind: 'item', item };
  };
}

/** The stock that the database has for an item; without a row it is in stock. */
export function levelOf(item: ItemRow): StockLevel {
  return { status: item.status ?? 'IN_STOCK', quantity: item.quantity };
}

/** The wire form of an item with its stock (decisions STK-4). */
export function validElement(item: ItemRow, level: StockLevel): MenuItemInventory {
  return {
    guid: item.guid,
    multiLocationId: item.multiLocationId,
    versionId: item.guid,
    status: level.status,
    quantity: level.quantity === null ? null : Number(level.quantity),
    itemGuidValidity: 'VALID',
  };
}

/** The wire form of an identifier that names no item: kept as it was asked for (decisions STK-3). */
export function invalidElement(wanted: ItemIdentifier): MenuItemInventory {
  return {
    guid: wanted.guid,
    multiLocationId: wanted.multiLocationId,
    versionId: wanted.guid,
    status: 'OUT_OF_STOCK',
    quantity: null,
    itemGuidValidity: 'INVALID',
  };
}

/** The letters in which the database has the GUID of an identifier; null when it has none. */
export function canonicalGuid(identifier: ItemIdentifier): string | null {
  return identifier.guid === null ? null : parseGuid(identifier.guid);
}
