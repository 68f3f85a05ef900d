import type { ChangeOrigin } from '../audit/entry-store.ts';
import { originOf } from '../audit/origin.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { type BackOfficeRequest, grantsOf } from '../http/operation.ts';
import { type Grant, isWithin, type Reach } from '../reach/reach.ts';
import type { PeopleDeps } from './people-deps.ts';
import {
  findHasOperator,
  findHeldOperators,
  findHeldPerson,
  findPerson,
  type PersonRow,
} from './person-store.ts';
import { mayGive, placeOfRole } from './places.ts';
import { recordPerson } from './record-person.ts';

export interface Administrator {
  readonly reach: Reach;
  /** Nobody may give more than this. */
  readonly grants: readonly Grant[];
  readonly origin: ChangeOrigin;
}

export interface PersonChange {
  /**
   * `whole`: the change affects everything (a password, for example), so the administrator must be
   * allowed to give all of the person's roles. `part`: one role, which the change checks itself.
   */
  readonly concerns: 'whole' | 'part';
  readonly mayRemoveOperator?: boolean;
  readonly make: (sql: Sql, person: PersonRow, administrator: Administrator) => Promise<void>;
}

interface PersonRequest extends BackOfficeRequest {
  readonly params: { readonly personGuid: string };
}

export function administratorOf(
  request: BackOfficeRequest,
  { realClock }: PeopleDeps,
): Administrator {
  const { caller, reach } = request;
  return { reach, grants: grantsOf(caller), origin: originOf(request, realClock) };
}

/**
 * Writes the audit log in the same transaction. Throws ApiError `notFound` for a person out of
 * reach, `forbidden` for one who has more than the administrator, `conflict` for the last operator,
 * and what `make` throws.
 */
export async function changePerson(
  deps: PeopleDeps,
  request: PersonRequest,
  { concerns, mayRemoveOperator = false, make }: PersonChange,
): Promise<PersonRow> {
  const administrator = administratorOf(request, deps);
  const { reach, origin } = administrator;
  return await deps.database.transaction(async (sql) => {
    if (mayRemoveOperator) await findHeldOperators(sql);
    const hadOperator = mayRemoveOperator && (await findHasOperator(sql));
    const before = await findHeldPerson(sql, request.params.personGuid, origin.realAt);
    if (!before || !isVisible(reach, before)) throw noSuchPerson();
    if (concerns === 'whole' && !holdsAllOf(administrator, before)) throw hasMore();
    await make(sql, before, administrator);
    if (hadOperator && !(await findHasOperator(sql))) throw lastOperator();
    return await recordPerson(sql, origin, before.guid, before);
  });
}

/** For reads that show what the person does. Throws ApiError like `changePerson`. */
export async function requireWholePerson(
  deps: PeopleDeps,
  request: PersonRequest,
): Promise<PersonRow> {
  const administrator = administratorOf(request, deps);
  const now = administrator.origin.realAt;
  const person = await findPerson(deps.database.sql, request.params.personGuid, now);
  if (!person || !isVisible(administrator.reach, person)) throw noSuchPerson();
  if (!holdsAllOf(administrator, person)) throw hasMore();
  return person;
}

export function isVisible(reach: Reach, { roles }: PersonRow): boolean {
  return reach.isPlatform || roles.some((role) => isWithin(reach, placeOfRole(role)));
}

/** People without roles belong to the platform. */
function holdsAllOf({ reach, grants }: Administrator, { roles }: PersonRow): boolean {
  if (roles.length === 0) return reach.isPlatform;
  return roles.every((held) => mayGive(grants, held.role, placeOfRole(held)));
}

/** The same text for unknown and out of reach. */
export function noSuchPerson(): ApiError {
  return new ApiError(
    'notFound',
    "There is no such person, or you don't have access to them: check personGuid in the path.",
  );
}

function hasMore(): ApiError {
  return new ApiError(
    'forbidden',
    'The person has permissions that you do not have: ask somebody who has them.',
  );
}

function lastOperator(): ApiError {
  return new ApiError(
    'conflict',
    'After that, nobody could run the platform: add another operator first, and have them use ' +
      'their link.',
  );
}
