import { parseGuid } from '@servery/support/ids.ts';
import type { Place } from '../../document/faults.ts';
import { shown } from '../../document/shown.ts';

/** What a directory needs to know about the things that it lists. */
export interface DirectoryRules {
  /** What they are, for messages: `menuItems`, `partners`. */
  readonly kind: string;
  readonly deriveGuid: (key: string) => string;
  /** What a thing is called when it has no key. */
  readonly nameOf: (thing: Readonly<Record<string, unknown>>) => string | null;
  /** GUIDs that are taken, by any kind that must not share them; the directory adds its own. */
  readonly taken: Set<string>;
}

/** What a reference leads to, or what is wrong with it. */
export type Resolution =
  | { readonly guid: string; readonly fault?: undefined }
  | { readonly guid?: undefined; readonly fault: string };

/**
 * The things of one kind that references in a document can name, each by its GUID, its key, or
 * its name when no other has it.
 */
export class Directory {
  readonly kind: string;
  /** The GUID of each thing, in the order of the document; empty when it could not be told. */
  readonly guids: string[] = [];
  readonly #indexByGuid = new Map<string, number>();
  readonly #guidByKey = new Map<string, string>();
  readonly #guidsByName = new Map<string, string | string[]>();

  /** Lists `things`; faults of their identities are noted at `place`, which is their list. */
  constructor(things: readonly unknown[], rules: DirectoryRules, place: Place) {
    this.kind = rules.kind;
    things.forEach((thing, index) => {
      this.guids.push(this.#list(thing, index, rules, place));
    });
  }

  /** The position in the document of the thing with this GUID; undefined when there is none. */
  indexOf(guid: string): number | undefined {
    return this.#indexByGuid.get(guid);
  }

  /** What a reference in the document means. */
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
    // Listed also without a GUID: references to it are right, its own fault was told already.
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
    // A GUID of a wrong shape was told already.
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

/** What most things are called: their `name`. */
export function nameOf(thing: Readonly<Record<string, unknown>>): string | null {
  return typeof thing.name === 'string' && thing.name !== '' ? thing.name : null;
}
