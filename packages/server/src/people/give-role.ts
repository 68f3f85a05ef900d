import { type GiveRole, type RoleName, roles } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { isWithin, type KnownPlace } from '../reach/reach.ts';
import { findPlace } from '../reach/reached-store.ts';
import type { Administrator } from './administer.ts';
import { deleteInvitations } from './invitation-store.ts';
import { insertRole } from './person-store.ts';
import { mayGive } from './places.ts';

/**
 * Keeps a role that the person already has. A new role ends the links that others made for the
 * person. Throws ApiError `unprocessable` for a place that doesn't fit, doesn't exist or is out of
 * reach, and `forbidden` for a role beyond the administrator's.
 */
export async function giveRole(
  sql: Sql,
  { reach, grants, origin }: Administrator,
  personGuid: string,
  given: GiveRole,
): Promise<void> {
  const { role, managementGroupGuid = null, restaurantGuid = null, partnerGuid = null } = given;
  const place = await placeOf(sql, given);
  if (place.kind !== 'platform' && !isWithin(reach, place)) throw noSuchPlace(place.kind);
  if (!isWithin(reach, place) || !mayGive(grants, role, place)) throw mayNotGive(role);
  const at = { managementGroupGuid, restaurantGuid, partnerGuid, givenAt: origin.realAt };
  const row = { guid: newGuid(), role, ...at, givenBy: origin.by };
  if (!(await insertRole(sql, personGuid, row))) return;
  // The maker may still have the link, and may lack the rights that it would open now.
  await deleteInvitations(sql, personGuid, { keepsThoseBy: origin.by });
}

async function placeOf(sql: Sql, given: GiveRole): Promise<KnownPlace> {
  const [named, ...others] = (
    [
      ['group', given.managementGroupGuid],
      ['restaurant', given.restaurantGuid],
      ['partner', given.partnerGuid],
    ] as const
  ).flatMap(([kind, guid]) => (guid ? [{ kind, guid }] : []));
  if (others.length > 0) {
    throw new ApiError('unprocessable', 'A role is for one place: name one GUID, or none.');
  }
  const kind = named?.kind ?? 'platform';
  const { places } = roles[given.role];
  if (!places.includes(kind)) {
    throw new ApiError(
      'unprocessable',
      `${given.role} cannot be given for a ${kind}: only for ${places.join(', ')}.`,
    );
  }
  if (!named) return { kind: 'platform' };
  const place = await findPlace(sql, named.kind, named.guid);
  if (!place) throw noSuchPlace(named.kind);
  return place;
}

/** The same text for unknown and out of reach. */
function noSuchPlace(kind: KnownPlace['kind']): ApiError {
  return new ApiError(
    'unprocessable',
    `There is no such ${kind}, or you don't have access to it: check the GUID of the role's place.`,
  );
}

export function mayNotGive(role: RoleName): ApiError {
  return new ApiError(
    'forbidden',
    `${role} allows more than you can do there yourself: ask somebody who has these permissions.`,
  );
}
