import { type ConfigurationDocument, collectionReferences, collections } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { documentConfiguration } from '../check-configuration.ts';
import type { ObjectContents } from '../document/contents.ts';
import type { DocumentConfiguration, DocumentObject } from '../document/document.ts';
import { CONFIGURATION_FORMAT } from '../document/file-schema.ts';
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
  const configuration = documentConfiguration(Map.groupBy(shown, ({ kind }) => kind));
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
  for (const { kind, fields } of written) {
    if (kind === 'tipWithholding') continue;
    for (const { field, target } of collectionReferences[kind]) {
      for (const guid of [fields[field]].flat()) {
        const named = published.get(placeKey({ collection: target, guid: String(guid) }));
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
    const references = collectionReferences[name];
    const objects = (configuration[name] ?? []).map((object) => {
      const fields = references.map(({ field, many }) => {
        const value = object[field];
        return [
          field,
          many ? (value as unknown[]).map(named) : value === null ? null : named(value),
        ];
      });
      return { ...object, ...Object.fromEntries(fields) } as DocumentObject;
    });
    return [name, objects];
  });
  return { ...configuration, ...Object.fromEntries(entries) };
}

function uniqueNames(all: readonly ObjectContents[]): ReadonlyMap<string, string> {
  const byName = Map.groupBy(all, (object) => `${object.kind} ${nameOfObject(object)}`);
  return new Map(
    all.flatMap((object): [string, string][] => {
      const name = nameOfObject(object);
      const isOnly = byName.get(`${object.kind} ${name}`)?.length === 1;
      return name && isOnly && parseGuid(name) === null ? [[object.guid, name]] : [];
    }),
  );
}
