import { type ConfigurationDocument, collectionReferences, collections } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { documentConfiguration } from '../check-configuration.ts';
import type { ObjectContents } from '../document/contents.ts';
import type { DocumentConfiguration, DocumentObject } from '../document/document.ts';
import { CONFIGURATION_FORMAT } from '../document/file-schema.ts';
import type { ObjectsByPlace } from '../effective.ts';
import { nameOfObject, placeKey } from '../object-state.ts';
import type { RestaurantHead } from '../publication-store.ts';

/** How a document is written. */
export interface ExportOptions {
  /** True to write the names of targets, where only one has it, in place of GUIDs. */
  readonly byName: boolean;
  /** True to write all archived objects, and not only those that something written names. */
  readonly withArchived: boolean;
}

/**
 * What is published at a restaurant as a complete document: applied there it changes nothing, and
 * where there is nothing it makes all that it names.
 */
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

/** What is live, and what is archived and named by it, or by what it names. */
function liveAndNamed(published: ObjectsByPlace): ObjectContents[] {
  const written = new Set([...published.values()].filter(({ archived }) => !archived));
  // A set gives what is added while it is walked through, too.
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

/** The names that lead to exactly one object of their collection, by its GUID. */
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
