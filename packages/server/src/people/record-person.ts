import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import type { HeldRole, PersonRow } from './person-list-store.ts';

/**
 * Writes down how a person was and is; nothing when nothing changed. Roles that were given or taken
 * are told where they are, without roles elsewhere; all else where all roles are.
 */
export async function recordPerson(
  sql: Sql,
  origin: ChangeOrigin,
  before: PersonRow | null,
  after: PersonRow,
): Promise<void> {
  if (before && JSON.stringify(before) === JSON.stringify(after)) return;
  const place = commonPlace(concernedRoles(before?.roles ?? [], after.roles));
  await insertEntry(sql, origin, {
    subject: { kind: 'person', id: after.guid },
    ...place,
    before: before && documentOf(before, place),
    after: documentOf(after, place),
  });
}

/** Where an entry stands; without any GUID it is the platform's. */
interface EntryPlace {
  readonly managementGroupGuid?: string | null;
  readonly restaurantGuid?: string | null;
  readonly partnerGuid?: string | null;
}

/** The roles that a change is about: those that were given or taken, or else all. */
function concernedRoles(
  before: readonly HeldRole[],
  after: readonly HeldRole[],
): readonly HeldRole[] {
  const taken = before.filter(({ guid }) => !after.some((role) => role.guid === guid));
  const given = after.filter(({ guid }) => !before.some((role) => role.guid === guid));
  return taken.length + given.length > 0 ? [...taken, ...given] : after;
}

/** The smallest place that all of the roles are in. */
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

/** A person in the record of changes of a place: plain JSON, with the roles there. */
function documentOf(person: PersonRow, place: EntryPlace): Record<string, unknown> {
  const roles = person.roles.filter((role) => isIn(entryPlaceOf(role), place));
  return JSON.parse(JSON.stringify({ ...person, roles }));
}

/** Whether a role is in a place; every role is on the platform. */
function isIn(role: EntryPlace, place: EntryPlace): boolean {
  if (place.partnerGuid) return role.partnerGuid === place.partnerGuid;
  if (place.restaurantGuid) return role.restaurantGuid === place.restaurantGuid;
  return !place.managementGroupGuid || role.managementGroupGuid === place.managementGroupGuid;
}
