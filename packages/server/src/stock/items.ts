import type { MenuItemInventory } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import type { Database, Sql } from '../database/database.ts';
import type { StockLevel } from './level.ts';
import type { ItemRow } from './store.ts';

/** At least one of the two is set. */
export interface ItemIdentifier {
  readonly guid: string | null;
  readonly multiLocationId: string | null;
}

export type Resolution<Item extends ItemRow> =
  | { readonly kind: 'item'; readonly item: Item }
  /** STK-3: no item or an archived one is not an error. */
  | { readonly kind: 'invalid' }
  /** STK-6: `guid` and `multiLocationId` name different items. */
  | { readonly kind: 'contradiction' };

type ListItems<Item> = (
  sql: Sql,
  restaurantGuid: string,
  guids: readonly string[],
  multiLocationIds: readonly string[],
) => Promise<Item[]>;

/** Includes archived items. Skips the query without identifiers. */
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

/** An item without a row is in stock. */
export function levelOf(item: ItemRow): StockLevel {
  return { status: item.status ?? 'IN_STOCK', quantity: item.quantity };
}

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

/** STK-3: repeats the identifier as it was sent. */
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

function canonicalGuid(identifier: ItemIdentifier): string | null {
  return identifier.guid === null ? null : parseGuid(identifier.guid);
}
