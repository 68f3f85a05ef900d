import type { MenuItemInventory } from '@servery/contract';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import type { Faults } from '../http/faults.ts';
import { commitOrReadBack } from '../http/read-back.ts';
import {
  type ItemIdentifier,
  invalidElement,
  itemResolver,
  listNamedItems,
  validElement,
} from './items.ts';
import type { StockLevel } from './level.ts';
import { isRecorded, recordStock } from './record.ts';
import { findRestaurantForUpdate, type ItemToChange, listItemsToChange } from './store.ts';
import { updateAsRead, type WantedLevel } from './update-as-read.ts';

export interface StockChange {
  readonly item: ItemIdentifier;
  readonly level: StockLevel;
}

/**
 * All or nothing, with one element per change in the order of the request. STK-3, STK-5: unknown
 * items return `INVALID`; the last change of an item wins. Unchanged items keep their `until`.
 * Throws 400 when a change names two items (STK-6), and 503 when the outcome of COMMIT is unknown.
 */
export async function applyChanges(
  { database }: { readonly database: Database },
  restaurantGuid: string,
  changes: readonly StockChange[],
  origin: ChangeOrigin,
  faults: Faults,
): Promise<MenuItemInventory[]> {
  const identifiers = changes.map((change) => change.item);
  const items = await listNamedItems(database, restaurantGuid, identifiers, listItemsToChange);
  const { wanted, elements } = planOf(changes, items, faults);
  faults.refuse('Nothing was changed.');
  await store(database, restaurantGuid, wanted, origin);
  return elements;
}

interface Plan {
  readonly wanted: readonly WantedLevel[];
  readonly elements: MenuItemInventory[];
}

function planOf(
  changes: readonly StockChange[],
  items: readonly ItemToChange[],
  faults: Faults,
): Plan {
  const resolve = itemResolver(items);
  const resolutions = changes.map((change) => resolve(change.item));
  for (const [index, { kind }] of resolutions.entries()) {
    if (kind === 'contradiction') faults.add([index], CONTRADICTION);
  }
  const wanted = new Map<string, WantedLevel>();
  for (const [index, { level }] of changes.entries()) {
    const resolution = resolutions[index];
    if (resolution?.kind !== 'item') continue;
    wanted.set(resolution.item.guid, { item: resolution.item, level });
  }
  const elements = changes.map((change, index) => {
    const resolution = resolutions[index];
    const item = resolution?.kind === 'item' ? resolution.item : null;
    const level = item && wanted.get(item.guid)?.level;
    return item && level ? validElement(item, level) : invalidElement(change.item);
  });
  return { wanted: [...wanted.values()], elements };
}

const CONTRADICTION =
  'guid and multiLocationId do not name the same item: send one of them, or a pair that does';

async function store(
  database: Database,
  restaurantGuid: string,
  wanted: readonly WantedLevel[],
  origin: ChangeOrigin,
): Promise<void> {
  if (wanted.length === 0) return;
  if (await updateAsRead(database, restaurantGuid, wanted, origin)) return;
  const rows = wanted.map(({ item: { guid }, level }) => ({
    itemGuid: guid,
    ...level,
    until: null,
  }));
  const run = async (sql: Sql) => {
    // Sent together, run in this order: the update sees what the lock waited for.
    const locked = findRestaurantForUpdate(sql, restaurantGuid);
    const reason = { cause: 'SET', keepsUntil: true } as const;
    const recorded = recordStock(sql, origin, restaurantGuid, rows, reason);
    const [, made] = await Promise.all([locked, recorded]);
    return made;
  };
  await commitOrReadBack(database, run, (made) => isRecorded(database.sql, restaurantGuid, made));
}
