import assert from 'node:assert/strict';
import type { Client } from './client.ts';
import type { Demo } from './demo.ts';
import { NotChecked } from './not-checked.ts';

/** A MenuItemInventory as the tests read it. */
export interface Inventory {
  guid: string | null;
  multiLocationId: string | null;
  versionId: string | null;
  status: string;
  quantity: number | null;
  itemGuidValidity: string;
}

/** Any object of a configuration collection. */
export type ConfigurationObject = { guid: string; entityType: string } & Record<string, unknown>;

/** The header that carries the token of the next page (docs/reference/configuration.md, CFG-9). */
export function nextPageHeader(brand: string): string {
  return `${brand}-Next-Page-Token`.toLowerCase();
}

/** The GUIDs of the demo restaurants that are in operation; at least two. */
export function openRestaurants(demo: Demo): readonly [string, string, ...string[]] {
  const [first, second, ...rest] = demo.restaurants
    .filter(({ archived }) => !archived)
    .map(({ guid }) => guid);
  assert.ok(first !== undefined && second !== undefined, 'the demo group has two restaurants');
  return [first, second, ...rest];
}

/** The GUID of the archived demo restaurant. */
export function archivedRestaurant(demo: Demo): string {
  const found = demo.restaurants.find(({ archived }) => archived);
  if (!found) throw new NotChecked('there is no archived restaurant');
  return found.guid;
}

/** One page of a collection, and the token of the next. */
export interface Page {
  readonly objects: readonly ConfigurationObject[];
  readonly next: string | undefined;
}

/** Asks for one page of a configuration collection. */
export async function page(
  client: Client,
  restaurant: string,
  collection: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Page> {
  const answer = await client.call(`configuration.${collection}.list`, 200, { restaurant, query });
  const next = answer.headers[nextPageHeader(client.platform.brand)];
  return {
    objects: answer.json as ConfigurationObject[],
    next: Array.isArray(next) ? next.join() : next,
  };
}

/** Walks a whole collection, page by page. */
export async function wholeCollection(
  client: Client,
  restaurant: string,
  collection: string,
): Promise<ConfigurationObject[]> {
  const objects: ConfigurationObject[] = [];
  for (let pageToken = ''; ; ) {
    const { objects: more, next } = await page(client, restaurant, collection, { pageToken });
    objects.push(...more);
    if (next === undefined) return objects;
    pageToken = next;
  }
}

/** The GUIDs of a restaurant's menu items and modifiers. */
export async function itemGuids(client: Client, restaurant: string): Promise<string[]> {
  return (await wholeCollection(client, restaurant, 'menuItems')).map(({ guid }) => guid);
}
