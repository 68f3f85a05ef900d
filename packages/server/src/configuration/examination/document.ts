import { type ConfigurationDocument, collections } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { byCollection, documentConfiguration } from '../check-configuration.ts';
import type { ObjectContents } from '../document/contents.ts';
import type { DocumentConfiguration } from '../document/document.ts';
import { CONFIGURATION_FORMAT } from '../document/file-schema.ts';
import { valuesAt, withReferences } from '../document/reference-paths.ts';
import { referencesOf } from '../document/schema.ts';
import type { ObjectsByPlace } from '../effective.ts';
import { nameOfObject, placeKey } from '../object-state.ts';
import type { RestaurantHead } from '../publication-store.ts';

export interface ExportOptions {
  readonly byName: boolean;
  /** When false, writes only the archived objects that a written one names. */
  readonly withArchived: boolean;
}

/** A complete document: applying it to the same restaurant changes nothing. */
export function documentOfPublished(
  { guid, name }: RestaurantHead,
  published: ObjectsByPlace,
  { byName, withArchived }: ExportOptions,
): ConfigurationDocument {
  const all = [...published.values()];
  const shown = withArchived ? all : liveAndNamed(published);
  const configuration = documentConfiguration(byCollection(shown));
  return {
    format: CONFIGURATION_FORMAT,
    restaurant: { guid, name },
    complete: true,
    configuration: byName ? withNames(configuration, all) : { ...configuration },
  };
}

/** Follows references from archived objects too. */
function liveAndNamed(published: ObjectsByPlace): ObjectContents[] {
  const written = new Set([...published.values()].filter(({ archived }) => !archived));
  // Iterating a set also visits what is added meanwhile.
  for (const { collection, fields } of written) {
    for (const reference of referencesOf(collection)) {
      for (const guid of valuesAt(fields, reference)) {
        const place = { collection: reference.target, guid: String(guid) };
        const named = published.get(placeKey(place));
        if (named) written.add(named);
      }
    }
  }
  return [...published.values()].filter((object) => written.has(object));
}

function withNames(
  configuration: DocumentConfiguration,
  all: readonly ObjectContents[],
): Readonly<Record<string, unknown>> {
  const names = uniqueNames(all);
  const named = (guid: unknown) => names.get(String(guid)) ?? guid;
  const entries = collections.map(({ name }) => {
    const objects = configuration[name] ?? [];
    return [name, objects.map((object) => withReferences(name, object, named))];
  });
  return { ...configuration, ...Object.fromEntries(entries) };
}

function uniqueNames(all: readonly ObjectContents[]): ReadonlyMap<string, string> {
  const byName = Map.groupBy(all, (object) => `${object.collection} ${nameOfObject(object)}`);
  const alone = [...byName.values()].flatMap(([object, ...others]) =>
    object && others.length === 0 ? [object] : [],
  );
  return new Map(
    alone.flatMap((object): [string, string][] => {
      const name = nameOfObject(object);
      return name && parseGuid(name) === null ? [[object.guid, name]] : [];
    }),
  );
}
