import type { MenusDocument } from '@servery/contract';
import { InvalidInput } from './errors.ts';
import type { PriceSource } from './price-of.ts';
import type { Servery } from './servery.ts';

/** Your copy of a restaurant's menus, and of what prices depend on. It is plain data: store it. */
export interface MenusCopy extends PriceSource {
  readonly restaurant: string;
  /** Null if no menu is published. */
  readonly document: MenusDocument | null;
  /** Where to continue in the feed of changes. */
  readonly cursor: string | null;
}

const COLLECTIONS = ['taxRates', 'discounts', 'serviceCharges', 'diningOptions'] as const;
/** If the restaurant keeps publishing, stop after this many rounds. */
const ROUNDS_AT_MOST = 5;
const UNUSABLE_CURSOR = 400;
const NO_MENU = 404;

/**
 * Updates your copy of the menus. Call it first without a copy, then after each `menus_updated`
 * event and every few minutes. It reads only what changed. If nothing did, you get the same object.
 */
export async function syncMenus(
  servery: Servery,
  previous: MenusCopy | null = null,
): Promise<MenusCopy> {
  const { restaurant } = servery;
  if (!restaurant) throw new InvalidInput('restaurant', 'is missing: whose menus?');
  let copy = previous?.restaurant === restaurant ? previous : null;
  for (let round = 1; ; round += 1) {
    const next = await readChanges(servery, restaurant, copy);
    // Something may have been published during the read.
    const isDone = next === copy || round >= ROUNDS_AT_MOST;
    copy = next;
    if (isDone) return copy;
  }
}

async function readChanges(
  servery: Servery,
  restaurant: string,
  copy: MenusCopy | null,
): Promise<MenusCopy> {
  const { cursor, changed } = await changesAfter(servery, copy?.cursor ?? null);
  const isTouched = !copy || COLLECTIONS.some((name) => changed.has(name));
  const configuration = isTouched ? await readConfiguration(servery) : copy.configuration;
  const lastUpdated = await orNothing(servery.menus.getMetadata()).then((it) => it?.lastUpdated);
  const isOther = !copy || copy.document?.lastUpdated !== lastUpdated;
  // The document may be newer than the metadata: the next round compares them.
  const document = isOther ? await orNothing(servery.menus.get()) : copy.document;
  if (copy && !isTouched && !isOther && cursor === copy.cursor) return copy;
  const currency = copy?.currency ?? (await servery.restaurants.get()).general.currencyCode;
  return { restaurant, currency, configuration, document, cursor };
}

async function changesAfter(servery: Servery, after: string | null) {
  const feed = servery.platform.changes.list(after === null ? {} : { after });
  const changed = new Set<string>();
  try {
    for await (const { collection } of feed) changed.add(collection);
  } catch (error) {
    // The platform was reset or restored from a backup: read everything again.
    if (after === null || statusOf(error) !== UNUSABLE_CURSOR) throw error;
    return { cursor: null, changed: new Set<string>(COLLECTIONS) };
  }
  return { cursor: feed.cursor, changed };
}

async function readConfiguration(servery: Servery): Promise<MenusCopy['configuration']> {
  const { taxRates, discounts, serviceCharges, diningOptions } = servery.configuration;
  return {
    taxRates: await taxRates.list().all(),
    discounts: await discounts.list().all(),
    serviceCharges: await serviceCharges.list().all(),
    diningOptions: await diningOptions.list().all(),
  };
}

/** Null if no menu is published. */
async function orNothing<Answer>(coming: Promise<Answer>): Promise<Answer | null> {
  try {
    return await coming;
  } catch (error) {
    if (statusOf(error) === NO_MENU) return null;
    throw error;
  }
}

/** The client may come from another bundle, whose errors are of other classes. */
function statusOf(error: unknown): unknown {
  return (error as { readonly status?: unknown }).status;
}
