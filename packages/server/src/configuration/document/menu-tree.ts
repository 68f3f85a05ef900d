import type { Place } from '../../document/faults.ts';
import type { Directory } from './directory.ts';
import type { DocumentObject } from './document.ts';

export interface TreeLinks {
  readonly menu: string | null;
  readonly parent: string | null;
  readonly subgroups: readonly string[];
}

export type NameObject = (collection: 'menus' | 'menuGroups', index: number) => string;

const nameByIndex: NameObject = (collection, index) => `${collection}[${index}]`;

type Listing = ReadonlyMap<string, number>;

interface GroupNode {
  readonly guid: string;
  readonly index: number;
  readonly archived: boolean;
  readonly menu: string | null | undefined;
  readonly parent: string | null | undefined;
  readonly subgroups: Listing | undefined;
}

interface MenuNode {
  readonly guid: string;
  readonly index: number;
  readonly archived: boolean;
  readonly groups: Listing | undefined;
}

/**
 * The contract writes each link twice, down and up. A document may leave one out; the tree fills it
 * in.
 */
export class MenuTree {
  readonly #menus = new Map<string, MenuNode>();
  readonly #groups = new Map<string, GroupNode>();
  readonly #listedByGroup = new Map<string, GroupNode>();
  readonly #listedByMenu = new Map<string, MenuNode>();
  readonly #groupsByParent = new Map<string, string[]>();
  readonly #groupsByMenu = new Map<string, string[]>();
  /** A cache, so that no path is walked up twice. */
  readonly #menuByGroup = new Map<string, string | null>();
  readonly #name: NameObject;

  constructor(
    menus: { readonly objects: readonly DocumentObject[]; readonly directory: Directory },
    groups: { readonly objects: readonly DocumentObject[]; readonly directory: Directory },
    name: NameObject = nameByIndex,
  ) {
    this.#name = name;
    const menuGuids = resolver(menus.directory);
    const groupGuids = resolver(groups.directory);
    groups.objects.forEach((group, index) => {
      const guid = groups.directory.guids[index];
      if (!guid) return;
      this.#groups.set(guid, {
        guid,
        index,
        archived: group.archived === true,
        menu: menuGuids.one(group.menu),
        parent: groupGuids.one(group.parent),
        subgroups: groupGuids.many(group.subgroups),
      });
    });
    menus.objects.forEach((menu, index) => {
      const guid = menus.directory.guids[index];
      if (!guid) return;
      const archived = menu.archived === true;
      this.#menus.set(guid, { guid, index, archived, groups: groupGuids.many(menu.groups) });
    });
    this.#index();
  }

  linksOf(groupGuid: string): TreeLinks {
    return {
      menu: this.#menuOf(groupGuid),
      parent: this.#parentOf(groupGuid),
      subgroups: [
        ...(this.#groups.get(groupGuid)?.subgroups?.keys() ??
          this.#groupsByParent.get(groupGuid) ??
          []),
      ],
    };
  }

  groupsOf(menuGuid: string): readonly string[] {
    return [
      ...(this.#menus.get(menuGuid)?.groups?.keys() ?? this.#groupsByMenu.get(menuGuid) ?? []),
    ];
  }

  /** Notes circles of parents, and links whose two directions disagree. */
  check(menusPlace: Place, groupsPlace: Place): void {
    const circles = this.#membersOfCircles();
    for (const group of this.#groups.values()) {
      if (circles.has(group.guid)) {
        const message = 'is, through its parents, inside itself; break the cycle';
        groupsPlace.at(group.index).fault(message, 'parent');
      }
      if (!group.archived) this.#checkGroup(group, groupsPlace.at(group.index));
    }
    for (const menu of this.#menus.values()) {
      if (!menu.archived) this.#checkMenu(menu, menusPlace.at(menu.index));
    }
  }

  #index(): void {
    // Archived ones first, so that the links of live ones win.
    for (const menu of archivedFirst(this.#menus)) {
      for (const guid of menu.groups?.keys() ?? []) this.#listedByMenu.set(guid, menu);
    }
    for (const group of archivedFirst(this.#groups)) {
      for (const guid of group.subgroups?.keys() ?? []) this.#listedByGroup.set(guid, group);
    }
    for (const group of this.#groups.values()) {
      if (group.parent) append(this.#groupsByParent, group.parent, group.guid);
      if (group.menu && this.#parentOf(group.guid) === null) {
        append(this.#groupsByMenu, group.menu, group.guid);
      }
    }
  }

  #parentOf(guid: string): string | null {
    const stated = this.#groups.get(guid)?.parent;
    return stated === undefined ? (this.#listedByGroup.get(guid)?.guid ?? null) : stated;
  }

  #menuOf(guid: string): string | null {
    const walked = new Set<string>();
    let menu: string | null | undefined;
    for (let at: string | null = guid; at !== null && !walked.has(at); at = this.#parentOf(at)) {
      menu = this.#menuByGroup.get(at);
      if (menu === undefined) menu = this.#groups.get(at)?.menu;
      if (menu === undefined) menu = this.#listedByMenu.get(at)?.guid;
      if (menu !== undefined) break;
      walked.add(at);
    }
    for (const at of walked) this.#menuByGroup.set(at, menu ?? null);
    return menu ?? null;
  }

  /** Visits each group once, at any depth. */
  #membersOfCircles(): ReadonlySet<string> {
    const members = new Set<string>();
    const known = new Set<string>();
    for (const start of this.#groups.keys()) {
      const walked = new Set<string>();
      let at: string | null = start;
      for (; at !== null && !known.has(at); at = this.#parentOf(at)) {
        known.add(at);
        walked.add(at);
      }
      if (at === null || !walked.has(at)) continue;
      const way = [...walked];
      for (const guid of way.slice(way.indexOf(at))) members.add(guid);
    }
    return members;
  }

  #checkGroup(group: GroupNode, place: Place): void {
    const parent = group.parent ? this.#groups.get(group.parent) : undefined;
    if (parent?.subgroups && !parent.archived && !parent.subgroups.has(group.guid)) {
      const where = `${this.#name('menuGroups', parent.index)}.subgroups`;
      place.fault(`${where} does not list this group; add it there, or leave that out`, 'parent');
    }
    const menu = group.menu ? this.#menus.get(group.menu) : undefined;
    const isTop = this.#parentOf(group.guid) === null;
    if (isTop && menu?.groups && !menu.archived && !menu.groups.has(group.guid)) {
      const where = `${this.#name('menus', menu.index)}.groups`;
      place.fault(`${where} does not list this group; add it there, or leave that out`, 'menu');
    }
    group.subgroups?.forEach((index, guid) => {
      const below = this.#groups.get(guid);
      if (!below || below.archived) return;
      const lister = this.#listedByGroup.get(guid);
      if (below.parent !== undefined && below.parent !== group.guid) {
        const where = `${this.#name('menuGroups', below.index)}.parent`;
        const message = `${where} names another group, or none; correct one of the two`;
        place.fault(message, 'subgroups', index);
      } else if (lister && lister !== group) {
        const where = `${this.#name('menuGroups', lister.index)}.subgroups`;
        place.fault(`${where} lists it too; a group has one parent`, 'subgroups', index);
      }
    });
  }

  #checkMenu(menu: MenuNode, place: Place): void {
    menu.groups?.forEach((index, guid) => {
      const group = this.#groups.get(guid);
      if (!group || group.archived) return;
      const lister = this.#listedByMenu.get(guid);
      if (this.#parentOf(guid) !== null) {
        place.fault('is inside another group; a menu lists its top level only', 'groups', index);
      } else if (group.menu !== undefined && group.menu !== menu.guid) {
        const where = `${this.#name('menuGroups', group.index)}.menu`;
        const message = `${where} names another menu, or none; correct one of the two`;
        place.fault(message, 'groups', index);
      } else if (lister && lister !== menu) {
        const where = `${this.#name('menus', lister.index)}.groups`;
        place.fault(`${where} lists it too; a group has one menu`, 'groups', index);
      }
    });
  }
}

/** Skips references that lead nowhere: another check notes them. */
function resolver(directory: Directory) {
  const one = (reference: unknown): string | null | undefined => {
    if (reference === undefined || reference === null) return reference;
    return typeof reference === 'string' ? directory.resolve(reference).guid || null : null;
  };
  const many = (references: unknown): Listing | undefined => {
    if (!Array.isArray(references)) return undefined;
    const listing = new Map<string, number>();
    references.forEach((reference, index) => {
      const guid = one(reference);
      if (guid && !listing.has(guid)) listing.set(guid, index);
    });
    return listing;
  };
  return { one, many };
}

function archivedFirst<Node extends { readonly archived: boolean }>(
  nodes: ReadonlyMap<string, Node>,
): Node[] {
  return [...nodes.values()].sort((one, other) => Number(other.archived) - Number(one.archived));
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
