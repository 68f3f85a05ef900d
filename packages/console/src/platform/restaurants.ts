import { computed, signal } from '@preact/signals';
import type { RestaurantOverview } from '@servery/contract';
import { localZone } from './format.ts';
import { call, holds, who } from './session.ts';

/** What a page needs to know of a restaurant. */
export type KnownRestaurant = Pick<
  RestaurantOverview,
  'guid' | 'name' | 'timeZone' | 'archived' | 'managementGroupGuid'
> &
  Partial<Pick<RestaurantOverview, 'currencyCode'>>;

const PAGE = 200;

const known = signal<ReadonlyMap<string, KnownRestaurant>>(new Map());

/** The first restaurants by name: enough for a list, and a search finds the others. */
export const restaurants = computed(() => [...known.value.values()]);

/** The one that the address names, or the only one there is. */
export function chosenRestaurant(query: Readonly<Record<string, string>>): string | undefined {
  const [first, second] = restaurants.value;
  return query.restaurant ?? (second ? undefined : first?.guid);
}

/** Reads what the person has access to. */
export async function loadRestaurants(): Promise<void> {
  if (!holds('restaurants.admin:read')) {
    known.value = new Map((who.value?.restaurants ?? []).map((each) => [each.guid, plain(each)]));
    return;
  }
  const query = { pageSize: PAGE };
  const { results } = await call('backOffice.restaurants.list', { query });
  known.value = new Map(results.map((each) => [each.guid, each]));
}

export async function searchRestaurants(text: string): Promise<readonly KnownRestaurant[]> {
  const wanted = text.trim().toLocaleLowerCase();
  const here = restaurants.value.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  if (known.value.size < PAGE || wanted === '') return here;
  const query = { search: text.trim(), pageSize: 20 };
  const { results } = await call('backOffice.restaurants.list', { query });
  remember(results);
  return results;
}

/** Known at once, or null and known a moment later. */
export function restaurantOf(guid: string): KnownRestaurant | null {
  const found = known.value.get(guid) ?? null;
  if (!found) void look(guid);
  return found;
}

const looked = new Set<string>();

async function look(guid: string): Promise<void> {
  if (looked.has(guid) || known.peek().size === 0) return;
  looked.add(guid);
  const params = { restaurantGuid: guid };
  const found = await call('backOffice.restaurants.get', { params }).catch(() => null);
  if (!found) return;
  remember([{ guid, ...found.general }]);
}

function remember(found: readonly KnownRestaurant[]): void {
  known.value = new Map([...known.peek(), ...found.map((each) => [each.guid, each] as const)]);
}

function plain({ guid, name, archived }: { guid: string; name: string; archived: boolean }) {
  // Without the right to read restaurants, their time zone is not known: the browser's is used.
  return { guid, name, archived, timeZone: localZone, managementGroupGuid: '' };
}
