import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type {
  CollectionName,
  ModifierGroup,
  ModifierOption,
  ResolvedMenuGroup,
  ResolvedMenuItem,
} from '@servery/contract';
import { withAllFields } from '../../../src/configuration/document/stored-object.ts';
import {
  type MenusResolution,
  type ResolvedMenus,
  resolveMenus,
} from '../../../src/menus/document/resolve.ts';
import type { MenuSource, SourceObject } from '../../../src/menus/document/source.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A restaurant in a test. Objects are named, and their GUIDs follow from their names. */
export type TestRestaurant = {
  readonly [Name in CollectionName]?: Readonly<Record<string, Fields>>;
};

/** The GUID of an object by its name; those of two collections differ. */
export function guidOf(collection: CollectionName, name: string): string {
  const digits = hash('sha256', `${collection}/${name}`);
  const parts = [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ] as const;
  return parts.map(([from, to]) => digits.slice(from, to)).join('-');
}

export const items = (...names: string[]) => names.map((name) => guidOf('menuItems', name));
export const groups = (...names: string[]) => names.map((name) => guidOf('menuOptionGroups', name));
export const rates = (...names: string[]) => names.map((name) => guidOf('taxRates', name));

export function sourceOf(restaurant: TestRestaurant, fields: Partial<MenuSource> = {}): MenuSource {
  return {
    brand: 'Acme',
    restaurantGuid: guidOf('menus', 'the restaurant'),
    timeZone: 'America/New_York',
    objects: objectsOf(restaurant),
    ...fields,
  };
}

function objectsOf(restaurant: TestRestaurant): SourceObject[] {
  return Object.entries(restaurant).flatMap(([collection, objects]) =>
    Object.entries(objects).map(([name, { archived = false, ...fields }]) => {
      const guid = guidOf(collection as CollectionName, name);
      return withAllFields({
        collection: collection as CollectionName,
        guid,
        multiLocationId: String(BigInt(`0x${guid.slice(0, 8)}`)),
        archived: archived === true,
        fields: { name, ...fields },
      });
    }),
  );
}

export function resolved(restaurant: TestRestaurant, fields: Partial<MenuSource> = {}): Resolved {
  const resolution = resolveMenus(sourceOf(restaurant, fields));
  assert.ok(resolution.refusal === null, JSON.stringify(resolution.refusal));
  assert.ok(resolution.document !== null, 'has no menu');
  return new Resolved(resolution, resolution.document);
}

/** One menu with one group of all items that are named here. */
export function menuOf(names: readonly string[], group: Fields = {}): TestRestaurant {
  return {
    menus: { Menu: { groups: [guidOf('menuGroups', 'Group')] } },
    menuGroups: { Group: { menu: guidOf('menus', 'Menu'), items: items(...names), ...group } },
  };
}

/** A document, read by names. */
export class Resolved {
  readonly resolution: MenusResolution;
  readonly document: ResolvedMenus;

  constructor(resolution: MenusResolution, document: ResolvedMenus) {
    this.resolution = resolution;
    this.document = document;
  }

  items(): ResolvedMenuItem[] {
    return this.document.menus.flatMap(({ menuGroups }) => menuGroups.flatMap(itemsOf));
  }

  item(name: string): ResolvedMenuItem {
    const found = this.items().find((item) => item.name === name);
    assert.ok(found, `there is no item ${name}`);
    return found;
  }

  groupsOf({ modifierGroupReferences }: Pick<ResolvedMenuItem, 'modifierGroupReferences'>) {
    return modifierGroupReferences.map((reference): ModifierGroup => {
      const found = this.document.modifierGroupReferences[reference];
      assert.ok(found, `there is no group ${reference}`);
      return found;
    });
  }

  optionsOf({ modifierOptionReferences }: ModifierGroup): ModifierOption[] {
    return modifierOptionReferences.map((reference) => {
      const found = this.document.modifierOptionReferences[reference];
      assert.ok(found, `there is no option ${reference}`);
      return found;
    });
  }

  group(itemName: string, name: string): ModifierGroup {
    const found = this.groupsOf(this.item(itemName)).find((group) => group.name === name);
    assert.ok(found, `${itemName} has no group ${name}`);
    return found;
  }

  option(itemName: string, groupName: string, name: string): ModifierOption {
    const group = this.group(itemName, groupName);
    const found = this.optionsOf(group).find((option) => option.name === name);
    assert.ok(found, `${groupName} has no option ${name}`);
    return found;
  }
}

function itemsOf(group: ResolvedMenuGroup): ResolvedMenuItem[] {
  return [...group.menuItems, ...group.menuGroups.flatMap(itemsOf)];
}

/** The fields of `shape` alone, in nested objects too, as an example leaves others out. */
export function like(value: unknown, shape: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(shape)) {
    return value.map((one, index) => (index < shape.length ? like(one, shape[index]) : one));
  }
  if (!isObject(value) || !isObject(shape)) return value;
  return Object.fromEntries(
    Object.keys(shape).map((name) => [name, like(value[name], shape[name])]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
