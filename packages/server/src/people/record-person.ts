import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { findPerson, type HeldRole, type PersonRow } from './person-store.ts';

/**
 * Reads and returns the person as changed. Writes nothing when nothing changed. A role change is
 * logged at the role's place, without roles elsewhere; any other change at the smallest place that
 * holds all roles.
 */
export async function recordPerson(
  sql: Sql,
  origin: ChangeOrigin,
  guid: string,
  before: PersonRow | null,
): Promise<PersonRow> {
  const after = await findPerson(sql, guid, origin.realAt);
  if (!after) throw new Error('a person that was changed is gone');
  if (before && JSON.stringify(before) === JSON.stringify(after)) return after;
  const place = commonPlace(concernedRoles(before?.roles ?? [], after.roles));
  await insertEntry(sql, origin, {
    subject: { kind: 'person', id: guid },
    ...place,
    before: before && documentOf(before, place),
    after: documentOf(after, place),
  });
  return after;
}

/** No GUID means the platform. */
interface EntryPlace {
  readonly managementGroupGuid?: string | null;
  readonly restaurantGuid?: string | null;
  readonly partnerGuid?: string | null;
}

function concernedRoles(
  before: readonly HeldRole[],
  after: readonly HeldRole[],
): readonly HeldRole[] {
  const taken = before.filter(({ guid }) => !after.some((role) => role.guid === guid));
  const given = after.filter(({ guid }) => !before.some((role) => role.guid === guid));
  return taken.length + given.length > 0 ? [...taken, ...given] : after;
}

function commonPlace(roles: readonly HeldRole[]): EntryPlace {
  const [first, ...others] = roles.map(entryPlaceOf);
  if (!first) return {};
  const isShared = (name: keyof EntryPlace) => others.every((place) => place[name] === first[name]);
  if (!isShared('managementGroupGuid') || !isShared('partnerGuid')) return {};
  return isShared('restaurantGuid') ? first : { ...first, restaurantGuid: null };
}

function entryPlaceOf(role: HeldRole): EntryPlace {
  const { managementGroupGuid, groupOfRestaurantGuid, restaurantGuid, partnerGuid } = role;
  return {
    managementGroupGuid: managementGroupGuid ?? groupOfRestaurantGuid,
    restaurantGuid,
    partnerGuid,
  };
}

function documentOf(person: PersonRow, place: EntryPlace): Record<string, unknown> {
  const roles = person.roles.filter((role) => isIn(entryPlaceOf(role), place));
  return JSON.parse(JSON.stringify({ ...person, roles }));
}

function isIn(role: EntryPlace, place: EntryPlace): boolean {
  if (place.partnerGuid) return role.partnerGuid === place.partnerGuid;
  if (place.restaurantGuid) return role.restaurantGuid === place.restaurantGuid;
  return !place.managementGroupGuid || role.managementGroupGuid === place.managementGroupGuid;
}
