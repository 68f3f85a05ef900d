import type { GiveRole, PersonRole, RoleName } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { signIn, people as texts } from '../../messages.ts';
import { restaurants } from '../../platform/restaurants.ts';
import { call, holds } from '../../platform/session.ts';

const PAGE = 200;

interface Named {
  readonly guid: string;
  readonly name: string;
}

/** Where roles can be: what the person knows of them by name. */
export interface Places {
  readonly groups: readonly Named[];
  readonly restaurants: readonly Named[];
  readonly partners: readonly Named[];
}

export function usePlaces(): Places {
  const [groups, setGroups] = useState<readonly Named[]>([]);
  const [partners, setPartners] = useState<readonly Named[]>([]);
  useEffect(() => {
    const query = { pageSize: PAGE };
    // Without the right to read them, roles show where they are by kind only.
    if (holds('restaurants.admin:read')) {
      call('backOffice.managementGroups.list', { query }).then(
        ({ results }) => setGroups(results),
        () => {},
      );
    }
    if (holds('clients:read')) {
      call('backOffice.partners.list', { query }).then(
        ({ results }) => setPartners(results),
        () => {},
      );
    }
  }, []);
  return { groups, partners, restaurants: restaurants.value };
}

/** For example `Read only, The Early Wren`. */
export function roleInWords(role: Omit<PersonRole, 'givenAt' | 'givenBy'>, places: Places): string {
  return `${signIn.roles[role.role]}, ${placeInWords(role, places)}`;
}

export function placeInWords(
  role: Pick<PersonRole, 'managementGroupGuid' | 'restaurantGuid' | 'partnerGuid'>,
  places: Places,
): string {
  const { managementGroupGuid, restaurantGuid, partnerGuid } = role;
  const nameIn = (named: readonly Named[], guid: string, kind: string) =>
    named.find((each) => each.guid === guid)?.name ?? kind;
  if (managementGroupGuid) return nameIn(places.groups, managementGroupGuid, texts.kinds.group);
  if (restaurantGuid) return nameIn(places.restaurants, restaurantGuid, texts.kinds.restaurant);
  if (partnerGuid) return nameIn(places.partners, partnerGuid, texts.kinds.partner);
  return texts.kinds.platform;
}

/** What a form asks of a role. */
export interface RoleChoice {
  readonly role: RoleName;
  /** The kind of place and its GUID, for example `group/5f0c…`; `platform/` has none. */
  readonly place: string;
}

export function bodyOf({ role, place }: RoleChoice): GiveRole {
  const [kind, guid = ''] = place.split('/');
  if (kind === 'group') return { role, managementGroupGuid: guid };
  if (kind === 'restaurant') return { role, restaurantGuid: guid };
  return kind === 'partner' ? { role, partnerGuid: guid } : { role };
}
