import type { Static, TSchema } from 'typebox';
import type { CollectionName, CollectionObjects } from './collections.ts';
import type { TaxRate } from './schemas/configuration-money.ts';
import { DiscountRule } from './schemas/discount-rule.ts';
import { orNull } from './schemas/field.ts';
import {
  menuFields,
  menuGroupFields,
  menuItemFields,
  menuOptionGroupFields,
  preModifierFields,
  priceGroupFields,
} from './schemas/menu-fields.ts';
import type { ExternalReference } from './schemas/reference.ts';

/**
 * What the back office enters beside the fields that partners see in the configuration interface.
 * Each has a default, so that objects without it are valid.
 */
export const officeFields = {
  discounts: {
    rule: orNull(DiscountRule, 'When and where it can be used; null for no limits.'),
  },
  menuGroups: menuGroupFields,
  menuItems: menuItemFields,
  menuOptionGroups: menuOptionGroupFields,
  menus: menuFields,
  preModifiers: preModifierFields,
  priceGroups: priceGroupFields,
} as const satisfies { readonly [Name in CollectionName]?: Readonly<Record<string, TSchema>> };

export function officeFieldsOf(name: CollectionName): Readonly<Record<string, TSchema>> {
  const fields: { readonly [Name in CollectionName]?: Readonly<Record<string, TSchema>> } =
    officeFields;
  return fields[name] ?? {};
}

type FieldsOf<Schemas> = {
  [Field in keyof Schemas]: Schemas[Field] extends TSchema ? Static<Schemas[Field]> : never;
};

type OfficeFields<Name extends CollectionName> = Name extends keyof typeof officeFields
  ? FieldsOf<(typeof officeFields)[Name]>
  : unknown;

/** A reference is stored as the GUID of its target. */
type Stored<Value> = Value extends readonly (infer Item)[]
  ? Stored<Item>[]
  : ExternalReference extends Value
    ? string | Extract<Value, null>
    : Value extends TaxRate
      ? string
      : Value;

type OwnFields<Object> = {
  [Field in Exclude<keyof Object, 'guid' | 'entityType' | 'externalId'>]: Stored<Object[Field]>;
};

/** The fields of an object as they are stored, with those that only the back office has. */
export type StoredFields<Name extends CollectionName> = OwnFields<CollectionObjects[Name]> &
  OfficeFields<Name>;
