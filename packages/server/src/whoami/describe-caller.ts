import {
  type RequestOf,
  scopeGrants,
  scopes,
  type WhoAmI,
  type WhoAmIGrant,
} from '@servery/contract';
import type { Database } from '../database/database.ts';
import type { Faults } from '../http/faults.ts';
import { type Caller, grantsOf } from '../http/operation.ts';
import { type Grant, reachOf } from '../reach/reach.ts';
import { listPlaceNames, listReachedRestaurants } from '../reach/reached-store.ts';
import { type ForeseeDeps, foresee } from './foresee.ts';

export interface WhoAmIDeps extends ForeseeDeps {
  readonly database: Database;
}

/** Nobody reads more names. */
const RESTAURANTS_SHOWN = 100;

export async function describeCaller(
  deps: WhoAmIDeps,
  caller: Caller,
  query: RequestOf<'backOffice.whoami'>['query'],
  faults: Faults,
): Promise<WhoAmI> {
  const { sql } = deps.database;
  const call = await foresee(deps, caller, query, faults);
  const grants = grantsOf(caller);
  const names = await listPlaceNames(
    sql,
    grants.flatMap(({ place }) => (place.kind === 'platform' ? [] : [place.guid])),
  );
  const partnerGuid = caller.type === 'PARTNER' ? caller.partnerGuid : null;
  const restaurants = await listReachedRestaurants(
    sql,
    partnerGuid === null ? reachOf(grants, null) : { partnerGuid },
    RESTAURANTS_SHOWN + 1,
  );
  const isPerson = caller.type === 'PERSON';
  return {
    type: caller.type,
    id: isPerson ? caller.personGuid : caller.clientId,
    name: caller.name,
    email: isPerson ? caller.email : null,
    grants: grants.map((grant) => grantOnWire(grant, names)),
    restaurants: restaurants.slice(0, RESTAURANTS_SHOWN),
    hasMoreRestaurants: restaurants.length > RESTAURANTS_SHOWN,
    call,
  };
}

function grantOnWire({ place, ...grant }: Grant, names: ReadonlyMap<string, string>): WhoAmIGrant {
  const guid = place.kind === 'platform' ? null : place.guid;
  return {
    place: place.kind,
    guid,
    name: guid === null ? null : (names.get(guid) ?? null),
    scopes: scopes
      .filter((scope) => grant.scopes.has(scope))
      .map((scope) => ({ scope, allows: scopeGrants[scope] })),
  };
}
