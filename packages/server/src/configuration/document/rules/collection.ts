import type { CollectionName, CollectionObjects } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';
import { checkBreakType } from './break-type.ts';
import { checkDiscount, checkPromoCodes } from './discount.ts';
import {
  checkDefaultPreModifierGroup,
  checkMenuOptionGroup,
  checkPreModifier,
} from './menu-option.ts';
import { checkServiceCharge } from './service-charge.ts';
import { checkTaxRate } from './tax-rate.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Placed<Object = Fields> {
  readonly fields: Object;
  readonly place: Place;
}

const objectRules: {
  readonly [Name in CollectionName]?: (object: CollectionObjects[Name], place: Place) => void;
} = {
  breakTypes: checkBreakType,
  discounts: checkDiscount,
  menuOptionGroups: checkMenuOptionGroup,
  preModifiers: checkPreModifier,
  serviceCharges: checkServiceCharge,
  taxRates: checkTaxRate,
};

const collectionRules: {
  readonly [Name in CollectionName]?: (live: readonly Placed<CollectionObjects[Name]>[]) => void;
} = { discounts: checkPromoCodes, preModifierGroups: checkDefaultPreModifierGroup };

export function checkObject(name: CollectionName, fields: Fields, place: Place): void {
  if (typeof fields.name === 'string' && fields.name.trim() === '') {
    place.fault('is empty; write a name', 'name');
  }
  const check = objectRules[name] as ((fields: Fields, place: Place) => void) | undefined;
  check?.(fields, place);
}

export function checkCollection(name: CollectionName, live: readonly Placed[]): void {
  const check = collectionRules[name] as ((live: readonly Placed[]) => void) | undefined;
  check?.(live);
}
