import type { Static } from 'typebox';
import type { SchemaName, schemas } from '../schemas.ts';

/** One believable value for each of some resources. */
export type Examples<Name extends SchemaName> = {
  readonly [Each in Name]: Static<(typeof schemas)[Each]>;
};

/** The same small restaurant stands in all examples; `serial` tells its objects apart. */
export const exampleGuid = (serial: number): string =>
  `5f0c1a2e-7b34-4d8a-9c61-${String(serial).padStart(12, '0')}`;

/** The multi-location identifier of the menu item in all examples: digits, never a GUID. */
export const exampleMultiLocationId = '100000000051568382';

/** Gives a `Reference` to the object with that serial. */
export const reference = (entityType: string, serial: number) => ({
  guid: exampleGuid(serial),
  entityType,
});

/** Gives an `ExternalReference` to the object with that serial, without an outside identifier. */
export const externalReference = (entityType: string, serial: number) => ({
  ...reference(entityType, serial),
  externalId: null,
});

/** Serials of the objects that several examples name. */
export const serials = {
  restaurant: 1,
  managementGroup: 2,
  menu: 10,
  menuGroup: 11,
  menuItem: 12,
  menuOptionGroup: 13,
  preModifierGroup: 14,
  modifierItem: 15,
  printer: 20,
  revenueCenter: 21,
  serviceArea: 22,
  taxRate: 23,
  event: 30,
} as const;
