import { type GiveRole, type RoleName, roles } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { isWithin, type KnownPlace } from '../reach/reach.ts';
import type { Administrator } from './administer.ts';
import { deleteInvitationsOfOthers } from './invitation-store.ts';
import { findGroupOfRestaurant, findIsThere, insertRole } from './person-store.ts';
import { kindOfPlace, mayGive } from './places.ts';
import type { RoleRow } from './session-store.ts';

/**
 * Keeps a role that the person already has. A new role ends the links that others made for the
 * person. Throws ApiError `unprocessable` for a place that doesn't fit, doesn't exist or is out of
 * reach, and `forbidden` for a role beyond the administrator's.
 */
export async function giveRole(
  sql: Sql,
  { reach, grants, origin }: Pick<Administrator, 'reach' | 'grants' | 'origin'>,
  given: { readonly personGuid: string; readonly role: GiveRole; readonly now: Date },
): Promise<void> {
  const { personGuid, now } = given;
  const input = roleOf(given.role);
  const place = await findPlace(sql, input);
  if (!place || (place.kind !== 'platform' && !isWithin(reach, place))) throw noSuchPlace(input);
  if (!isWithin(reach, place) || !mayGive(grants, input.role, place)) throw mayNotGive(input.role);
  const role = { ...input, guid: newGuid(), givenAt: now, givenBy: origin.by };
  if (!(await insertRole(sql, personGuid, role))) return;
  // The maker may still have the link, and may lack the rights that it would open now.
  await deleteInvitationsOfOthers(sql, personGuid, origin.by);
}

type RoleInput = Omit<RoleRow, 'guid'>;

function roleOf(given: GiveRole): RoleInput {
  const { role, managementGroupGuid = null, restaurantGuid = null, partnerGuid = null } = given;
  return { role, managementGroupGuid, restaurantGuid, partnerGuid };
}

async function findPlace(sql: Sql, input: RoleInput): Promise<KnownPlace | null> {
  const kind = kindOfPlace(input);
  if (kind === null) {
    throw new ApiError('unprocessable', 'A role is for one place: name one GUID, or none.');
  }
  const { places } = roles[input.role];
  if (!places.includes(kind)) {
    throw new ApiError(
      'unprocessable',
      `${input.role} cannot be given for a ${kind}: only for ${places.join(', ')}.`,
    );
  }
  if (kind === 'platform') return { kind };
  const guid = input.managementGroupGuid ?? input.restaurantGuid ?? input.partnerGuid ?? '';
  if (kind !== 'restaurant') return (await findIsThere(sql, kind, guid)) ? { kind, guid } : null;
  const managementGroupGuid = await findGroupOfRestaurant(sql, guid);
  return managementGroupGuid === null ? null : { kind, guid, managementGroupGuid };
}

/** The same text for unknown and out of reach. */
function noSuchPlace(input: RoleInput): ApiError {
  const kind = kindOfPlace(input);
  return new ApiError(
    'unprocessable',
    `There is no such ${kind} within your reach: check the GUID of the role's place.`,
  );
}

export function mayNotGive(role: RoleName): ApiError {
  return new ApiError(
    'forbidden',
    `${role} allows more there than you may do yourself: ask somebody who may do all of it.`,
  );
}
