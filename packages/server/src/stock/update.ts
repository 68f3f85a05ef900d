import type { MenuItemInventory } from '@servery/contract';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database } from '../database/database.ts';
import { ApiError, type Fault } from '../http/errors.ts';
import { invalidElement, itemResolver, levelOf, listNamedItems, validElement } from './items.ts';
import { recordStock, type WantedState } from './record.ts';
import { refuseFaults, type StockChange } from './rules.ts';
import {
  findRestaurantForUpdate,
  type ItemToChange,
  listItems,
  listItemsToChange,
} from './store.ts';
import {
  type UpdateDeps,
  type UpdateSource,
  updateAsRead,
  type WantedLevel,
} from './update-as-read.ts';

/**
 * Applies the changes to the items of a restaurant, all or none, and gives one element for each
 * change in the order of the request. Unknown items come back `INVALID`, the rest is applied; of
 * several changes to one item the last wins and all of them report it (decisions STK-3, STK-5). What
 * changed is written into the history; an item that is as it shall be keeps its `until`. Throws 400
 * when a change names two different items (STK-6), 503 when it cannot be known whether the database
 * kept the changes.
 */
export async function applyChanges(
  deps: UpdateDeps,
  restaurantGuid: string,
  changes: readonly StockChange[],
  origin: ChangeOrigin,
): Promise<MenuItemInventory[]> {
  const identifiers = changes.map((change) => change.item);
  const known = deps.knownStock.find(restaurantGuid)?.value ?? null;
  const guessed = await applyToKnown(deps, { restaurantGuid, known }, changes, origin);
  if (guessed) return guessed;
  const items = await listNamedItems(deps.database, restaurantGuid, identifiers, listItemsToChange);
  const plan = planOf(changes, items);
  refuseFaults(plan.faults, 'The list has contradictory elements and nothing was applied');
  await store(deps, { restaurantGuid, known, isGuess: false }, plan.wanted, origin);
  return plan.elements;
}

/**
 * The same by what is known of the items, without reading them. Null when they are not known, or
 * are no longer so: only an update that the database has compared and made is an answer.
 */
async function applyToKnown(
  deps: UpdateDeps,
  { restaurantGuid, known }: Omit<UpdateSource, 'isGuess'>,
  changes: readonly StockChange[],
  origin: ChangeOrigin,
): Promise<MenuItemInventory[] | null> {
  if (!known || known.isInUse) return null;
  const items = known.find(changes.map((change) => change.item));
  if (!items) return null;
  const plan = planOf(changes, items);
  if (plan.faults.length > 0) return null;
  known.isInUse = true;
  try {
    const source = { restaurantGuid, known, isGuess: true };
    return (await updateAsRead(deps, source, plan.wanted, origin)) ? plan.elements : null;
  } finally {
    known.isInUse = false;
  }
}

/** What changes come to. */
interface Plan {
  /** Changes that name two different items. */
  readonly faults: readonly Fault[];
  /** Each item once. */
  readonly wanted: readonly WantedLevel[];
  /** One for each change, once all is stored. */
  readonly elements: MenuItemInventory[];
}

function planOf(changes: readonly StockChange[], items: readonly ItemToChange[]): Plan {
  const resolve = itemResolver(items);
  const resolutions = changes.map((change) => resolve(change.item));
  const faults = resolutions.flatMap((resolution, index) =>
    resolution.kind === 'contradiction' ? [{ where: `[${index}]`, message: CONTRADICTION }] : [],
  );
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
  return { faults, wanted: [...wanted.values()], elements };
}

const CONTRADICTION =
  'guid and multiLocationId do not name the same item: send one of them, or a pair that does.';

async function store(
  deps: UpdateDeps,
  source: UpdateSource,
  wanted: readonly WantedLevel[],
  origin: ChangeOrigin,
): Promise<void> {
  if (wanted.length === 0) return;
  if (await updateAsRead(deps, source, wanted, origin)) return;
  const { database } = deps;
  const { restaurantGuid } = source;
  const rows = wanted.map(({ item: { guid }, level }) => ({
    itemGuid: guid,
    ...level,
    until: null,
  }));
  try {
    await database.transaction(async (sql) => {
      // Sent together, run in this order: the update sees what the lock waited for.
      await Promise.all([
        findRestaurantForUpdate(sql, restaurantGuid),
        recordStock(sql, origin, restaurantGuid, rows, { cause: 'SET', keepsUntil: true }),
      ]);
    });
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) throw error;
    if (await isStored(database, restaurantGuid, rows)) return;
    throw new ApiError(
      'unavailable',
      'The connection to the database was lost and the update is not seen there: send it again.',
      { cause: error },
    );
  }
}

/** Reads back, after a lost COMMIT, whether the database has all the levels. */
async function isStored(
  database: Database,
  restaurantGuid: string,
  rows: readonly WantedState[],
): Promise<boolean> {
  const guids = rows.map((row) => row.itemGuid);
  const items = await listItems(database.sql, restaurantGuid, guids, []);
  const stored = new Map(items.map((item) => [item.guid, levelOf(item)]));
  return rows.every((row) => {
    const level = stored.get(row.itemGuid);
    // The column pads its fraction with zeros; as numbers both spellings are equal.
    return level?.status === row.status && Number(level.quantity) === Number(row.quantity);
  });
}
