import type { InvitationLink, Person, PersonRole } from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { Reach } from '../../reach/reach.ts';
import { isWithin } from '../../reach/reach.ts';
import { type Invitation, invitationUrl } from '../invitations.ts';
import type { HeldRole, PersonRow } from '../person-list-store.ts';
import { placeOfRole } from '../places.ts';

export function personOnWire(person: PersonRow, reach: Reach | null): Person {
  const { guid: personGuid, email, name, hasTotp } = person;
  const { createdAt, deactivatedAt, passwordChangedAt, invitedUntil } = person;
  const roles = person.roles.filter((role) => !reach || isWithin(reach, placeOfRole(role)));
  return {
    personGuid,
    email,
    name,
    createdAt: isoTimestamp(createdAt),
    deactivatedAt: deactivatedAt && isoTimestamp(deactivatedAt),
    passwordChangedAt: passwordChangedAt && isoTimestamp(passwordChangedAt),
    hasTotp,
    invitedUntil: invitedUntil && isoTimestamp(invitedUntil),
    roles: roles.map(roleOnWire),
  };
}

export function linkOnWire(invitation: Invitation, baseUrl: string): InvitationLink {
  return {
    url: invitationUrl(baseUrl, invitation),
    token: invitation.token.reveal(),
    expiresAt: isoTimestamp(invitation.expiresAt),
  };
}

function roleOnWire(held: HeldRole): PersonRole {
  const { guid: roleGuid, role, managementGroupGuid, restaurantGuid, partnerGuid } = held;
  const { givenAt, givenBy } = held;
  return {
    roleGuid,
    role,
    managementGroupGuid,
    restaurantGuid,
    partnerGuid,
    givenAt: isoTimestamp(givenAt),
    givenBy,
  };
}
