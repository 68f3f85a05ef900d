import { randomBytes } from 'node:crypto';
import type { OperationId, Scope } from '@servery/contract';
import {
  type OrganizationRouteDeps,
  organizationHandlers,
} from '../../src/backoffice/organization/routes.ts';
import type { Caller, RestaurantContext } from '../../src/http/operation.ts';
import type { Place } from '../../src/http/reach.ts';
import { restaurantAccess } from '../../src/partners/access.ts';
import { FixedClock } from '../../src/support/clock.ts';
import { newGuid } from '../../src/support/ids.ts';
import { createVault } from '../../src/support/secret.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { callOperation, NOW_MS, principal, type TestAnswer } from '../request.ts';

/** What a test says of a call beside its operation. */
export interface OrganizationCall {
  readonly by?: Caller;
  /** The group or the restaurant in the path. */
  readonly guid?: string;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

/** An entry of the record of changes, as far as tests read it. */
export interface RecordedChange {
  readonly actor: string;
  readonly operation: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly groupGuid: string | null;
  readonly restaurantGuid: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** A database with what administers groups and restaurants, and a clock that a test moves. */
export interface Organization extends TestDatabase {
  readonly clock: FixedClock;
  /** `restaurants.get`, `managementGroups.list` and so on; a path out of reach is what it is. */
  call(name: string, call?: OrganizationCall): Promise<TestAnswer>;
  /** What was recorded about a thing, the oldest first. */
  changesOf(guid: string): Promise<RecordedChange[]>;
  /** Makes a group by the whole platform; gives its GUID. */
  newGroup(name?: string): Promise<string>;
  /** Makes a restaurant by the whole platform; gives it as it was answered. */
  newRestaurant(group: string, general?: object, sections?: object): Promise<TestAnswer['body']>;
}

/** Reaches everything. */
export const operator: Caller = principal({ type: 'BACK_OFFICE', clientId: 'operator' });

/** An account of the back office that reaches a group. */
export const ofGroup = (managementGroupGuid: string): Caller =>
  principal({ type: 'BACK_OFFICE', managementGroupGuid });

/** A person who may read and change what stands at these places. */
export function person(...places: readonly Place[]): Caller {
  const scopes = new Set<Scope>(['restaurants.admin:read', 'restaurants.admin:write']);
  return {
    type: 'PERSON',
    personGuid: newGuid(),
    name: 'Ada Mensah',
    email: 'ada@example.com',
    sessionGuid: newGuid(),
    grants: places.map((place) => ({ scopes, place })),
  };
}

/** A person who looks after one restaurant. */
export const ofRestaurant = (guid: string): Caller => person({ kind: 'restaurant', guid });

/** What a restaurant cannot be made without, beside its group. */
export const essentials = { name: 'Corner', timeZone: 'America/New_York', currencyCode: 'USD' };

/** Opens the administration on a database of its own. */
export async function openOrganization(
  through: (deps: OrganizationRouteDeps) => OrganizationRouteDeps = (deps) => deps,
): Promise<Organization> {
  const testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const clock = new FixedClock(NOW_MS);
  const vault = createVault(randomBytes(32));
  const handlers = organizationHandlers(through({ database, realClock: clock, vault }));
  const access = restaurantAccess({ database });
  const contextOf = async (by: Caller, guid: string) => {
    const decision = await access(by, guid);
    // The pipeline refuses what is out of reach before a handler sees it.
    return decision.outcome === 'granted' ? decision.restaurant : noContext(guid);
  };
  const call = async (name: string, { by = operator, guid, body, query }: OrganizationCall = {}) =>
    callOperation(handlers, `backOffice.${name}` as OperationId, {
      caller: by,
      nowMs: clock.nowMs(),
      body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
      ...(query ? { query } : {}),
      ...(guid ? { params: { managementGroupGuid: guid, restaurantGuid: guid } } : {}),
      ...(guid && name.startsWith('restaurants.')
        ? { restaurant: await contextOf(by, guid) }
        : {}),
    });
  const newGroup = async (name = 'Harbour') =>
    (await call('managementGroups.create', { body: { name } })).body.guid as string;
  return {
    ...testDatabase,
    clock,
    call,
    newGroup,
    newRestaurant: async (managementGroupGuid, general = {}, sections = {}) => {
      const body = { general: { ...essentials, managementGroupGuid, ...general }, ...sections };
      return (await call('restaurants.create', { body })).body;
    },
    changesOf: (guid) => database.sql<RecordedChange[]>`
      select actor, operation, subject_kind as "subjectKind", subject_id as "subjectId",
        management_group_guid as "groupGuid", restaurant_guid as "restaurantGuid", before, after
      from audit_entry where subject_id = ${guid} order by guid`,
  };
}

function noContext(guid: string): RestaurantContext {
  return {
    ...{ guid, managementGroupGuid: newGuid(), timeZone: 'UTC', currencyCode: 'USD' },
    ...{ archived: false, publishNumber: 1 },
  };
}
