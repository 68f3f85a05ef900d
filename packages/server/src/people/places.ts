import { type RoleName, type RolePlace, scopesOfRole } from '@servery/contract';
import { type Grant, isWithin, type KnownPlace, reachOf } from '../reach/reach.ts';
import type { HeldRole } from './person-list-store.ts';
import type { RoleRow } from './session-store.ts';

/** Where a role is that somebody has. */
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

/** What kind of place a role names; null when it names more than one. */
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

/**
 * Whether somebody may give or take a role at a place: nobody gives more there than they have,
 * neither in where nor in what.
 */
export function mayGive(grants: readonly Grant[], role: RoleName, place: KnownPlace): boolean {
  return scopesOfRole(role, place.kind).every((scope) => isWithin(reachOf(grants, scope), place));
}
