import type { Clock } from '@servery/support/clock.ts';
import { parseGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { originOf } from '../../../audit/origin.ts';
import { ApiError } from '../../../http/errors.ts';
import type { ListPosition } from '../../../http/list-query.ts';
import type { BackOfficeRestaurantRequest, OperationHandlers } from '../../../http/operation.ts';
import { answerPage } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { readNameFilter } from '../../../http/read-query.ts';
import { type ConnectionChangeRow, listConnectionChanges } from '../../change-store.ts';
import {
  type ConnectionKey,
  type ConnectionView,
  findConnection,
  listRestaurantConnections,
  type NamedPlace,
} from '../../connection-store.ts';
import { type ConnectionDeps, connect, disconnect, updateReferences } from '../../connections.ts';
import { type ConnectablePartner, listConnectablePartners } from '../../partner-store.ts';
import { changeOnWire, connectionOnWire } from './present.ts';
import { readConnectionEdit, readEnding, readNewConnection, readState } from './read-body.ts';

/** What the connections of restaurants lean on. */
export interface ConnectionRouteDeps extends ConnectionDeps {
  readonly realClock: Clock;
  /** Authenticates page tokens. */
  readonly vault: Vault;
}

type ConnectionRead = 'list' | 'partners' | 'get' | 'timeline';
type ConnectionChangeName = 'connect' | 'update' | 'disconnect';
type Handlers<Name extends string> = Pick<
  OperationHandlers,
  `backOffice.connections.${Name & (ConnectionRead | ConnectionChangeName)}`
>;

/** The operations of the back office on connections of restaurants and partners (AUTH-7, AUTH-9, PTN-7). */
export function connectionHandlers(
  deps: ConnectionRouteDeps,
): Handlers<ConnectionRead | ConnectionChangeName> {
  return { ...readingHandlers(deps), ...changingHandlers(deps) };
}

const listNames = ['state', 'pageSize'] as const;
const partnerNames = ['name', 'pageSize'] as const;
const timelineNames = ['pageSize'] as const;

function readingHandlers({ database, vault }: ConnectionRouteDeps): Handlers<ConnectionRead> {
  const { sql } = database;
  const listTokens = pageTokens<ListPosition<(typeof listNames)[number], NamedPlace>>(
    vault,
    'backOffice.connections',
  );
  const partnerTokens = pageTokens<ListPosition<(typeof partnerNames)[number], NamedPlace>>(
    vault,
    'backOffice.connections.partners',
  );
  const timelineTokens = pageTokens<ListPosition<(typeof timelineNames)[number], TimelinePlace>>(
    vault,
    'backOffice.connections.timeline',
  );
  return {
    'backOffice.connections.list': ({ restaurant: { guid: restaurantGuid }, query }) =>
      answerPage(query, {
        names: listNames,
        tokens: listTokens,
        list: ({ state }, after, limit) =>
          listRestaurantConnections(
            sql,
            { restaurantGuid, isLive: readState(state) },
            after,
            limit,
          ),
        placeOf: (row: ConnectionView) => ({ name: row.partnerName, guid: row.partnerGuid }),
        onWire: connectionOnWire,
      }),
    'backOffice.connections.partners': ({ restaurant: { guid: restaurantGuid }, query }) =>
      answerPage(query, {
        names: partnerNames,
        tokens: partnerTokens,
        list: ({ name }, after, limit) =>
          listConnectablePartners(
            sql,
            { restaurantGuid, name: readNameFilter(name) },
            after,
            limit,
          ),
        placeOf: ({ name, guid }: ConnectablePartner) => ({ name, guid }),
        onWire: (row) => row,
      }),
    'backOffice.connections.get': async (request) => {
      const connection = await findConnection(sql, keyOf(request));
      if (!connection) throw neverConnected();
      return { json: connectionOnWire(connection) };
    },
    'backOffice.connections.timeline': async (request) => {
      const key = keyOf(request);
      if (!(await findConnection(sql, key))) throw neverConnected();
      return answerPage(request.query, {
        names: timelineNames,
        tokens: timelineTokens,
        list: (_query, after, limit) => {
          if (after && keyText(after) !== keyText(key)) throw foreignTimeline();
          return listConnectionChanges(sql, key, after?.number ?? null, limit);
        },
        placeOf: ({ number }: ConnectionChangeRow) => ({ ...key, number }),
        onWire: changeOnWire,
      });
    },
  };
}

/** The last change of a page, and whose it is: numbers say nothing by themselves. */
interface TimelinePlace extends ConnectionKey {
  readonly number: number;
}

function changingHandlers(deps: ConnectionRouteDeps): Handlers<ConnectionChangeName> {
  return {
    'backOffice.connections.connect': async (request) => {
      const body = readNewConnection(request.body, request.caller);
      const origin = originOf(request, deps.realClock);
      const restaurantGuid = request.restaurant.guid;
      return { json: connectionOnWire(await connect(deps, { ...body, restaurantGuid, origin })) };
    },
    'backOffice.connections.update': async (request) => {
      const body = readConnectionEdit(request.body, request.caller);
      const origin = originOf(request, deps.realClock);
      const connection = await updateReferences(deps, { ...keyOf(request), ...body, origin });
      return { json: connectionOnWire(connection) };
    },
    'backOffice.connections.disconnect': async (request) => {
      const body = readEnding(request.body, request.caller);
      const origin = originOf(request, deps.realClock);
      const connection = await disconnect(deps, { ...keyOf(request), ...body, origin });
      return { json: connectionOnWire(connection) };
    },
  };
}

/** The connection that the path names. Throws the 404 of one that never was. */
function keyOf({ restaurant, params }: BackOfficeRestaurantRequest): ConnectionKey {
  const partnerGuid = parseGuid(params.partnerGuid ?? '');
  if (partnerGuid === null) throw neverConnected();
  return { restaurantGuid: restaurant.guid, partnerGuid };
}

function keyText({ restaurantGuid, partnerGuid }: ConnectionKey): string {
  return `${restaurantGuid} ${partnerGuid}`;
}

/** The same words for a partner that does not exist and for one that was never connected. */
function neverConnected(): ApiError {
  return new ApiError(
    'notFound',
    'The restaurant was never connected to such a partner: check the path, or connect them.',
  );
}

function foreignTimeline(): ApiError {
  return new ApiError('badRequest', 'pageToken was given for another timeline: leave it out.');
}
