import { signal } from '@preact/signals';
import type { ConfigurationDraft, ConfigurationObject } from '@servery/contract';
import { sayFailed } from '../../parts/toast.tsx';
import { call, isAway } from '../../platform/session.ts';
import type { Fields } from './values.ts';

export interface Place {
  readonly collection: string;
  readonly guid: string;
}

/** What rows show of an object: little, because there can be 50,000. */
export interface Known extends Place {
  readonly name: string | null;
  readonly change: ConfigurationObject['change'];
  readonly isArchived: boolean;
  readonly pricing: Fields | null;
  readonly children: readonly Place[];
}

/** What was typed into a form and not saved, and what it began from. */
export interface Unsaved {
  readonly base: ConfigurationObject;
  readonly values: Fields;
}

/** Fields whose references are rows below an object. */
const below: Readonly<Record<string, readonly (readonly [field: string, collection: string])[]>> = {
  menus: [['groups', 'menuGroups']],
  menuGroups: [
    ['subgroups', 'menuGroups'],
    ['items', 'menuItems'],
    ['optionGroups', 'menuOptionGroups'],
  ],
  menuItems: [['optionGroups', 'menuOptionGroups']],
  menuOptionGroups: [['options', 'menuItems']],
};

const PAGE = 50;
/** A group can list ten thousand items. */
const PAGE_OF_GROUPS = 3;
const AT_ONCE = 2;
const ROOTS_PAGES = 10;

export function keyOf({ collection, guid }: Place): string {
  return `${collection}/${guid}`;
}

export function pageSizeOf(collection: string): number {
  return collection === 'menuGroups' ? PAGE_OF_GROUPS : PAGE;
}

/** What is known of a restaurant's objects. It reads those that are shown, by pages. */
export class Catalog {
  readonly restaurantGuid: string;
  /** Raised with each reading. */
  readonly version = signal(0);
  readonly unsaved = new Map<string, Unsaved>();
  /** Of objects that a plan will make. */
  readonly plannedNames = new Map<string, string>();
  /** By collection and GUID. */
  readonly #known = new Map<string, Map<string, Known | null>>();
  readonly #asked = new Set<string>();
  #wanted: Place[] = [];
  #running = 0;
  #revisions: ReadonlyMap<string, string> | null = null;
  #publishNumber = 0;

  constructor(restaurantGuid: string) {
    this.restaurantGuid = restaurantGuid;
  }

  /** Null if it is not there, undefined until it was read. */
  get(place: Place): Known | null | undefined {
    return this.#known.get(place.collection)?.get(place.guid);
  }

  /** Reads the places that nobody has read yet, a moment later. */
  want(places: readonly Place[]): void {
    const unread = places.filter((place) => !this.#asked.has(keyOf(place)));
    if (unread.length === 0) return;
    for (const place of unread) this.#asked.add(keyOf(place));
    // What was wanted last is what is in sight.
    this.#wanted.push(...unread.toReversed());
    queueMicrotask(() => this.#readNext());
  }

  put(objects: readonly ConfigurationObject[]): void {
    for (const object of objects) {
      const known = knownOf(object);
      this.#asked.add(keyOf(known));
      this.#set(known, known);
    }
    this.version.value += 1;
  }

  #set({ collection, guid }: Place, known: Known | null): void {
    const all = this.#known.get(collection) ?? new Map<string, Known | null>();
    this.#known.set(collection, all.set(guid, known));
  }

  setUnsaved(place: Place, unsaved: Unsaved | null): void {
    const key = keyOf(place);
    const had = this.unsaved.has(key);
    if (unsaved) this.unsaved.set(key, unsaved);
    else this.unsaved.delete(key);
    if (had !== (unsaved !== null)) this.version.value += 1;
  }

  /** Reads again what has changed since the last drafts, here or elsewhere. */
  follow({ results, publishNumber }: ConfigurationDraft): void {
    const before = this.#revisions;
    const revisions = new Map(results.map((each) => [keyOf(each), each.draft.revision]));
    const isPublished = publishNumber !== this.#publishNumber;
    this.#revisions = revisions;
    this.#publishNumber = publishNumber;
    if (before === null) return;
    if (isPublished) {
      this.#asked.clear();
      this.version.value += 1;
      return;
    }
    const keys = new Set([...before.keys(), ...revisions.keys()]);
    const changed = [...keys].filter((key) => before.get(key) !== revisions.get(key));
    const shown = changed.filter((key) => this.get(placeOf(key)) !== undefined);
    for (const key of shown) this.#asked.delete(key);
    this.want(shown.map(placeOf));
    // What is new may belong into a list.
    if (changed.length > 0) this.version.value += 1;
  }

  /** The menus by name. */
  async readRoots(): Promise<readonly Place[]> {
    const found: ConfigurationObject[] = [];
    let pageToken: string | undefined;
    for (let page = 0; page < ROOTS_PAGES; page += 1) {
      const answer = await this.list('menus', { archived: false, pageSize: PAGE, pageToken });
      found.push(...answer.results);
      pageToken = answer.nextPageToken ?? undefined;
      if (pageToken === undefined) break;
    }
    return found
      .toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? ''))
      .map(({ collection, guid }) => ({ collection, guid }));
  }

  async list(collection: string, query: Readonly<Record<string, unknown>>) {
    const params = { restaurantGuid: this.restaurantGuid, collection };
    const answer = await call('backOffice.configuration.objects.list', { params, query });
    this.put(answer.results);
    return answer;
  }

  #readNext(): void {
    while (this.#running < AT_ONCE && this.#wanted.length > 0) {
      const [{ collection } = { collection: '' }] = this.#wanted.slice(-1);
      const size = pageSizeOf(collection);
      const batch: Place[] = [];
      const left: Place[] = [];
      for (const place of this.#wanted.toReversed()) {
        const isTaken = place.collection === collection && batch.length < size;
        (isTaken ? batch : left).push(place);
      }
      this.#wanted = left.toReversed();
      void this.#read(collection, batch);
    }
  }

  async #read(collection: string, batch: readonly Place[]): Promise<void> {
    this.#running += 1;
    try {
      const guids = batch.map(({ guid }) => guid).join(',');
      const { results } = await this.list(collection, { guids, pageSize: batch.length });
      const found = new Set(results.map(({ guid }) => guid));
      for (const place of batch) if (!found.has(place.guid)) this.#set(place, null);
    } catch (error) {
      for (const place of batch) this.#asked.delete(keyOf(place));
      // The page says by itself when nothing answers.
      if (!isAway(error)) sayFailed(error);
    }
    this.#running -= 1;
    this.#readNext();
  }
}

function placeOf(key: string): Place {
  const at = key.indexOf('/');
  return { collection: key.slice(0, at), guid: key.slice(at + 1) };
}

function knownOf({ collection, guid, name, change, object }: ConfigurationObject): Known {
  const children = (below[collection] ?? []).flatMap(([field, target]) =>
    listOf(object[field]).map((each) => ({ collection: target, guid: each })),
  );
  const pricing = (object.pricing as Fields | null | undefined) ?? null;
  return {
    collection,
    guid,
    name,
    change,
    isArchived: object.archived === true,
    pricing,
    children,
  };
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}
