import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import { originOf } from '../audit/origin.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { type BackOfficeRequest, grantsOf } from '../http/operation.ts';
import { type Grant, isWithin, type Reach } from '../reach/reach.ts';
import { findHeldPerson, findPerson, type PersonRow } from './person-list-store.ts';
import { findHasOperator, findHeldOperators } from './person-store.ts';
import { mayGive, placeOfRole } from './places.ts';
import { recordPerson } from './record-person.ts';

/** What looking after people needs; people live in real time. */
export interface PeopleDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
}

/** Somebody who looks after people. */
export interface Administrator {
  /** Where people may be looked after. */
  readonly reach: Reach;
  /** All that the administrator may do, and where: nobody gives more. */
  readonly grants: readonly Grant[];
  /** Null for a client. */
  readonly personGuid: string | null;
  readonly origin: ChangeOrigin;
}

type BackOfficeRequestOrigin = Parameters<typeof originOf>[0] &
  Pick<BackOfficeRequest, 'caller' | 'reach'>;

/** How a person is changed. */
export interface PersonChange {
  /**
   * `whole`: what counts everywhere, a password for example, takes somebody who may give all that
   * the person has. `part`: one role, which the change itself looks at.
   */
  readonly concerns: 'whole' | 'part';
  /** True for what may remove the last operator. */
  readonly mayRemoveOperator?: boolean;
  /** Makes the change; throws what it refuses. */
  readonly make: (sql: Sql, person: PersonRow, now: Date) => Promise<void>;
}

/** Who sends a request about people. */
export function administratorOf(
  request: BackOfficeRequestOrigin,
  { realClock }: Pick<PeopleDeps, 'realClock'>,
): Administrator {
  const { caller, reach } = request;
  return {
    reach,
    grants: grantsOf(caller),
    personGuid: caller.type === 'PERSON' ? caller.personGuid : null,
    origin: originOf(request, realClock),
  };
}

/**
 * Changes a person in one transaction, with its entry in the record of changes, and gives the
 * person after the change. Throws ApiError `notFound` for somebody out of reach, `forbidden` for
 * somebody who has more than the administrator, `conflict` for the last operator, and what `make`
 * throws.
 */
export async function changePerson(
  { database, realClock }: PeopleDeps,
  administrator: Administrator,
  guid: string,
  { concerns, mayRemoveOperator = false, make }: PersonChange,
): Promise<PersonRow> {
  return await database.transaction(async (sql) => {
    const now = new Date(realClock.nowMs());
    if (mayRemoveOperator) await findHeldOperators(sql);
    const hadOperator = mayRemoveOperator && (await findHasOperator(sql));
    const before = await findHeldPerson(sql, guid, now);
    if (!before || !isVisible(administrator.reach, before)) throw noSuchPerson();
    if (concerns === 'whole' && !holdsAllOf(administrator, before)) throw hasMore();
    await make(sql, before, now);
    if (hadOperator && !(await findHasOperator(sql))) throw lastOperator();
    const after = await findPerson(sql, guid, now);
    if (!after) throw new Error('a person that was changed is gone');
    await recordPerson(sql, administrator.origin, before, after);
    return after;
  });
}

/** Whether any role of a person lies within reach. */
export function isVisible(reach: Reach, { roles }: PersonRow): boolean {
  return reach.isPlatform || roles.some((role) => isWithin(reach, placeOfRole(role)));
}

/** Somebody without any role is the platform's affair. */
function holdsAllOf({ reach, grants }: Administrator, { roles }: PersonRow): boolean {
  if (roles.length === 0) return reach.isPlatform;
  return roles.every((held) => mayGive(grants, held.role, placeOfRole(held)));
}

/** The same words for what does not exist and for what is out of reach. */
export function noSuchPerson(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such person within your reach: check personGuid in the path.',
  );
}

function hasMore(): ApiError {
  return new ApiError(
    'forbidden',
    'The person may do more, or elsewhere, than you: ask somebody who may do all of it.',
  );
}

function lastOperator(): ApiError {
  return new ApiError(
    'conflict',
    'Nobody else could run the platform then: make another operator first, and have the link used.',
  );
}
