/** What a table of items is read into: runs in a worker. */
import { type Cell, type Row, textOf } from './table.ts';
import type { Fields } from './values.ts';

/** Columns that a table of items can have; `group` puts an item into a menu group. */
export const sheetFields = [
  ...['name', 'price', 'group', 'description', 'sku', 'plu', 'calories', 'posName'],
  ...['kitchenName', 'guid'],
] as const;

interface SheetFault {
  readonly row: number;
  /** The earlier row that it contradicts. */
  readonly firstRow?: number;
  /** Of the table; null if it lacks the column. */
  readonly column: number | null;
  readonly message: string;
  /** What the cell has. */
  readonly text: string;
}

export interface Merged {
  readonly document: { readonly configuration: Readonly<Record<string, readonly Fields[]>> };
  /** Of each item of the document. */
  readonly rows: readonly number[];
  readonly faults: readonly SheetFault[];
  readonly menus: readonly (readonly [guid: string, name: string])[];
  /** The GUID or, of a new one, the name of the menu that takes the groups; empty for none. */
  readonly menu: string;
  /** The names of groups with rows of the table that are on no menu yet. */
  readonly groups: readonly string[];
  /** The names of new items that guests can't see. */
  readonly ungrouped: readonly string[];
  readonly unpriced: readonly string[];
}

/** What people call the columns, the surest first: beside a price, a cost is what the kitchen pays. */
const otherHeadings: Readonly<Record<string, readonly string[]>> = {
  name: ['itemname', 'menuitem', 'item', 'dishname', 'dish', 'productname', 'product', 'title'],
  price: ['baseprice', 'sellingprice', 'unitprice', 'amount', 'cost'],
  group: ['menugroup', 'category', 'section', 'course'],
  description: ['itemdescription', 'details', 'whatisit'],
  calories: ['kcal'],
  guid: ['id'],
};

/** "Cost to guest" is a price if no column is surer. */
const PRICE_WORDS = /\b(price|cost|amount)\b/i;
const NO_GUEST_PRICE = /\b(size|small|medium|large|food|ingredients?|goods|tax|stock)\b/i;

/** What each column is probably about, by its heading; of several for a field, the surest. */
export function guessFields(headings: readonly string[]): readonly string[] {
  // "Price (USD)" and "Price $" are prices.
  const plain = headings.map((heading) => heading.toLowerCase().replace(/\(.*\)|[^a-z]/g, ''));
  const prices = headings.filter(
    (heading) => PRICE_WORDS.test(heading) && !NO_GUEST_PRICE.test(heading),
  );
  const surest = new Map(
    sheetFields.flatMap((field) => {
      const known = [field.toLowerCase(), ...(otherHeadings[field] ?? [])];
      const heading = known.find((each) => plain.includes(each));
      return heading === undefined ? [] : [[heading, field]];
    }),
  );
  const guessed = plain.map((heading) => surest.get(heading) ?? '');
  if (guessed.includes('price') || prices.length !== 1) return guessed;
  // Of several, a person chooses.
  return guessed.map((field, column) => field || (headings[column] === prices[0] ? 'price' : ''));
}

/**
 * The objects as they will be. A document replaces whole objects, so each begins with what is
 * published, and only the given cells change it. Null for `menu`: the only menu.
 */
export function mergeSheet(
  rows: readonly Row[],
  mapping: readonly string[],
  published: Published,
  digits: number,
  menu: string | null = null,
): Merged {
  const faults: SheetFault[] = [];
  const items = liveIn(published, 'menuItems');
  const byGuid = new Map(items.map((item) => [String(item.guid).toLowerCase(), item]));
  const itemsNamed = findByName(items);
  const groupsNamed = findByName(liveIn(published, 'menuGroups'));
  const changed = new Map<string, Fields>();
  const changedGroups = new Map<unknown, Fields>();
  const firsts = new Map<string, FirstRow>();
  for (const { number, cells } of rows) {
    const tell = (message: string, field: string, text = '', firstRow?: number) => {
      const column = mapping.indexOf(field);
      const fault = { row: number, column: column < 0 ? null : column, message, text };
      faults.push({ ...fault, ...(firstRow !== undefined && { firstRow }) });
    };
    const given = mapping.flatMap((field, column): [string, Cell][] =>
      field === '' ? [] : [[field, cells[column] ?? '']],
    );
    const read = readCells(given, digits, tell);
    if (read === null) continue;
    const texts = Object.fromEntries(given.map(([field, cell]) => [field, textOf(cell)]));
    const { guid, name, group: givenGroup } = texts;
    const named = name ? itemsNamed(name) : [];
    const known = guid ? byGuid.get(guid.toLowerCase()) : named[0];
    if (guid && !known) {
      tell('GUID_UNKNOWN', 'guid', guid);
      continue;
    }
    if (!guid && named.length > 1) {
      tell('NAME_AMBIGUOUS', 'name', name);
      continue;
    }
    if (!known && !name) {
      tell('NAME_MISSING', 'name');
      continue;
    }
    const key = String(known?.guid ?? name);
    const { price, ...own } = read;
    const before = changed.get(key) ?? known ?? {};
    // Rows of one item may put it into several groups, but not give it different values.
    const first = firsts.get(key) ?? { number, values: {} };
    const { name: _name, ...unnamed } = read;
    const values = guid ? read : unnamed;
    if (isContradicted(first.values, values)) {
      tell('ROWS_DIFFER', guid ? 'guid' : 'name', guid || name, first.number);
    }
    firsts.set(key, { ...first, values: { ...first.values, ...values } });
    changed.set(key, {
      ...before,
      ...own,
      // A name that finds an item is no new spelling of it.
      ...(known && !guid && { name: before.name }),
      ...(price !== undefined && { pricing: pricingWith(before.pricing, price) }),
    });
    if (givenGroup) {
      const published = groupsNamed(givenGroup).at(-1);
      const groupName = published?.name ?? givenGroup;
      const group = changedGroups.get(groupName) ?? published;
      const inside = (group?.items ?? []) as readonly string[];
      const items = inside.includes(key) ? inside : [...inside, key];
      changedGroups.set(groupName, { name: groupName, ...group, items });
    }
  }
  const offMenu = [...changedGroups.values()].filter((group) => !(group.menu || group.parent));
  const placed = placeGroups(offMenu, liveIn(published, 'menus'), menu);
  for (const group of placed.groups) changedGroups.set(group.name, group);
  const inGroups = [...changedGroups.values()];
  const namesWithout = (holds: (item: Fields) => unknown, theirs: readonly Fields[]) => {
    const inside = new Set(theirs.flatMap((group) => group.items as readonly unknown[]));
    return [...changed.values()]
      .filter((item) => !(item.guid || holds(item) || inside.has(item.name)))
      .map(({ name }) => String(name));
  };
  const configuration = {
    menuItems: [...changed.values()],
    ...(inGroups.length > 0 && { menuGroups: inGroups }),
    ...(placed.menus.length > 0 && { menus: placed.menus }),
  };
  return {
    document: { configuration },
    rows: [...firsts.values()].map(({ number }) => number),
    faults,
    menus: liveIn(published, 'menus').map(({ guid, name }) => [String(guid), String(name)]),
    menu: placed.menu,
    groups: offMenu.map(({ name }) => String(name)),
    ungrouped: namesWithout(() => false, inGroups),
    unpriced: namesWithout(
      ({ pricing }) => pricing,
      inGroups.filter(({ pricing }) => pricing),
    ),
  };
}

/** Of the rows of one item. */
interface FirstRow {
  readonly number: number;
  /** What it and the later ones have said. */
  readonly values: Fields;
}

function isContradicted(before: Fields, after: Fields): boolean {
  return Object.entries(after).some(
    ([field, value]) => before[field] !== undefined && before[field] !== value,
  );
}

type Published = Readonly<Record<string, readonly Fields[]>>;

function liveIn(published: Published, collection: string): readonly Fields[] {
  return (published[collection] ?? []).filter(({ archived }) => !archived);
}

/** People don't write names with the same capitals each time: these count only without an exact name. */
function findByName(objects: readonly Fields[]): (name: string) => readonly Fields[] {
  const plain = (name: unknown) =>
    String(name ?? '')
      .trim()
      .toLowerCase();
  const exact = Map.groupBy(objects, ({ name }) => name);
  const similar = Map.groupBy(objects, ({ name }) => plain(name));
  return (name) => exact.get(name) ?? similar.get(plain(name)) ?? [];
}

/** Each side of a link names the other. */
function placeGroups(
  offMenu: readonly Fields[],
  menus: readonly Fields[],
  asked: string | null,
): Pick<Merged, 'menu'> & Readonly<Record<'menus' | 'groups', readonly Fields[]>> {
  const [only, ...others] = menus;
  const menu = asked ?? String((others.length === 0 && only?.guid) || '');
  if (menu === '' || offMenu.length === 0) return { menu, menus: [], groups: [] };
  const known = menus.find(({ guid }) => guid === menu) ?? { name: menu, groups: [] };
  const groups = [
    ...(known.groups as readonly unknown[]),
    ...offMenu.map((group) => group.guid ?? group.name),
  ];
  return {
    menu,
    menus: [{ ...known, groups }],
    groups: offMenu.map((group) => ({ ...group, menu })),
  };
}

/** Empty cells change nothing. Null if a cell can't be read. */
function readCells(
  given: readonly (readonly [field: string, cell: Cell])[],
  digits: number,
  tell: (message: string, field: string, text?: string) => void,
): (Fields & { readonly price?: number }) | null {
  const read: Record<string, unknown> = {};
  let isSound = true;
  for (const [field, cell] of given) {
    if (typeof cell === 'object') {
      tell(cell.fault, field);
      isSound = false;
      continue;
    }
    const text = textOf(cell);
    if (text === '' || field === 'group' || field === 'guid') continue;
    if (field !== 'price' && field !== 'calories') {
      read[field] = text;
      continue;
    }
    const value = numberOf(field, cell, digits);
    if (!(value >= 0)) {
      tell(field === 'price' ? 'PRICE_WRONG' : 'CALORIES_WRONG', field, text);
      isSound = false;
    }
    read[field] = value;
  }
  return isSound ? read : null;
}

/** A workbook shows prices with the digits of the currency, and may know more of them. */
function numberOf(field: string, cell: string | number, digits: number): number {
  if (typeof cell === 'string') return numberIn(cell);
  return field === 'price' ? Number(`${Math.round(Number(`${cell}e${digits}`))}e-${digits}`) : cell;
}

/** `$1,234.50`, `12,50` or `7 kr.`, and not `5 or 7`. */
function numberIn(text: string): number {
  const plain = text.replace(/^[^\d-]*?(?=-?[.,]?\d)|[^\d]*$|(?<=\d)[\s’'](?=\d)/g, '');
  if (!/^-?[\d.,]+$/.test(plain)) return Number.NaN;
  const isDecimalComma = /^-?\d+,\d{1,2}$/.test(plain) || /^-?[\d.]*\.\d{3},\d+$/.test(plain);
  return Number(
    isDecimalComma ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', ''),
  );
}

/** Keeps prices of menus and times; other ways of pricing become one price. */
function pricingWith(pricing: unknown, price: number): Fields {
  const now = (pricing ?? {}) as Fields;
  const keeps = ['MENU_SPECIFIC_PRICE', 'TIME_SPECIFIC_PRICE'].includes(String(now.strategy));
  return keeps ? { ...now, price } : { strategy: 'BASE_PRICE', price };
}

/** A table of the published items, with the headings that are read back. */
export function sheetOf(published: Published) {
  const groupOf = new Map<unknown, unknown>();
  for (const { name, items } of liveIn(published, 'menuGroups')) {
    for (const guid of items as readonly string[]) if (!groupOf.has(guid)) groupOf.set(guid, name);
  }
  return liveIn(published, 'menuItems').map((item) => {
    const { price } = (item.pricing ?? {}) as Fields;
    const own = { ...item, price, group: groupOf.get(item.guid) };
    return sheetFields.map((field) => (own as Fields)[field] ?? '');
  });
}
