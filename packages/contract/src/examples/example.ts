import type { Static } from 'typebox';
import type { SchemaName, schemas } from '../schemas.ts';

export type Examples<Name extends SchemaName> = {
  readonly [Each in Name]: Static<(typeof schemas)[Each]>;
};

/** All examples share one small restaurant; `serial` tells its objects apart. */
export const exampleGuid = (serial: number): string =>
  `5f0c1a2e-7b34-4d8a-9c61-${String(serial).padStart(12, '0')}`;

/** Digits, never a GUID. */
export const exampleMultiLocationId = '100000000051568382';

export const reference = (entityType: string, serial: number) => ({
  guid: exampleGuid(serial),
  entityType,
});

export const externalReference = (entityType: string, serial: number) => ({
  ...reference(entityType, serial),
  externalId: null,
});

export const serials = {
  restaurant: 1,
  managementGroup: 2,
  menu: 10,
  menuGroup: 11,
  menuItem: 12,
  menuOptionGroup: 13,
  preModifierGroup: 14,
  modifierItem: 15,
  preModifier: 16,
  printer: 20,
  revenueCenter: 21,
  serviceArea: 22,
  taxRate: 23,
  event: 30,
} as const;
