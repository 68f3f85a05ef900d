/** What a table of items is read into: runs in a worker. */
import { type Cell, type Row, textOf } from './table.ts';
import type { Fields } from './values.ts';

/** Columns that a table of items can have; `group` puts an item into a menu group. */
export const sheetFields = [
  ...['name', 'price', 'group', 'description', 'sku', 'plu', 'calories', 'posName'],
  ...['kitchenName', 'guid'],
] as const;

type SheetFault = { readonly row: number; readonly message: string };

export interface Merged {
  readonly document: { readonly configuration: Readonly<Record<string, readonly Fields[]>> };
  readonly faults: readonly SheetFault[];
}

const numbers = ['price', 'calories'];

/** What a column is probably about, by its heading. */
export function guessField(heading: string): string {
  // "Price (USD)" is a price.
  const plain = heading.toLowerCase().replace(/\(.*\)|[^a-z]/g, '');
  const known: Readonly<Record<string, string>> = {
    item: 'name',
    itemname: 'name',
    menugroup: 'group',
    category: 'group',
    section: 'group',
    baseprice: 'price',
    id: 'guid',
    kcal: 'calories',
  };
  return known[plain] ?? sheetFields.find((field) => field.toLowerCase() === plain) ?? '';
}

/**
 * The objects as they will be. A document replaces whole objects, so each begins with what is
 * published, and only the given cells change it.
 */
export function mergeSheet(
  rows: readonly Row[],
  mapping: readonly string[],
  published: Readonly<Record<string, readonly Fields[]>>,
  digits: number,
): Merged {
  const faults: SheetFault[] = [];
  const items = published.menuItems ?? [];
  const byGuid = new Map(items.map((item) => [String(item.guid).toLowerCase(), item]));
  const byName = Map.groupBy(items, ({ name }) => name);
  const groups = new Map((published.menuGroups ?? []).map((group) => [group.name, group]));
  const changed = new Map<string, Fields>();
  const changedGroups = new Map<unknown, Fields>();
  for (const { number, cells } of rows) {
    const tell = (message: string) => faults.push({ row: number, message });
    const given = mapping.flatMap((field, column): [string, Cell][] =>
      field === '' ? [] : [[field, cells[column] ?? '']],
    );
    const read = readCells(given, digits, tell);
    if (read === null) continue;
    const texts = Object.fromEntries(given.map(([field, cell]) => [field, textOf(cell)]));
    const { guid, name, group: groupName } = texts;
    const named = byName.get(name) ?? [];
    const known = guid ? byGuid.get(guid.toLowerCase()) : named[0];
    if (guid && !known) {
      tell('GUID_UNKNOWN');
      continue;
    }
    if (!guid && named.length > 1) {
      tell('NAME_AMBIGUOUS');
      continue;
    }
    if (!known && !name) {
      tell('NAME_MISSING');
      continue;
    }
    const key = String(known?.guid ?? name);
    const { price, ...own } = read;
    const before = changed.get(key) ?? known ?? {};
    changed.set(key, {
      ...before,
      ...own,
      ...(price !== undefined && { pricing: pricingWith(before.pricing, price) }),
    });
    if (groupName) {
      const group = changedGroups.get(groupName) ?? groups.get(groupName);
      const inside = (group?.items ?? []) as readonly string[];
      if (!inside.includes(key)) {
        changedGroups.set(groupName, { name: groupName, ...group, items: [...inside, key] });
      }
    }
  }
  const configuration = {
    menuItems: [...changed.values()],
    ...(changedGroups.size > 0 && { menuGroups: [...changedGroups.values()] }),
  };
  return { document: { configuration }, faults };
}

/** Empty cells change nothing. Null if a cell can't be read. */
function readCells(
  given: readonly (readonly [field: string, cell: Cell])[],
  digits: number,
  tell: (message: string) => void,
): (Fields & { readonly price?: number }) | null {
  const read: Record<string, unknown> = {};
  let isSound = true;
  for (const [field, cell] of given) {
    if (typeof cell === 'object') {
      tell(cell.fault);
      isSound = false;
      continue;
    }
    const text = textOf(cell);
    if (text === '' || field === 'group' || field === 'guid') continue;
    const value = numbers.includes(field) ? numberOf(field, cell, digits) : text;
    if (Number.isNaN(value)) {
      tell(field === 'price' ? 'PRICE_WRONG' : 'CALORIES_WRONG');
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

/** `$1,234.50`, `12,50` or `7`. */
function numberIn(text: string): number {
  const plain = text.replace(/[^\d.,-]/g, '');
  if (!/\d/.test(plain)) return Number.NaN;
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
export function sheetOf(published: Readonly<Record<string, readonly Fields[]>>) {
  const groupOf = new Map<unknown, unknown>();
  for (const { name, items } of published.menuGroups ?? []) {
    for (const guid of items as readonly string[]) if (!groupOf.has(guid)) groupOf.set(guid, name);
  }
  return (published.menuItems ?? []).map((item) => {
    const { price } = (item.pricing ?? {}) as Fields;
    const own = { ...item, price, group: groupOf.get(item.guid) };
    return sheetFields.map((field) => (own as Fields)[field] ?? '');
  });
}
