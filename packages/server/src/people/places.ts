import { type RoleName, type RolePlace, scopesOfRole } from '@servery/contract';
import { type Grant, isWithin, type KnownPlace, reachOf } from '../reach/reach.ts';
import type { HeldRole } from './person-list-store.ts';
import type { RoleRow } from './session-store.ts';

export function placeOfRole(role: HeldRole): KnownPlace {
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

/** Null when it names more than one. */
export function kindOfPlace(
  role: Pick<RoleRow, 'managementGroupGuid' | 'restaurantGuid' | 'partnerGuid'>,
): RolePlace | null {
  const named = [
    ...(role.managementGroupGuid === null ? [] : (['group'] as const)),
    ...(role.restaurantGuid === null ? [] : (['restaurant'] as const)),
    ...(role.partnerGuid === null ? [] : (['partner'] as const)),
  ];
  return named.length > 1 ? null : (named[0] ?? 'platform');
}

/** Nobody gives more than they have, neither in place nor in rights. */
export function mayGive(grants: readonly Grant[], role: RoleName, place: KnownPlace): boolean {
  return scopesOfRole(role, place.kind).every((scope) => isWithin(reachOf(grants, scope), place));
}
