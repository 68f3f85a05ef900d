import type { ConfigurationObject, ConfigurationPlace } from '@servery/contract';
import { isGuid } from '../arguments.ts';
import { readPages } from '../back-office.ts';
import { invalidUsage } from '../exit-codes.ts';
import { configurationPath } from './config-files.ts';
import type { Call } from './verb.ts';

interface PlaceFlags {
  readonly restaurant?: string;
}

/** What stands beside the collections: the one object that a restaurant always has. */
export const TIP_WITHHOLDING = 'tipWithholding';

const SHOWN_AT_MOST = 8;

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
  const names = collections.map(({ name }) => name).join(', ');
  throw invalidUsage(`there is no collection ${JSON.stringify(text)}: write one of ${names}.`);
}

/** The GUID of an object by GUID, or by a name that only it has. */
async function guidOf({ remote }: Call<object>, path: string, text: string): Promise<string> {
  if (isGuid(text)) return text.toLowerCase();
  const wanted = text.trim().toLowerCase();
  if (wanted === '') throw invalidUsage('which object? Its name is empty.');
  const { results } = await readPages<ConfigurationObject>(remote, path, { name: text }, 100);
  const same = results.filter(({ name }) => name?.toLowerCase() === wanted);
  const found = same.length > 0 ? same : results;
  const [only, ...others] = found;
  if (only && others.length === 0) return only.guid;
  const own = path.split('/').at(-1);
  const shown = found.slice(0, SHOWN_AT_MOST).map(({ guid, name }) => `\n  ${guid}  ${name}`);
  throw invalidUsage(
    only
      ? `several ${own} are called ${JSON.stringify(text)}: write a GUID:${shown.join('')}`
      : `no one object is called ${JSON.stringify(text)}: "servery config objects ${own}" shows ` +
          'what there is.',
  );
}
