import type { CollectionName, CollectionObjects, StoredFields } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';
import type { Money } from './amount.ts';
import { checkBreakType } from './break-type.ts';
import { checkDiscount, checkPromoCodes } from './discount.ts';
import { checkDiscountRule } from './discount-rule.ts';
import type { Placed } from './live-objects.ts';
import { checkMenuItem } from './menu-item.ts';
import {
  checkDefaultPreModifierGroup,
  checkMenuOptionGroup,
  checkPreModifier,
} from './menu-option.ts';
import { checkPricing } from './pricing.ts';
import { checkServiceCharge } from './service-charge.ts';
import { checkTaxRate } from './tax-rate.ts';

type Fields = Readonly<Record<string, unknown>>;

const objectRules: {
  readonly [Name in CollectionName]?: (object: CollectionObjects[Name], place: Place) => void;
} = {
  breakTypes: checkBreakType,
  discounts: checkDiscount,
  preModifiers: checkPreModifier,
  serviceCharges: checkServiceCharge,
  taxRates: checkTaxRate,
};

const collectionRules: {
  readonly [Name in CollectionName]?: (live: readonly Placed<CollectionObjects[Name]>[]) => void;
} = { discounts: checkPromoCodes, preModifierGroups: checkDefaultPreModifierGroup };

const moneyRules: {
  readonly [Name in CollectionName]?: (
    object: StoredFields<Name>,
    place: Place,
    money: Money,
  ) => void;
} = {
  discounts: (discount, place, money) => checkDiscountRule(discount, place.at('rule'), money),
  menuGroups: checkPricedObject,
  menuItems: checkMenuItem,
  menuOptionGroups: checkMenuOptionGroup,
  priceGroups: checkPricedObject,
};

function checkPricedObject(
  { pricing }: StoredFields<'menuGroups' | 'priceGroups'>,
  place: Place,
  money: Money,
): void {
  checkPricing(pricing, place.at('pricing'), money);
}

export function checkObject(
  name: CollectionName,
  fields: Fields,
  place: Place,
  money: Money,
): void {
  if (typeof fields.name === 'string' && fields.name.trim() === '') {
    place.fault('is empty; write a name', 'name');
  }
  const check = objectRules[name] as ((fields: Fields, place: Place) => void) | undefined;
  check?.(fields, place);
  type Check = (fields: Fields, place: Place, money: Money) => void;
  const checkMoney = moneyRules[name] as Check | undefined;
  checkMoney?.(fields, place, money);
}

export function checkCollection(name: CollectionName, live: readonly Placed<Fields>[]): void {
  const check = collectionRules[name] as ((live: readonly Placed<Fields>[]) => void) | undefined;
  check?.(live);
}
