import type { DemoSignIn, RoleName } from '@servery/contract';
import { roleNames } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import { isLoopback } from '../http/edge/network.ts';
import { ApiError } from '../http/errors.ts';
import type { PublicRequest } from '../http/operation.ts';
import { listPlaceNames } from '../reach/reached-store.ts';
import { findDemoPeople } from './demo-store.ts';
import type { PeopleDeps } from './people-deps.ts';
import { type BegunSession, beginSession, type SessionOrigin } from './sessions.ts';

type Where = Pick<PublicRequest, 'baseUrl' | 'headers' | 'remoteAddress'>;

/** The address that the demo gives to the person with a role. */
export function demoAddress(role: RoleName): string {
  return `${role.toLowerCase().replaceAll('_', '.')}@demo.example`;
}

/** In the order of the roles. Nobody if the request may come from another machine. */
export async function listDemoPeople(sql: Sql, where: Where): Promise<readonly DemoSignIn[]> {
  if (!isOfOneself(where)) return [];
  const people = await findDemoPeople(sql, roleNames.map(demoAddress));
  const guids = people.flatMap(({ placeGuid }) => (placeGuid === null ? [] : [placeGuid]));
  const names = await listPlaceNames(sql, guids);
  const places = people.map(({ placeGuid, ...person }) => ({
    ...person,
    placeName: placeGuid === null ? null : (names.get(placeGuid) ?? null),
  }));
  return roleNames.flatMap((role) => places.filter((person) => person.role === role));
}

/** Throws ApiError `notFound` for everybody who is not in the list. */
export async function beginDemoSession(
  deps: PeopleDeps,
  personGuid: string,
  where: Where,
  origin: SessionOrigin,
): Promise<BegunSession & { readonly personGuid: string }> {
  const session = await deps.database.transaction(async (sql) => {
    const people = await listDemoPeople(sql, where);
    if (!people.some((person) => person.personGuid === personGuid)) {
      throw new ApiError(
        'notFound',
        'There is no such person of the demo to log in as without a password: log in with the ' +
          'email address and the password of demo.json.',
      );
    }
    return await beginSession(deps, sql, personGuid, origin);
  });
  return { ...session, personGuid };
}

/** The host that was asked counts too: a page of another site must not get in by a name of its own. */
export function isOfOneself({ baseUrl, headers, remoteAddress }: Where): boolean {
  const asked = URL.parse(`http://${headers.host}`)?.hostname ?? '';
  return [new URL(baseUrl).hostname, asked, remoteAddress].every(isLoopback);
}
