import { parseGuid } from '@servery/support/ids.ts';
import type { Place } from '../../document/faults.ts';
import { shown } from '../../document/shown.ts';

export interface DirectoryRules {
  readonly kind: string;
  readonly deriveGuid: (key: string) => string;
  readonly nameOf: (thing: Readonly<Record<string, unknown>>) => string | null;
  /** Shared by all kinds whose GUIDs must differ; the directory adds its own. */
  readonly taken: Set<string>;
}

export type Resolution =
  | { readonly guid: string; readonly fault?: undefined }
  | { readonly guid?: undefined; readonly fault: string };

/** References name a thing by its GUID, its key, or its name if the name is unique. */
export class Directory {
  readonly kind: string;
  readonly guids: string[] = [];
  readonly #indexByGuid = new Map<string, number>();
  readonly #guidByKey = new Map<string, string>();
  readonly #guidsByName = new Map<string, string | string[]>();

  constructor(things: readonly unknown[], rules: DirectoryRules, place: Place) {
    this.kind = rules.kind;
    things.forEach((thing, index) => {
      this.guids.push(this.#list(thing, index, rules, place));
    });
  }

  indexOf(guid: string): number | undefined {
    return this.#indexByGuid.get(guid);
  }

  resolve(reference: string): Resolution {
    const asGuid = parseGuid(reference);
    if (asGuid !== null && this.#indexByGuid.has(asGuid)) return { guid: asGuid };
    const byKey = this.#guidByKey.get(reference);
    if (byKey !== undefined) return { guid: byKey };
    const byName = this.#guidsByName.get(reference);
    if (typeof byName === 'string') return { guid: byName };
    if (byName === undefined) {
      const called = asGuid === null ? 'with the name or key' : 'with the GUID';
      return {
        fault: `there is none among the ${this.kind} ${called} ${shown(reference)}; add it`,
      };
    }
    const clash = `${byName.length} of the ${this.kind} are named ${shown(reference)}`;
    return { fault: `${clash}; give the one that is meant a key, and write the key here` };
  }

  #list(thing: unknown, index: number, rules: DirectoryRules, place: Place): string {
    if (typeof thing !== 'object' || thing === null) return '';
    const fields = thing as Readonly<Record<string, unknown>>;
    const name = rules.nameOf(fields);
    const givenKey = typeof fields.key === 'string' && fields.key !== '' ? fields.key : null;
    // List it even without a GUID: its own fault is already noted, and references to it are right.
    const guid = this.#guidOf(fields, givenKey ?? name, index, rules, place);
    if (givenKey !== null) {
      if (this.#guidByKey.has(givenKey)) {
        const message = `another of the ${rules.kind} has the key ${shown(givenKey)}; change one`;
        place.fault(message, index, 'key');
      }
      this.#guidByKey.set(givenKey, guid);
    }
    if (name !== null) this.#listName(name, guid);
    return guid;
  }

  #guidOf(
    fields: Readonly<Record<string, unknown>>,
    key: string | null,
    index: number,
    rules: DirectoryRules,
    place: Place,
  ): string {
    const given = typeof fields.guid === 'string' ? parseGuid(fields.guid) : null;
    if (fields.guid !== undefined && given === null) return '';
    if (given === null && key === null) {
      place.fault('needs a key or a guid, because nothing else names it', index);
      return '';
    }
    const guid = given ?? rules.deriveGuid(key ?? '');
    if (rules.taken.has(guid)) {
      if (given !== null) place.fault(`${guid} is the guid of something else here`, index, 'guid');
      else {
        const clash = `another of the ${rules.kind} is called ${shown(key)} too`;
        place.fault(`${clash}; give this one a key of its own`, index);
      }
      return '';
    }
    rules.taken.add(guid);
    this.#indexByGuid.set(guid, index);
    return guid;
  }

  #listName(name: string, guid: string): void {
    const known = this.#guidsByName.get(name);
    if (known === undefined) this.#guidsByName.set(name, guid);
    else if (typeof known === 'string') this.#guidsByName.set(name, [known, guid]);
    else known.push(guid);
  }
}

export function nameOf(thing: Readonly<Record<string, unknown>>): string | null {
  return typeof thing.name === 'string' && thing.name !== '' ? thing.name : null;
}
