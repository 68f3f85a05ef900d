import { parseGuid } from '@servery/support/ids.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { type Answers, cachedAnswer } from '../../http/fast/cached-answer.ts';
import type { Access, OperationHandlers, RestaurantRequest } from '../../http/operation.ts';
import { restaurantInfo } from '../restaurant-info.ts';
import { findManagementGroup, findRestaurant, listGroupRestaurants } from '../store.ts';

/** What the restaurants interface needs from outside. */
export interface RestaurantDeps {
  readonly database: Database;
  readonly answers: Answers;
  /** Tells whether the client reaches the restaurant in the path (decisions RST-3). */
  readonly access: Access;
  /** The switch `restaurants.groupList` (decisions RST-4). */
  readonly groupList: 'all' | 'reachable';
}

/** The two operations of the restaurants interface (decisions RST-1–RST-5). */
export function restaurantHandlers(
  deps: RestaurantDeps,
): Pick<OperationHandlers, 'restaurants.get' | 'restaurants.listGroup'> {
  return {
    'restaurants.get': (request) => getRestaurant(deps, request),
    'restaurants.listGroup': (request) => listGroup(deps, request),
  };
}

async function getRestaurant(deps: RestaurantDeps, request: RestaurantRequest) {
  const { restaurant, params, principal, query } = request;
  const includeArchived = readIncludeArchived(query.includeArchived);
  const guid = parseGuid(params.restaurantGUID ?? '');
  if (restaurant.archived && guid !== restaurant.guid) throw archivedHeader();
  if (guid === null) throw notThere();
  if (guid !== restaurant.guid) {
    const access = await deps.access(principal, guid);
    if (access.outcome !== 'granted') throw notThere();
  }
  const parts = ['restaurant', guid, String(includeArchived)];
  return await cachedAnswer(deps.answers, parts, [`restaurant:${guid}`], async () => {
    const row = await findRestaurant(deps.database.sql, guid);
    if (row === null || (row.archived && !includeArchived)) throw notThere();
    return { json: restaurantInfo(row) };
  });
}

async function listGroup(deps: RestaurantDeps, request: RestaurantRequest) {
  const { restaurant, params, principal } = request;
  const groupGuid = parseGuid(params.managementGroupGUID ?? '');
  if (groupGuid !== restaurant.managementGroupGuid) {
    const exists = groupGuid !== null && (await findManagementGroup(deps.database.sql, groupGuid));
    throw exists ? notInGroup() : unknownGroup();
  }
  // A management group account reaches its whole group; a partner what is connected to it.
  const partnerGuid = deps.groupList === 'reachable' ? principal.partnerGuid : null;
  const list = async () => ({
    json: await listGroupRestaurants(deps.database.sql, groupGuid, partnerGuid),
  });
  // What is connected to a partner is no subject of the group's.
  if (partnerGuid !== null) return await list();
  return await cachedAnswer(deps.answers, ['group', groupGuid], [`group:${groupGuid}`], list);
}

function readIncludeArchived(text: string | undefined): boolean {
  if (text === undefined || /^false$/i.test(text)) return false;
  if (/^true$/i.test(text)) return true;
  const shown = JSON.stringify(text.slice(0, 50));
  throw new ApiError(
    'badRequest',
    `includeArchived ${shown} is not a boolean: send true or false, or leave it out.`,
  );
}

/** The 404 of RST-1, the same whether the restaurant is unknown, out of reach or archived. */
function notThere(): ApiError {
  return new ApiError(
    'notFound',
    'The path names no restaurant that this client reaches: check the GUID and the connection' +
      ' (for an archived restaurant send includeArchived=true).',
  );
}

/** An archived restaurant in the header may only be the one that is asked for (RST-2). */
function archivedHeader(): ApiError {
  return new ApiError(
    'restaurantArchived',
    'The restaurant in the header is archived and can only be used to read itself: name another' +
      ' one in the header.',
  );
}

function unknownGroup(): ApiError {
  return new ApiError('notFound', 'The path names no management group: check the GUID.');
}

function notInGroup(): ApiError {
  return new ApiError(
    'forbidden',
    'The restaurant in the header does not belong to the management group in the path: name one' +
      ' that does.',
  );
}
