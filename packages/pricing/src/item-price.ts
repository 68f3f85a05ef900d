import { groupsOf, optionsOf } from './find-in-menu.ts';
import { isInForce, type LocalTime } from './local-time.ts';
import { toMinor } from './round.ts';
import type {
  FaultReason,
  MenuItem,
  MenusDocument,
  ModifierGroup,
  ModifierOption,
} from './types.ts';

/** What an item or an option costs by itself depends on these beside the menu. */
export interface Circumstances {
  readonly menus: MenusDocument;
  /** Asked only where prices depend on it: few do, and it takes a while. */
  readonly now: () => LocalTime;
  readonly currencyExponent: number;
}

/** The sizes that were chosen: of the item, and of what stands between it and a modifier. */
export type ChosenSizes = readonly {
  readonly groupGuid: string;
  readonly option: ModifierOption;
}[];

/** The price of an item or a modifier option by its own pricing (ORD-26). */
export function ownPrice(
  entry: MenuItem | ModifierOption,
  openPriceAmount: number | null | undefined,
  sizes: ChosenSizes,
  { menus, now, currencyExponent }: Circumstances,
): bigint | FaultReason {
  const minor = (amount: number) => toMinor(amount, currencyExponent);
  switch (entry.pricingStrategy) {
    case 'OPEN_PRICE':
      return minor(openPriceAmount ?? 0);
    case 'SIZE_PRICE': {
      const price = sizePrice(entry, sizes, menus);
      return typeof price === 'number' ? minor(price) : price;
    }
    default: {
      const price = priceInForce(entry, now);
      return price === null ? 'UNPRICED' : minor(price);
    }
  }
}

/** The listed price of an instant, which only a time-specific one depends on. */
export function priceInForce(
  { price, pricingStrategy, pricingRules }: MenuItem | ModifierOption,
  now: () => LocalTime,
): number | null {
  if (pricingStrategy !== 'TIME_SPECIFIC_PRICE') return price;
  const rule = pricingRules?.timeSpecificPricingRules.find(({ schedule }) =>
    schedule.some((one) => isInForce(one, now())),
  );
  return rule?.timeSpecificPrice ?? price;
}

/**
 * The price of a size: an option that has no sizes to choose from lists its prices by the sizes of
 * the item (`ITEM_SIZE`). Otherwise it is the price of the size's option in the entry's size group,
 * by its name if no size of that very group was chosen.
 */
function sizePrice(
  entry: MenuItem | ModifierOption,
  sizes: ChosenSizes,
  menus: MenusDocument,
): number | FaultReason {
  const { sizeSpecificPricingGuid, sizeSequencePricingRules = [] } = entry.pricingRules ?? {};
  if (sizeSequencePricingRules.length > 0) {
    const chosen = sizes.find(({ groupGuid }) => groupGuid === sizeSpecificPricingGuid)?.option;
    const rule = sizeSequencePricingRules.find(({ sizeGuid }) => sizeGuid === chosen?.guid);
    return rule?.sequencePrices[0]?.price ?? 'SIZE_MISSING';
  }
  const group = sizeGroupOf(entry, menus);
  if (!group) return 'UNPRICED';
  const options = optionsOf(menus, group);
  const own = sizes.find(({ groupGuid }) => groupGuid === group.guid)?.option;
  const item = sizes.at(-1)?.option;
  const size =
    options.find(({ guid }) => guid === own?.guid) ??
    options.find(({ name }) => name === item?.name);
  return size?.price ?? 'SIZE_MISSING';
}

/** The size group as it hangs on the entry; else any entry of it, which has the same prices. */
export function sizeGroupOf(
  { pricingStrategy, pricingRules, modifierGroupReferences }: MenuItem | ModifierOption,
  menus: MenusDocument,
): ModifierGroup | undefined {
  const guid = pricingStrategy === 'SIZE_PRICE' ? pricingRules?.sizeSpecificPricingGuid : null;
  if (!guid) return undefined;
  return (
    groupsOf(menus, modifierGroupReferences).find((one) => one.guid === guid) ??
    Object.values(menus.modifierGroupReferences).find((one) => one.guid === guid)
  );
}
