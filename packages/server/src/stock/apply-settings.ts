import { nextTurn, partsOf, TURN_ELEMENTS } from '@servery/support/runner.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import type { FaultPath, Faults } from '../http/faults.ts';
import { commitOrReadBack } from '../http/read-back.ts';
import { type BusinessDay, closeOutAfter } from '../payments/due/close-out.ts';
import type { WantedState } from './change-store.ts';
import { type Identification, type ItemFinder, type ItemIdentity, itemFinder } from './identify.ts';
import { listItemIdentities, listItemIdentitiesByKey } from './item-store.ts';
import { isRecorded, recordStock } from './record.ts';
import type { Setting } from './settings.ts';
import { findRestaurantForUpdate } from './store.ts';

const CANDIDATES_SHOWN = 10;

/**
 * All or nothing; returns each setting's item GUID in order. The last setting of an item wins.
 * Throws ApiError with all faults, earlier ones included, and `unavailable` when the outcome of
 * COMMIT is unknown.
 */
export async function applySettings(
  database: Database,
  restaurantGuid: string,
  settings: readonly Setting[],
  origin: ChangeOrigin,
  faults: Faults,
): Promise<string[]> {
  const run = async (sql: Sql) => {
    const businessDay = await findRestaurantForUpdate(sql, restaurantGuid);
    const items = await findItems(sql, restaurantGuid, settings);
    const nowMs = origin.at.getTime();
    const states: (WantedState | null)[] = [];
    for (const part of partsOf(settings)) {
      await nextTurn();
      states.push(...part.map((setting) => stateOf(setting, items, businessDay, nowMs, faults)));
    }
    faults.refuse('Nothing was changed.');
    const wanted = states.filter((state) => state !== null);
    const last = new Map(wanted.map((state) => [state.itemGuid, state]));
    await nextTurn();
    const made = await recordStock(sql, origin, restaurantGuid, [...last.values()], {
      cause: 'SET',
    });
    return { made, itemGuids: wanted.map(({ itemGuid }) => itemGuid) };
  };
  const { itemGuids } = await commitOrReadBack(database, run, ({ made }) =>
    isRecorded(database.sql, restaurantGuid, made),
  );
  return itemGuids;
}

async function findItems(
  sql: Sql,
  restaurantGuid: string,
  settings: readonly Setting[],
): Promise<ItemFinder> {
  const namings = settings.flatMap(({ naming }) => (naming ? [naming] : []));
  const needsAll = namings.some(({ sku, plu, name }) => (sku ?? plu ?? name) !== null);
  const finder = itemFinder();
  if (needsAll) {
    let after: string | null = null;
    do {
      const items = await listItemIdentities(sql, restaurantGuid, after, TURN_ELEMENTS);
      finder.add(items);
      after = items.length < TURN_ELEMENTS ? null : (items.at(-1)?.guid ?? null);
    } while (after !== null);
    return finder;
  }
  for (const part of partsOf(namings)) {
    const guids = part.flatMap(({ guid }) => guid ?? []);
    const multiLocationIds = part.flatMap(({ multiLocationId }) => multiLocationId ?? []);
    finder.add(await listItemIdentitiesByKey(sql, restaurantGuid, { guids, multiLocationIds }));
  }
  return finder;
}

function stateOf(
  { path, naming, level, until }: Setting,
  finder: ItemFinder,
  businessDay: BusinessDay,
  nowMs: number,
  faults: Faults,
): WantedState | null {
  const found = naming && finder.find(naming);
  if (found && found.kind !== 'item') noteFault(found, faults, path);
  const untilMs = until === 'closeOut' ? closeOutAfter(nowMs, businessDay) : (until?.atMs ?? null);
  if (untilMs !== null && untilMs <= nowMs) {
    faults.add([...path, 'until'], 'is not in the future');
  }
  if (found?.kind !== 'item' || !level) return null;
  return {
    itemGuid: found.item.guid,
    ...level,
    until: untilMs === null ? null : new Date(untilMs),
  };
}

function noteFault(
  found: Exclude<Identification, { readonly kind: 'item' }>,
  faults: Faults,
  path: FaultPath,
): void {
  switch (found.kind) {
    case 'none':
      if (found.isArchived) faults.add([...path, found.way], ARCHIVED);
      else faults.addOfClass('unknownItem', [...path, found.way], UNKNOWN);
      return;
    case 'several':
      faults.add([...path, found.way], shown(found.candidates));
      return;
    case 'contradiction':
      faults.add(path, `${found.ways.join(' and ')} do not name the same item: send one of them`);
  }
}

const ARCHIVED = 'names an item that is archived: it has no stock until it is published again';
const UNKNOWN = 'names no item that is published at this restaurant: check it';

function shown(candidates: readonly ItemIdentity[]): string {
  const texts = candidates.slice(0, CANDIDATES_SHOWN).map(({ guid, name, sku, plu }) => {
    const codes = [sku && `sku ${sku}`, plu && `plu ${plu}`].filter((code) => code);
    return [guid, JSON.stringify(name), ...codes].join(' ');
  });
  const more = candidates.length - texts.length;
  const all = `${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return `names ${candidates.length} items: send the guid of one. They are ${all}`;
}
