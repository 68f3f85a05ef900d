import type { Scope } from '@servery/contract';
import type { Reach } from '../support/due-work.ts';

export type { Reach };

export type Place =
  | { readonly kind: 'platform' }
  | { readonly kind: 'group' | 'restaurant' | 'partner'; readonly guid: string };

export interface Grant {
  readonly scopes: ReadonlySet<Scope>;
  readonly place: Place;
}

/** Null as the scope means any grant. */
export function reachOf(grants: readonly Grant[], scope: Scope | null): Reach {
  const places = grants
    .filter(({ scopes }) => scope === null || scopes.has(scope))
    .map(({ place }) => place);
  const guidsOf = (kind: Exclude<Place['kind'], 'platform'>) =>
    places.flatMap((place) => (place.kind === kind ? [place.guid] : []));
  return {
    isPlatform: places.some(({ kind }) => kind === 'platform'),
    groupGuids: guidsOf('group'),
    restaurantGuids: guidsOf('restaurant'),
    partnerGuids: guidsOf('partner'),
  };
}

export function reachesRestaurant(
  reach: Reach,
  restaurant: { readonly guid: string; readonly managementGroupGuid: string },
): boolean {
  return (
    reach.isPlatform ||
    reach.groupGuids.includes(restaurant.managementGroupGuid) ||
    reach.restaurantGuids.includes(restaurant.guid)
  );
}

export type KnownPlace =
  | { readonly kind: 'platform' }
  | { readonly kind: 'group' | 'partner'; readonly guid: string }
  | { readonly kind: 'restaurant'; readonly guid: string; readonly managementGroupGuid: string };

export function isWithin(reach: Reach, place: KnownPlace): boolean {
  if (reach.isPlatform) return true;
  switch (place.kind) {
    case 'platform':
      return false;
    case 'group':
      return reach.groupGuids.includes(place.guid);
    case 'partner':
      return reach.partnerGuids.includes(place.guid);
    case 'restaurant':
      return reachesRestaurant(reach, place);
  }
}
