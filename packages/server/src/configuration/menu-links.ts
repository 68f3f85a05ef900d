import type { ObjectContents } from './document/contents.ts';

interface Node {
  readonly object: ObjectContents;
  groups: string[];
  menu: string | null;
  parent: string | null;
  subgroups: string[];
}

/**
 * The contract writes links between menus and groups twice, down and up. After an edit of one side,
 * this updates the other, and the edited object itself if its own two sides differ. `objects` are
 * the menus and groups before the edit.
 */
export function followLinks(
  objects: Iterable<ObjectContents>,
  before: ObjectContents | null,
  after: ObjectContents,
): ObjectContents[] {
  const tree = new LinkedTree(objects, after);
  tree.follow(before, after);
  return tree.changed();
}

class LinkedTree {
  readonly #nodes = new Map<string, Node>();

  constructor(objects: Iterable<ObjectContents>, edited: ObjectContents) {
    for (const object of objects) this.#nodes.set(object.guid, nodeOf(object));
    this.#nodes.set(edited.guid, nodeOf(edited));
  }

  follow(before: ObjectContents | null, after: ObjectContents): void {
    const old = before && nodeOf(before);
    const node = this.#node(after.guid);
    if (!node) return;
    if (after.collection === 'menus') this.#followMenu(old, node);
    else this.#followGroup(old, node);
  }

  changed(): ObjectContents[] {
    return [...this.#nodes.values()].flatMap((node) => {
      const fields = { ...node.object.fields, ...linksOf(node) };
      const isSame = JSON.stringify(fields) === JSON.stringify(node.object.fields);
      return isSame ? [] : [{ ...node.object, fields }];
    });
  }

  #followMenu(old: Node | null, menu: Node): void {
    const { guid } = menu.object;
    for (const group of without(old?.groups ?? [], menu.groups)) {
      if (this.#node(group)?.menu === guid) this.#takeOut(group, []);
    }
    for (const group of without(menu.groups, old?.groups ?? [])) {
      this.#takeOut(group, [guid]);
      this.#setMenu(group, guid);
    }
  }

  #followGroup(old: Node | null, group: Node): void {
    const { guid } = group.object;
    const lost = without(old?.subgroups ?? [], group.subgroups);
    const won = without(group.subgroups, old?.subgroups ?? []);
    const { parent, menu } = group;
    if (parent !== (old?.parent ?? null)) {
      this.#takeOut(guid, []);
      this.#putBelow(guid, parent, menu);
    } else if (menu !== (old?.menu ?? null) && parent === null) {
      this.#takeOut(guid, []);
      this.#putBelow(guid, null, menu);
    }
    for (const below of lost) {
      if (this.#node(below)?.parent === guid) this.#takeOut(below, []);
    }
    for (const below of won) {
      this.#takeOut(below, [guid]);
      const node = this.#node(below);
      if (node) node.parent = guid;
      this.#setMenu(below, group.menu);
    }
  }

  #takeOut(guid: string, keep: readonly string[]): void {
    for (const { object, groups, subgroups } of this.#nodes.values()) {
      if (keep.includes(object.guid)) continue;
      remove(groups, guid);
      remove(subgroups, guid);
    }
    const node = this.#node(guid);
    if (!node) return;
    node.parent = null;
    this.#setMenu(guid, null);
  }

  #putBelow(guid: string, parent: string | null, menu: string | null): void {
    const node = this.#node(guid);
    const above = parent === null ? undefined : this.#node(parent);
    if (!node) return;
    node.parent = parent;
    if (above) add(above.subgroups, guid);
    else if (menu !== null) add(this.#node(menu)?.groups ?? [], guid);
    this.#setMenu(guid, above ? above.menu : menu);
  }

  /** All groups below a group have the same menu. */
  #setMenu(guid: string, menu: string | null): void {
    const seen = new Set<string>();
    const waiting = [guid];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const node = this.#node(at);
      if (!node || seen.has(at)) continue;
      seen.add(at);
      node.menu = menu;
      waiting.push(...node.subgroups);
    }
  }

  #node(guid: string): Node | undefined {
    return this.#nodes.get(guid);
  }
}

function nodeOf(object: ObjectContents): Node {
  const { groups, subgroups, menu, parent } = object.fields;
  return {
    object,
    groups: guidsOf(groups),
    subgroups: guidsOf(subgroups),
    menu: typeof menu === 'string' ? menu : null,
    parent: typeof parent === 'string' ? parent : null,
  };
}

function linksOf({ object, groups, menu, parent, subgroups }: Node): Record<string, unknown> {
  return object.collection === 'menus' ? { groups } : { menu, parent, subgroups };
}

function guidsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function without(all: readonly string[], some: readonly string[]): string[] {
  return all.filter((each) => !some.includes(each));
}

function remove(list: string[], value: string): void {
  const index = list.indexOf(value);
  if (index >= 0) list.splice(index, 1);
}

function add(list: string[], value: string): void {
  if (!list.includes(value)) list.push(value);
}
