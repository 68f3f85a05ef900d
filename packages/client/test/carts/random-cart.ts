import type { DiningOption, OrderRequest, SelectionRequest } from '@servery/contract';
import type { Lots } from '../../../../tools/verify/crash/random.ts';
import type {
  GuestItem,
  GuestMenu,
  GuestModifierGroup,
  GuestOption,
  GuestPortion,
} from '../../src/guest-menu.ts';
import type { MenusCopy } from '../../src/menu.ts';

type Draft = { -readonly [Field in keyof SelectionRequest]?: SelectionRequest[Field] };

const LEVELS = 4;
const people = {
  customer: { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' },
  deliveryInfo: { address1: '1 Main Street', city: 'Boston', zipCode: '02110', state: 'MA' },
};

/** Fills a cart as a guest could, from what the menu shows. */
export function randomCart(lots: Lots, menu: GuestMenu, copy: MenusCopy): OrderRequest {
  const items = itemsOf(menu);
  const { diningOptions, discounts, serviceCharges } = copy.configuration;
  const diningOption = { guid: lots.pick(diningOptions).guid };
  const amount = () => amountOf(lots, copy.currency);
  const some = <T>(all: readonly T[], probability: number): T[] =>
    all.length > 0 && lots.chance(probability) ? [lots.pick(all)] : [];
  const ofChecks = discounts.filter(({ selectionType, type }) => {
    return selectionType === 'CHECK' && !['OPEN_PERCENT', 'FIXED_TOTAL', 'BOGO'].includes(type);
  });
  const ofItems = discounts.filter(({ selectionType, type }) => {
    return selectionType === 'ITEM' && ['PERCENT', 'FIXED', 'OPEN_FIXED'].includes(type);
  });
  const applied = (all: typeof discounts, probability: number) =>
    some(all, probability).map(({ guid }) => {
      return { discount: { guid }, discountAmount: amount() };
    });
  const checks = Array.from({ length: lots.chance(0.2) ? 2 : 1 }, () => ({
    ...{ customer: people.customer, taxExempt: lots.chance(0.05) },
    selections: Array.from({ length: lots.between(1, 5) }, () => ({
      ...selectionOf(lots, lots.pick(items), copy.currency),
      ...(lots.chance(0.1) ? { diningOption: { guid: lots.pick(diningOptions).guid } } : {}),
      appliedDiscounts: applied(ofItems, 0.1),
    })),
    appliedDiscounts: applied(ofChecks, 0.3),
    appliedServiceCharges: some(serviceCharges, 0.3).map(({ guid }) => {
      return { serviceCharge: { guid }, chargeAmount: amount() };
    }),
  }));
  const isDelivery = ({ behavior }: DiningOption) => behavior === 'DELIVERY';
  const delivers = diningOptions.some((one) => one.guid === diningOption.guid && isDelivery(one));
  return {
    ...{ diningOption, checks },
    ...(delivers ? { deliveryInfo: people.deliveryInfo } : {}),
  } as unknown as OrderRequest;
}

/** The same cart without what its restaurant may not allow it. */
export function withoutExtras(cart: OrderRequest): OrderRequest {
  const checks = cart.checks?.map((check) => ({
    ...{ ...check, appliedDiscounts: [], appliedServiceCharges: [] },
    selections: check.selections?.map((one) => ({ ...one, appliedDiscounts: [] })),
  }));
  return { ...cart, checks } as OrderRequest;
}

function itemsOf({ menus }: GuestMenu): GuestItem[] {
  const below = (groups: GuestMenu['menus'][number]['groups']): GuestItem[] =>
    groups.flatMap((group) => [...group.items, ...below(group.groups)]);
  return menus.flatMap(({ groups }) => below(groups)).filter(({ canOrder }) => canOrder);
}

function amountOf(lots: Lots, currency: string): number {
  return currency === 'JPY' ? lots.between(1, 900) : lots.between(1, 900) / 100;
}

function selectionOf(lots: Lots, item: GuestItem, currency: string): Draft {
  const isMeasured = item.source.unitOfMeasure !== 'NONE';
  const quantity = isMeasured ? lots.between(1, 30_000) / 10_000 : lots.between(1, 4);
  const choosing = { lots, quantity, currency };
  return {
    ...{ item: { guid: item.guid }, itemGroup: { guid: item.itemGroup }, quantity },
    ...(item.source.pricingStrategy === 'OPEN_PRICE'
      ? { openPriceAmount: amountOf(lots, currency) }
      : {}),
    modifiers: modifiersOf(choosing, item.modifierGroups, item.portions, LEVELS) as never,
  };
}

interface Choosing {
  readonly lots: Lots;
  readonly quantity: number;
  readonly currency: string;
}

function modifiersOf(
  choosing: Choosing,
  groups: readonly GuestModifierGroup[],
  portions: readonly GuestPortion[],
  levels: number,
): Draft[] {
  const { lots, quantity } = choosing;
  const whole: Draft[] = [];
  const onPortions = new Map<GuestPortion, Draft[]>();
  for (const group of groups) {
    for (const option of chosen(lots, group, levels)) {
      const modifier = modifierOf(choosing, group, option, levels);
      const able = portions.filter(({ modifierGroups }) =>
        modifierGroups.some(({ guid }) => guid === group.guid),
      );
      if (able.length === 0 || lots.chance(0.4)) {
        whole.push(modifier);
      } else {
        const portion = lots.pick(able);
        onPortions.set(portion, [...(onPortions.get(portion) ?? []), modifier]);
      }
    }
  }
  const parts = [...onPortions].map(([{ guid }, modifiers]) => {
    return { item: { guid }, selectionType: 'PORTION', quantity, modifiers } as Draft;
  });
  if (levels === LEVELS && lots.chance(0.05)) {
    parts.push({ selectionType: 'SPECIAL_REQUEST', displayName: 'no salt', quantity });
  }
  return [...whole, ...parts];
}

function chosen(lots: Lots, group: GuestModifierGroup, levels: number): GuestOption[] {
  const { minSelections, maxSelections, options } = group;
  const most = Math.min(maxSelections ?? 4, minSelections + 3);
  const count = levels > 0 ? lots.between(minSelections, most) : minSelections;
  const found: GuestOption[] = [];
  for (let index = 0; index < count; index += 1) {
    const open = options.filter(
      (option) => option.canOrder && (!found.includes(option) || option.source.allowsDuplicates),
    );
    if (open.length > 0) found.push(lots.pick(open));
  }
  return found;
}

function modifierOf(
  choosing: Choosing,
  group: GuestModifierGroup,
  option: GuestOption,
  levels: number,
): Draft {
  const { lots, quantity, currency } = choosing;
  // Where a choice is required, one that is taken away does not count.
  const words = group.preModifiers.filter(
    ({ multiplicationFactor }) => group.minSelections === 0 || multiplicationFactor !== 0,
  );
  const isWorded = !group.isSize && words.length > 0 && lots.chance(0.3);
  return {
    ...{ item: { guid: option.guid }, optionGroup: { guid: group.guid }, quantity },
    ...(isWorded ? { preModifier: { guid: lots.pick(words).guid } } : {}),
    ...(option.source.pricingStrategy === 'OPEN_PRICE'
      ? { openPriceAmount: amountOf(lots, currency) }
      : {}),
    modifiers: modifiersOf(choosing, option.modifierGroups, [], levels - 1) as never,
  };
}
