import { randomBytes } from 'node:crypto';
import type { OperationId, Scope } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import { furtherOf, refusingItself } from '../../src/http/look-further.ts';
import type { Answer, BackOfficeRestaurantRequest, Caller } from '../../src/http/operation.ts';
import { admit } from '../../src/http/pipeline/admit.ts';
import type { SentRequest } from '../../src/http/pipeline/read-request.ts';
import { restaurantAccess } from '../../src/partners/access.ts';
import type { Place } from '../../src/reach/reach.ts';
import {
  type OfficeOrganizationDeps,
  officeOrganizationHandlers,
} from '../../src/restaurants/office/handlers.ts';
import { type AuditEntryRow, listAuditEntries } from '../audit/entry-rows-store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { idleCaches } from '../freshness/caches.ts';
import { callOperation, NOW_MS, principal, type TestAnswer } from '../request.ts';

/** What a test says of a call beside its operation. */
interface RestaurantCall {
  readonly by?: Caller;
  /** The group or the restaurant in the path. */
  readonly guid?: string;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

/** A database with what administers groups and restaurants, and a clock that a test moves. */
export interface RestaurantFixture extends TestDatabase {
  readonly clock: FixedClock;
  /** `restaurants.get`, `managementGroups.list` and so on; a path out of reach is what it is. */
  call(name: string, call?: RestaurantCall): Promise<TestAnswer>;
  /** What was recorded about a thing, the oldest first. */
  changesOf(guid: string): Promise<AuditEntryRow[]>;
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
export async function openRestaurantFixture(
  through: (deps: OfficeOrganizationDeps) => OfficeOrganizationDeps = (deps) => deps,
): Promise<RestaurantFixture> {
  const testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const clock = new FixedClock(NOW_MS);
  const vault = createVault(randomBytes(32));
  const handlers = admitted(
    officeOrganizationHandlers(through({ database, clock, realClock: clock, vault })),
    {
      brand: 'Platform',
      isSandbox: true,
      access: restaurantAccess({ ...idleCaches(database), database }),
      chargeAddress: async () => {},
    },
  );
  const call = async (name: string, { by = operator, guid, body, query }: RestaurantCall = {}) =>
    callOperation(handlers, `backOffice.${name}` as OperationId, {
      caller: by,
      nowMs: clock.nowMs(),
      // What the pipeline hands on came over the wire.
      body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
      ...(query ? { query } : {}),
      ...(guid ? { params: { managementGroupGuid: guid, restaurantGuid: guid } } : {}),
    });
  const newGroup = async (name = 'Harbor') =>
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
    changesOf: (guid) => listAuditEntries(database.sql, guid),
  };
}

type Handlers = ReturnType<typeof officeOrganizationHandlers>;

/** The handlers behind the checks of the pipeline: who gets in, and to which restaurant. */
function admitted(handlers: Handlers, deps: Parameters<typeof admit>[0]) {
  const entries = Object.entries(handlers as Record<string, (request: never) => Promise<Answer>>);
  const checked = entries.map(([id, handler]) => {
    const run = async (request: BackOfficeRestaurantRequest & SentRequest) => {
      const restaurant = await admit(deps, { ...request, raw: { headers: {} } });
      return handler({ ...request, restaurant } as never);
    };
    return [id, furtherOf(handler) === undefined ? run : refusingItself(run)];
  });
  return Object.fromEntries(checked);
}

const services = [
  {
    name: 'Dinner',
    hours: { startTime: '17:00:00.000', endTime: '23:00:00.000' },
    overnight: false,
  },
  {
    name: 'Late',
    hours: { startTime: '23:00:00.000', endTime: '02:00:00.000' },
    overnight: true,
  },
];

/** Every field of a restaurant but its group, none of them as it is when nobody says anything. */
export const everyField = {
  general: {
    name: 'Harbor Kitchen',
    locationName: 'Old Pier',
    locationCode: 'PIER',
    description: 'Tacos and oysters by the water',
    timeZone: 'America/New_York',
    closeoutHour: 3,
    currencyCode: 'USD',
    firstBusinessDate: 20240315,
  },
  urls: {
    website: 'https://harbor.example',
    facebook: 'harbor.kitchen',
    twitter: '@harbor',
    orderOnline: 'https://harbor.example/order',
    purchaseGiftCard: 'https://harbor.example/gift',
    checkGiftCard: 'http://harbor.example/gift?check',
  },
  location: {
    address1: '1 Old Pier',
    address2: 'Unit 2',
    city: 'Boston',
    stateCode: 'MA',
    administrativeArea: 'Massachusetts',
    zipCode: '02110',
    country: 'US',
    phone: '(617) 555-0100 x7',
    phoneCountryCode: '1',
    latitude: 42.3601,
    longitude: -71.0489,
  },
  schedules: {
    daySchedules: {
      1: {
        scheduleName: 'Open late',
        services,
        openTime: '17:00:00.000',
        closeTime: '02:00:00.000',
      },
      22: { scheduleName: 'Holiday', services: [], openTime: null, closeTime: null },
    },
    weekSchedule: {
      ...{ monday: '22', tuesday: '1', wednesday: '1', thursday: '1' },
      ...{ friday: '1', saturday: '1', sunday: '22' },
    },
  },
  delivery: { enabled: true, minimum: 15.5, area: '_p~iF~ps|U_ulLnnqC_mqNvxq`@' },
  onlineOrdering: {
    enabled: true,
    scheduling: true,
    specialRequests: true,
    specialRequestsMessage: 'Tell us about allergies',
    paymentOptions: {
      delivery: { cash: true, ccSameDay: true, ccFuture: true },
      takeout: { cash: true, ccSameDay: true, ccFuture: true, ccInStore: true },
      ccTip: true,
    },
  },
  prepTimes: {
    deliveryPrepTime: 40,
    deliveryTimeAfterOpen: 1,
    deliveryTimeBeforeClose: 2,
    takeoutPrepTime: 20,
    takeoutTimeAfterOpen: 3,
    takeoutTimeBeforeClose: 4,
    takeoutThrottlingTime: 5,
    deliveryThrottlingTime: 6,
  },
  orders: { approval: 'manual' },
};
