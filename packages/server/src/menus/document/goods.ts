import { brandedChannel, type Channel, type MenuLabel, type StoredFields } from '@servery/contract';
import { named, type Published, type PublishedObjects } from './source.ts';

const MISSING_NAME = 'Missing name';
const button = { posButtonColorLight: '#f7f7f7', posButtonColorDark: '#1a1c23' };
const LARGEST = 2n ** 63n - 1n;

type RawJson = (text: string) => unknown;
const { rawJSON } = JSON as unknown as { readonly rawJSON: RawJson };

/**
 * The deprecated number of a `multiLocationId` (MENU-24). It may be larger than JavaScript's
 * numbers hold, so it is a text that `JSON.stringify` writes as a number.
 */
function masterIdOf(multiLocationId: string | null): number | null {
  if (multiLocationId === null || !/^\d{1,19}$/.test(multiLocationId)) return null;
  const number = BigInt(multiLocationId);
  return number > LARGEST ? null : (rawJSON(String(number)) as number);
}

interface Identified {
  readonly guid: string;
  readonly multiLocationId: string | null;
  readonly fields: { readonly name: string };
}

/** What everything in the document is called, but for the deprecated number. */
export function nameAndGuidOf({ guid, multiLocationId, fields }: Identified) {
  return {
    name: fields.name === '' ? MISSING_NAME : fields.name,
    guid,
    multiLocationId: multiLocationId ?? '',
  };
}

export function identityOf(object: Identified) {
  return { ...nameAndGuidOf(object), masterId: masterIdOf(object.multiLocationId) };
}

export function buttonOf({ fields }: { readonly fields: { readonly posName: string } }) {
  return { posName: fields.posName, ...button };
}

interface Described {
  readonly fields: Pick<StoredFields<'menus'>, 'description' | 'images'>;
}

export function describe({ fields }: Described) {
  return { description: fields.description, image: fields.images[0]?.url ?? null };
}

interface Labeled {
  readonly guid: string;
  readonly fields: { readonly name: string };
}

export function labelOf({ guid, fields }: Labeled): MenuLabel {
  return { name: fields.name, guid };
}

export function visibilityOf(channels: readonly Channel[], brand: string): string[] {
  return channels.map((channel) => brandedChannel(channel, brand));
}

/** What an item has alike wherever it is offered, as an item or behind an option. */
export function goodsOf(item: Published<'menuItems'>, { itemTags }: PublishedObjects) {
  const { fields } = item;
  const { kitchenName, calories, prepTime, sortOrder, guestCount } = fields;
  const { length, height, width, dimensionUnitOfMeasure, weight, weightUnitOfMeasure } = fields;
  return {
    ...identityOf(item),
    ...buttonOf(item),
    ...describe(item),
    images: fields.images.map(({ url }) => url),
    kitchenName,
    itemTags: named(itemTags, fields.itemTags).map(labelOf),
    plu: fields.plu ?? '',
    sku: fields.sku ?? '',
    calories,
    contentAdvisories: { alcohol: { containsAlcohol: fields.containsAlcohol } },
    prepTime,
    prepStations: [],
    allergens: [],
    ...{ length, height, width, dimensionUnitOfMeasure, weight, weightUnitOfMeasure },
    guestCount,
    sortOrder,
  };
}
