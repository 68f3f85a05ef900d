import type { Place } from './fixture.ts';

/** Kinds of objects that say in their names which content they belong to. */
export type MarkedKind = keyof typeof KINDS;

const KINDS = {
  menuItems: { code: '01', word: 'Item' },
  menus: { code: '02', word: 'Menu' },
  menuGroups: { code: '03', word: 'Group' },
  taxRates: { code: '04', word: 'Tax' },
  serviceCharges: { code: '05', word: 'Service' },
  printers: { code: '06', word: 'Printer' },
} as const;

/** The first content; it is even, so that the item that comes and goes is there. */
export const FIRST_CONTENT = 2;
/** The item that is archived while the content is odd. */
export const FLICKER = 2;
/** Items whose quantity is the content of the stock. */
export const COUNTED = [3, 4, 5] as const;
/** The item that goes out until the clock brings it back. */
export const BROUGHT_BACK = 6;
/** The item that is out while the content of the stock is odd. */
export const ODD_OUT = 7;
/** The tip withholding is the content in so manieth parts. */
const TIP_PARTS = 100_000;

type Restaurant = Pick<Place, 'number' | 'tag' | 'itemCount'>;

/** The GUID of an object of a restaurant; GUIDs of one kind are in the order of their numbers. */
export function guidOf({ number }: Pick<Place, 'number'>, kind: MarkedKind, index: number): string {
  return `57a1e${number}${KINDS[kind].code}-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

/** The items that say which content they belong to: on the first, a middle and the last page. */
export function markedItems({ itemCount }: Restaurant): number[] {
  return [1, Math.ceil(itemCount / 2), itemCount];
}

/** The name of a marked object at a content. */
export function nameAt({ tag }: Restaurant, kind: MarkedKind, content: number, index = 1): string {
  return `${tag} ${KINDS[kind].word}${index === 1 ? '' : index} ${content}`;
}

/** Reads the content out of a name; null when it is not of this restaurant and kind. */
export function contentOf(place: Restaurant, kind: MarkedKind, name: unknown): number | null {
  const pattern = new RegExp(`^${place.tag} ${KINDS[kind].word}\\d* (\\d+)$`);
  const found = typeof name === 'string' ? pattern.exec(name)?.[1] : undefined;
  return found === undefined ? null : Number(found);
}

/** The share of the tip withholding at a content. */
export function percentageAt(content: number): number {
  return content / TIP_PARTS;
}

/** Reads the content out of the tip withholding. */
export function contentOfPercentage(percentage: unknown): number | null {
  return typeof percentage === 'number' ? Math.round(percentage * TIP_PARTS) : null;
}

/** Every object that changes with the content, as configuration documents have them. */
export function documentAt(place: Restaurant, content: number): Record<string, unknown> {
  const guid = (kind: MarkedKind, index = 1) => guidOf(place, kind, index);
  const named = (kind: MarkedKind) => ({ guid: guid(kind), name: nameAt(place, kind, content) });
  const items = markedItems(place).map((index) => ({
    guid: guid('menuItems', index),
    name: nameAt(place, 'menuItems', content, index),
  }));
  const flicker = { guid: guid('menuItems', FLICKER), name: `${place.tag} Flicker` };
  const grouped = [...markedItems(place), FLICKER].map((index) => guid('menuItems', index));
  return {
    menus: [{ ...named('menus'), groups: [guid('menuGroups')] }],
    menuGroups: [{ ...named('menuGroups'), menu: guid('menus'), items: grouped }],
    menuItems: [...items, { ...flicker, archived: content % 2 === 1 }],
    taxRates: [{ ...named('taxRates'), type: 'PERCENT', rate: 0.05, roundingType: 'HALF_UP' }],
    serviceCharges: [
      {
        ...{ ...named('serviceCharges'), amountType: 'FIXED', amount: 2 },
        ...{ gratuity: true, taxable: true, applicableTaxes: [guid('taxRates')] },
      },
    ],
    printers: [named('printers')],
    tipWithholding: { enabled: true, percentage: percentageAt(content) },
  };
}

/** The whole configuration that a restaurant begins with. */
export function firstDocument(place: Restaurant): Record<string, unknown> {
  const marked = documentAt(place, FIRST_CONTENT);
  const special = [...markedItems(place), FLICKER];
  const others = Array.from({ length: place.itemCount }, (_, index) => index + 1)
    .filter((index) => !special.includes(index))
    .map((index) => ({ guid: guidOf(place, 'menuItems', index), name: `${place.tag} #${index}` }));
  return { ...marked, menuItems: [...(marked.menuItems as object[]), ...others] };
}
