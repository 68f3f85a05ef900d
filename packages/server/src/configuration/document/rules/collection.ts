import type {
  BreakType,
  CollectionName,
  Discount,
  MenuOptionGroup,
  PreModifier,
  PreModifierGroup,
  ServiceCharge,
  TaxRate,
} from '@servery/contract';
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

const objectRules: { readonly [Name in CollectionName]?: (fields: Fields, place: Place) => void } =
  {
    breakTypes: (fields, place) => checkBreakType(fields as unknown as BreakType, place),
    discounts: (fields, place) => checkDiscount(fields as unknown as Discount, place),
    menuOptionGroups: (fields, place) =>
      checkMenuOptionGroup(fields as unknown as MenuOptionGroup, place),
    preModifiers: (fields, place) => checkPreModifier(fields as unknown as PreModifier, place),
    serviceCharges: (fields, place) =>
      checkServiceCharge(fields as unknown as ServiceCharge, place),
    taxRates: (fields, place) => checkTaxRate(fields as unknown as TaxRate, place),
  };

export function checkObject(name: CollectionName, fields: Fields, place: Place): void {
  if (typeof fields.name === 'string' && fields.name.trim() === '') {
    place.fault('is empty; write a name', 'name');
  }
  objectRules[name]?.(fields, place);
}

export function checkCollection(
  name: CollectionName,
  live: readonly { readonly fields: Fields; readonly place: Place }[],
): void {
  if (name === 'discounts') {
    checkPromoCodes(
      live.map(({ fields, place }) => ({ discount: fields as unknown as Discount, place })),
    );
  }
  if (name === 'preModifierGroups') {
    checkDefaultPreModifierGroup(
      live.map(({ fields, place }) => ({ group: fields as unknown as PreModifierGroup, place })),
    );
  }
}
