import type { Reach } from '../../reach/reach.ts';
import { isWithin } from '../../reach/reach.ts';
import { type Invitation, invitationUrl } from '../invitations.ts';
import type { PersonRow } from '../person-store.ts';
import { placeOfRole } from '../places.ts';

/** Without roles beyond the reach; null shows all. */
export function personOnWire({ guid: personGuid, ...person }: PersonRow, reach: Reach | null) {
  const roles = person.roles
    .filter((role) => !reach || isWithin(reach, placeOfRole(role)))
    .map(({ guid: roleGuid, groupOfRestaurantGuid: _, ...role }) => ({ roleGuid, ...role }));
  return { personGuid, ...person, roles };
}

export function linkOnWire(invitation: Invitation, baseUrl: string) {
  const { token, expiresAt } = invitation;
  return { url: invitationUrl(baseUrl, invitation), token: token.reveal(), expiresAt };
}
