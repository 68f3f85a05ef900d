import { type RoleName, type RolePlace, roles } from '@servery/contract';
import { type Database, isSqlState, type Sql } from '../db/database.ts';
import { ApiError } from '../http/errors.ts';
import { type Grant, type Reach, reachesRestaurant } from '../http/reach.ts';
import type { Clock } from '../support/clock.ts';
import { newGuid } from '../support/ids.ts';
import type { Vault } from '../support/secret.ts';
import { type Invitation, invite } from './invitations.ts';
import { hashPassword, isPassword, passwordFault } from './password.ts';
import {
  deleteRole,
  findCredentialsOf,
  insertPerson,
  insertRole,
  listPeople,
  type PersonRow,
  updateDeactivated,
  updatePassword,
  updatePersonName,
} from './person-store.ts';
import { deleteSessions, type RoleRow } from './session-store.ts';

/** What looking after people leans on; people live in real time. */
export interface PeopleDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
}

/** Where a role is to be given: one GUID at most, none is the platform. */
export interface RoleInput extends Omit<RoleRow, 'guid'> {
  readonly role: RoleName;
}

const FOREIGN_KEY_VIOLATION = '23503';
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)*$/;

/** The e-mail address as it is stored. Throws ApiError `unprocessable` for what is none. */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (EMAIL.test(email) && email.length <= 254) return email;
  throw new ApiError(
    'unprocessable',
    'email is no e-mail address: send one such as ada@example.com.',
  );
}

/**
 * Adds a person with a role, and gives the link with which a password is chosen. Throws ApiError
 * `conflict` when the address is taken, and what `giveRole` throws.
 */
export async function addPerson(
  deps: PeopleDeps,
  person: { readonly email: string; readonly name: string; readonly role: RoleInput },
  by: string,
): Promise<{ readonly person: PersonRow; readonly invitation: Invitation }> {
  const email = readEmail(person.email);
  const guid = newGuid();
  const now = new Date(deps.realClock.nowMs());
  return await deps.database.transaction(async (sql) => {
    if (!(await insertPerson(sql, { guid, email, name: person.name, createdAt: now }))) {
      throw new ApiError('conflict', 'Somebody with that e-mail address is there already.');
    }
    await giveRole(sql, guid, person.role, { now, by });
    const invitation = await invite(deps, sql, guid, by);
    return { person: await findPerson(sql, guid), invitation };
  });
}

/**
 * Gives a person a role. Throws ApiError `unprocessable` for a place where the role cannot be
 * given or that does not exist. A role that the person has there already is left as it is.
 */
export async function giveRole(
  sql: Sql,
  personGuid: string,
  input: RoleInput,
  { now, by }: { readonly now: Date; readonly by: string },
): Promise<void> {
  const place = rolePlaceOf(input);
  const { places } = roles[input.role];
  if (!places.includes(place)) {
    throw new ApiError(
      'unprocessable',
      `${input.role} cannot be given for a ${place}: only for ${places.join(', ')}.`,
    );
  }
  try {
    await insertRole(sql, personGuid, { ...input, guid: newGuid(), givenAt: now, givenBy: by });
  } catch (error) {
    if (!isSqlState(error, FOREIGN_KEY_VIOLATION)) throw error;
    throw new ApiError('unprocessable', `There is no such ${place}: check its GUID.`);
  }
}

/** What kind of place a role is for. Throws ApiError `unprocessable` when two are named. */
export function rolePlaceOf(role: Omit<RoleInput, 'role'>): RolePlace {
  const named = [
    ...(role.managementGroupGuid === null ? [] : (['group'] as const)),
    ...(role.restaurantGuid === null ? [] : (['restaurant'] as const)),
    ...(role.partnerGuid === null ? [] : (['partner'] as const)),
  ];
  if (named.length > 1) {
    throw new ApiError('unprocessable', 'A role is for one place: name one GUID, or none.');
  }
  return named[0] ?? 'platform';
}

/** Takes a role. Throws ApiError `notFound` when the person has none of that GUID. */
export async function takeRole(sql: Sql, personGuid: string, guid: string): Promise<void> {
  if (await deleteRole(sql, personGuid, guid)) return;
  throw new ApiError('notFound', 'The person has no such role: check roleGuid in the path.');
}

/** Finds a person. Throws ApiError `notFound`. */
export async function findPerson(sql: Sql, guid: string): Promise<PersonRow> {
  const [person] = await listPeople(sql, guid);
  if (person) return person;
  throw new ApiError('notFound', 'There is no such person within your reach: check personGuid.');
}

/** Deactivates a person, whose sessions end at once. Harmless when it is done already. */
export async function deactivatePerson(deps: PeopleDeps, guid: string): Promise<void> {
  await deps.database.transaction(async (sql) => {
    await updateDeactivated(sql, guid, new Date(deps.realClock.nowMs()));
    await deleteSessions(sql, guid, { exceptGuid: null });
  });
}

/** Lets a person log in again. Harmless when it is done already. */
export async function reactivatePerson({ database }: PeopleDeps, guid: string): Promise<void> {
  await updateDeactivated(database.sql, guid, null);
}

/** Changes what a person is called. */
export async function renamePerson({ database }: PeopleDeps, guid: string, name: string) {
  await updatePersonName(database.sql, guid, name);
}

/**
 * Changes one's own password, and ends one's other sessions. Throws ApiError `forbidden` for a
 * wrong present password and `unprocessable` for a new one that is too weak.
 */
export async function changePassword(
  deps: PeopleDeps,
  self: { readonly personGuid: string; readonly email: string; readonly sessionGuid: string },
  { current, next }: { readonly current: string; readonly next: string },
): Promise<void> {
  const credentials = await findCredentialsOf(deps.database.sql, self.personGuid);
  if (!(await isPassword(credentials?.passwordHash ?? null, current))) {
    throw new ApiError('forbidden', 'currentPassword is not yours: the password stays.');
  }
  const fault = passwordFault(next, self.email);
  if (fault) throw new ApiError('unprocessable', `newPassword will not do. ${fault}`);
  const passwordHash = await hashPassword(next);
  await deps.database.transaction(async (sql) => {
    await updatePassword(sql, self.personGuid, passwordHash);
    await deleteSessions(sql, self.personGuid, { exceptGuid: self.sessionGuid });
  });
}

/** A place with what decides whether it is within reach. */
export type PlaceInReach =
  | { readonly kind: 'platform' }
  | { readonly kind: 'group' | 'partner'; readonly guid: string }
  | { readonly kind: 'restaurant'; readonly guid: string; readonly managementGroupGuid: string };

/**
 * Whether somebody with that reach may give or take a role at a place: nobody gives more than he
 * has, neither in where nor, by `grants`, in what.
 */
export function mayGive(
  { reach, grants }: { readonly reach: Reach; readonly grants: readonly Grant[] },
  role: RoleName,
  place: PlaceInReach,
): boolean {
  if (reach.isPlatform) return true;
  if (place.kind === 'platform') return false;
  const isReached =
    place.kind === 'restaurant'
      ? reachesRestaurant(reach, place)
      : (place.kind === 'group' ? reach.groupGuids : reach.partnerGuids).includes(place.guid);
  const held = new Set(grants.flatMap(({ scopes }) => [...scopes]));
  return isReached && roles[role].scopes.every((scope) => held.has(scope));
}
