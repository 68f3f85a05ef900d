import type { RestaurantOverview } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { parseGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { originOf } from '../../audit/origin.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { BackOfficeRequest, OperationHandlers } from '../../http/operation.ts';
import { type PageTokens, pageTokens } from '../../http/paging.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import {
  findManagedRestaurant,
  listRestaurants,
  type RestaurantOverviewRow,
} from '../admin-store.ts';
import { findGroup, listGroups, type ManagementGroupRow } from '../group-store.ts';
import {
  archiveGroup,
  createGroup,
  editGroup,
  groupDocument,
  type Organizer,
} from '../manage-groups.ts';
import {
  archiveRestaurant,
  createRestaurant,
  editRestaurant,
  restaurantDocument,
} from '../manage-restaurants.ts';
import { readGroupEdit, readNewGroup } from './read-group.ts';
import {
  groupParameters,
  type OrganizationPosition,
  pageOf,
  readOrganizationList,
  restaurantParameters,
} from './read-list.ts';
import { readNewRestaurant, readRestaurantEdit } from './read-restaurant.ts';

/** What management groups and restaurants lean on. */
export interface OrganizationRouteDeps {
  readonly database: Pick<Database, 'sql' | 'transaction'>;
  /** The environment's. */
  readonly clock: Clock;
  readonly realClock: Clock;
  /** Authenticates page tokens. */
  readonly vault: Vault;
}

type Change = 'update' | 'archive' | 'unarchive';
type Kind = 'managementGroups' | 'restaurants';
type OrganizationOperationId = `backOffice.${Kind}.${'list' | 'create' | 'get' | Change}`;

/** The operations of the back office on management groups and restaurants. */
export function organizationHandlers(
  deps: OrganizationRouteDeps,
): Pick<OperationHandlers, OrganizationOperationId> {
  return { ...groupHandlers(deps), ...restaurantHandlers(deps) };
}

function organizerOf({ realClock }: OrganizationRouteDeps, request: BackOfficeRequest): Organizer {
  return { origin: originOf(request, realClock), reach: request.reach };
}

function groupHandlers(deps: OrganizationRouteDeps) {
  const { sql } = deps.database;
  const tokens: PageTokens<OrganizationPosition> = pageTokens(deps.vault, 'managementGroups');
  const edit = async (
    request: BackOfficeRequest,
    change: (guid: string, organizer: Organizer) => Promise<ManagementGroupRow | null>,
  ): Promise<{ json: unknown }> => {
    const guid = parseGuid(request.params.managementGroupGuid ?? '');
    const row = guid && (await change(guid, organizerOf(deps, request)));
    if (!row) throw noSuchGroup();
    return { json: groupDocument(row) };
  };
  const archive = (request: BackOfficeRequest, archived: boolean) =>
    edit(request, (guid, organizer) => archiveGroup(deps, guid, organizer, archived));
  return {
    'backOffice.managementGroups.list': async (request: BackOfficeRequest) => {
      const list = readOrganizationList(groupParameters, request, tokens);
      const rows = await listGroups(sql, list.filter, list.after, list.pageSize + 1);
      const { shown, nextPageToken } = pageOf(rows, list, tokens);
      return { json: { results: shown.map(groupDocument), nextPageToken } };
    },
    'backOffice.managementGroups.create': async (request: BackOfficeRequest) => {
      const organizer = organizerOf(deps, request);
      const row = await createGroup(deps, organizer, () => readNewGroup(request.body));
      return { json: groupDocument(row) };
    },
    'backOffice.managementGroups.get': async ({ params, reach }: BackOfficeRequest) => {
      const guid = parseGuid(params.managementGroupGuid ?? '');
      const row = guid && (await findGroup(sql, guid, reach));
      if (!row) throw noSuchGroup();
      return { json: groupDocument(row) };
    },
    'backOffice.managementGroups.update': async (request: BackOfficeRequest) => {
      const change = readGroupEdit(request.body);
      return await edit(request, (guid, organizer) => editGroup(deps, guid, organizer, change));
    },
    'backOffice.managementGroups.archive': (request: BackOfficeRequest) => archive(request, true),
    'backOffice.managementGroups.unarchive': (request: BackOfficeRequest) =>
      archive(request, false),
  };
}

/** The same words for what does not exist and for what is out of reach. */
function noSuchGroup(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such management group within your reach: check managementGroupGuid.',
  );
}

function restaurantHandlers(
  deps: OrganizationRouteDeps,
): Pick<OperationHandlers, `backOffice.restaurants.${'list' | 'create' | 'get' | Change}`> {
  const { sql } = deps.database;
  const tokens: PageTokens<OrganizationPosition> = pageTokens(deps.vault, 'restaurants');
  return {
    'backOffice.restaurants.list': async (request) => {
      const list = readOrganizationList(restaurantParameters, request, tokens);
      const rows = await listRestaurants(sql, list.filter, list.after, list.pageSize + 1);
      const { shown, nextPageToken } = pageOf(rows, list, tokens);
      return { json: { results: shown.map(overview), nextPageToken } };
    },
    'backOffice.restaurants.create': async (request) => {
      const organizer = organizerOf(deps, request);
      const read = () => readNewRestaurant(request.body);
      const row = await createRestaurant(deps, organizer, read);
      return { json: restaurantDocument(row) };
    },
    'backOffice.restaurants.get': async ({ restaurant }) => {
      const row = await findManagedRestaurant(sql, restaurant.guid);
      if (!row) throw new Error(`the restaurant ${restaurant.guid} vanished`);
      return { json: restaurantDocument(row) };
    },
    'backOffice.restaurants.update': async (request) => {
      const organizer = organizerOf(deps, request);
      const edit = readRestaurantEdit(request.body);
      const row = await editRestaurant(deps, request.restaurant.guid, organizer, edit);
      return { json: restaurantDocument(row) };
    },
    'backOffice.restaurants.archive': async (request) => {
      const organizer = organizerOf(deps, request);
      const row = await archiveRestaurant(deps, request.restaurant.guid, organizer, true);
      return { json: restaurantDocument(row) };
    },
    'backOffice.restaurants.unarchive': async (request) => {
      const organizer = organizerOf(deps, request);
      const row = await archiveRestaurant(deps, request.restaurant.guid, organizer, false);
      return { json: restaurantDocument(row) };
    },
  };
}

function overview(row: RestaurantOverviewRow): RestaurantOverview {
  return {
    guid: row.guid,
    managementGroupGuid: row.managementGroupGuid,
    name: row.name,
    locationName: row.locationName,
    locationCode: row.locationCode,
    timeZone: row.timeZone,
    currencyCode: row.currencyCode,
    archived: row.archived,
    version: row.version,
    modifiedAt: isoTimestamp(row.modifiedAt),
  };
}
