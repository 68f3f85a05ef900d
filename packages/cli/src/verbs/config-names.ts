import type { ConfigurationObject, ConfigurationPlace } from '@servery/contract';
import { invalidUsage } from '../exit-codes.ts';
import { configurationPath } from './config-files.ts';
import { nearestNames } from './did-you-mean.ts';
import { listedAt, oneOf } from './one-of.ts';
import type { Call } from './verb.ts';

interface PlaceFlags {
  readonly restaurant?: string;
}

/** What stands beside the collections: the one object that a restaurant always has. */
export const TIP_WITHHOLDING = 'tipWithholding';

/** Where the objects of the collection stand that the first word names. Throws CommandFailure. */
export function collectionPath(call: Call<PlaceFlags>): Promise<string> {
  return pathOfCollection(call, call.words[0] ?? '');
}

/** Where the object stands that the first two words name. Throws CommandFailure. */
export async function objectPath(call: Call<PlaceFlags>): Promise<string> {
  const path = await collectionPath(call);
  return `${path}/${await guidOf(call, path, call.words[1] ?? '')}`;
}

/**
 * The objects that are written as `collection/GUID`, `collection/name` or `tipWithholding`. Throws
 * CommandFailure for text that names none.
 */
export async function placesNamed(
  call: Call<PlaceFlags>,
  texts: readonly string[],
): Promise<ConfigurationPlace[]> {
  const places: ConfigurationPlace[] = [];
  for (const text of texts) places.push(await placeNamed(call, text));
  return places;
}

/** The flag that names the restaurant again, for a command that is to be typed next. */
export function sameRestaurant({ flags: { restaurant } }: Call<PlaceFlags>): string {
  return restaurant === undefined ? '' : ` --restaurant ${JSON.stringify(restaurant)}`;
}

async function placeNamed(call: Call<PlaceFlags>, text: string): Promise<ConfigurationPlace> {
  const [, own = text, object] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (own === TIP_WITHHOLDING) {
    const path = `${await configurationPath(call)}/${TIP_WITHHOLDING}`;
    const { guid } = await call.remote.get<ConfigurationObject>(path);
    return { collection: own, guid };
  }
  if (object === undefined) {
    throw invalidUsage(
      `${JSON.stringify(text)} names no object: write collection/name or collection/GUID.`,
    );
  }
  const collection = await collectionCalled(own);
  const path = await pathOfCollection(call, collection);
  return { collection, guid: await guidOf(call, path, object) };
}

async function pathOfCollection(call: Call<PlaceFlags>, text: string): Promise<string> {
  const collection = await collectionCalled(text);
  return `${await configurationPath(call)}/objects/${collection}`;
}

/** The name of a collection as the platform writes it. */
async function collectionCalled(text: string): Promise<string> {
  const { collections } = await import('@servery/contract');
  const wanted = text.trim().toLowerCase();
  const known = collections.find(({ name }) => name.toLowerCase() === wanted);
  if (known) return known.name;
  const names = collections.map(({ name }) => name);
  const [meant] = nearestNames(text, names);
  const write = meant ? `Did you mean ${meant}?` : `Write one of ${names.join(', ')}.`;
  throw invalidUsage(`there is no collection ${JSON.stringify(text)}. ${write}`);
}

/** The GUID of an object by GUID, or by a name that only it has. */
async function guidOf({ remote }: Call<object>, path: string, text: string): Promise<string> {
  const own = path.split('/').at(-1) ?? '';
  const kind = { one: 'object', several: own, listed: `servery config objects ${own}` };
  return await oneOf(kind, text, (name) => listedAt<ConfigurationObject>(remote, path, { name }));
}
