import { type RoleName, scopesOfRole } from '@servery/contract';
import { type Grant, isWithin, type KnownPlace, reachOf } from '../reach/reach.ts';
import type { HeldRole } from './person-store.ts';

export function placeOfRole(
  role: Omit<HeldRole, 'guid' | 'role' | 'givenAt' | 'givenBy'>,
): KnownPlace {
  const { managementGroupGuid, restaurantGuid, partnerGuid, groupOfRestaurantGuid } = role;
  if (managementGroupGuid !== null) return { kind: 'group', guid: managementGroupGuid };
  if (partnerGuid !== null) return { kind: 'partner', guid: partnerGuid };
  if (restaurantGuid === null) return { kind: 'platform' };
  return {
    kind: 'restaurant',
    guid: restaurantGuid,
    managementGroupGuid: groupOfRestaurantGuid ?? '',
  };
}

/** Nobody gives more than they have, neither in place nor in rights. */
export function mayGive(grants: readonly Grant[], role: RoleName, place: KnownPlace): boolean {
  return scopesOfRole(role, place.kind).every((scope) => isWithin(reachOf(grants, scope), place));
}
