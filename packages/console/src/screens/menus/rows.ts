import type { Catalog, Place } from './catalog.ts';

export interface Row extends Place {
  /** Of the row: an object can be in several places. */
  readonly key: string;
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  /** Null if nothing is below it. */
  readonly isOpen: boolean | null;
}

/** Rows in their order, made when they are asked for: there can be 50,000. */
export interface Rows {
  readonly length: number;
  readonly isFlat: boolean;
  at(index: number): Row | null;
  /** -1 if no row has the key. */
  indexOf(key: string): number;
}

/** The children of one open row, or the roots. */
interface Level {
  readonly places: readonly Place[];
  /** The open ones, by their index among the places. */
  readonly open: readonly (readonly [index: number, level: Level])[];
  readonly size: number;
}

/** Where each child of a list is. Lists are those of the catalog, which never change. */
const indexes = new WeakMap<readonly Place[], ReadonlyMap<string, number>>();

function indexIn(places: readonly Place[], guid: string): number {
  const known = indexes.get(places) ?? new Map(places.map((place, at) => [place.guid, at]));
  indexes.set(places, known);
  return known.get(guid) ?? -1;
}

/** The rows of all that is open. It costs as much as there are open rows, not as there are rows. */
export function treeRows(catalog: Catalog, roots: readonly Place[], open: readonly string[]): Rows {
  const levelOf = (places: readonly Place[], path: readonly string[]): Level => {
    const opened = open
      .flatMap((guid): [number, Level][] => {
        const index = indexIn(places, guid);
        const place = places[index];
        // Modifiers can lead back to themselves.
        if (!place || path.includes(guid)) return [];
        const children = catalog.get(place)?.children ?? [];
        return children.length === 0 ? [] : [[index, levelOf(children, [...path, guid])]];
      })
      .sort(([one], [other]) => one - other);
    const size = opened.reduce((sum, [, level]) => sum + level.size, places.length);
    return { places, open: opened, size };
  };
  const top = levelOf(roots, []);
  const find = (
    level: Level,
    index: number,
    depth: number,
    path: readonly string[],
  ): Row | null => {
    let skipped = 0;
    for (const [at, below] of level.open) {
      const own = at + skipped;
      if (index <= own) break;
      if (index <= own + below.size) {
        const guid = level.places[at]?.guid ?? '';
        return find(below, index - own - 1, depth + 1, [...path, guid]);
      }
      skipped += below.size;
    }
    const position = index - skipped;
    const place = level.places[position];
    if (!place) return null;
    const { collection, guid } = place;
    const hasChildren = (catalog.get(place)?.children.length ?? 0) > 0 && !path.includes(guid);
    const isOpen = hasChildren ? level.open.some(([at]) => at === position) : null;
    return {
      ...{ collection, guid, key: [...path, guid].join('/'), level: depth },
      ...{ position: position + 1, setSize: level.places.length, isOpen },
    };
  };
  return {
    length: top.size,
    isFlat: false,
    at: (index) => find(top, index, 1, []),
    indexOf: (key) => {
      let level: Level | undefined = top;
      let index = -1;
      for (const guid of key.split('/')) {
        if (!level) return -1;
        const at = indexIn(level.places, guid);
        if (at < 0) return -1;
        const before = level.open.filter(([each]) => each < at);
        index += 1 + at + before.reduce((sum, [, below]) => sum + below.size, 0);
        level = level.open.find(([each]) => each === at)?.[1];
      }
      return index;
    },
  };
}

export function listRows(places: readonly Place[]): Rows {
  return {
    length: places.length,
    isFlat: true,
    at: (index) => {
      const place = places[index];
      if (!place) return null;
      const { collection, guid } = place;
      const where = { level: 1, position: index + 1, setSize: places.length, isOpen: null };
      return { collection, guid, key: guid, ...where };
    },
    indexOf: (key) => indexIn(places, key),
  };
}
