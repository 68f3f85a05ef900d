import type { ConnectionChange, RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../../database/database.ts';
import { ApiError } from '../../../http/errors.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage, type ListPosition } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { isoTimestamp } from '../../../http/timestamps.ts';
import { type ConnectionChangeRow, listConnectionChanges } from '../../change-store.ts';
import { type ConnectionKey, findConnection } from '../../connection-store.ts';
import { employeeOnWire } from './connection-on-wire.ts';
import { neverConnected } from './never-connected.ts';

type Query = RequestOf<'backOffice.connections.timeline'>['query'];

export interface TimelineDeps {
  readonly database: Database;
  readonly vault: Vault;
}

/** Numbers are only unique within a connection. */
interface TimelinePlace extends ConnectionKey {
  readonly number: number;
}

export function timelineHandler({
  database: { sql },
  vault,
}: TimelineDeps): HandlerOf<'backOffice.connections.timeline'> {
  const list = 'backOffice.connections.timeline';
  const tokens = pageTokens<ListPosition<Query, TimelinePlace>>(vault, list);
  return async ({ restaurant, params: { partnerGuid }, query: sent }) => {
    const key = { restaurantGuid: restaurant.guid, partnerGuid };
    if (!(await findConnection(sql, key))) throw neverConnected();
    return answerPage(sent, {
      tokens,
      list: (_query, after, limit) => {
        if (after && !isOf(after, key)) throw foreignTimeline();
        return listConnectionChanges(sql, key, after?.number ?? null, limit);
      },
      placeOf: ({ number }) => ({ ...key, number }),
      onWire: changeOnWire,
    });
  };
}

function isOf(place: TimelinePlace, { restaurantGuid, partnerGuid }: ConnectionKey): boolean {
  return place.restaurantGuid === restaurantGuid && place.partnerGuid === partnerGuid;
}

function foreignTimeline(): ApiError {
  return new ApiError('badRequest', 'pageToken was given for another timeline: leave it out.');
}

function changeOnWire(change: ConnectionChangeRow): ConnectionChange {
  const { number, kind, at, actor: by, requestId, reason } = change;
  const { externalGroupRef, externalRestaurantRef } = change;
  const references = { externalGroupRef, externalRestaurantRef };
  const employee = employeeOnWire(change);
  return { number, kind, at: isoTimestamp(at), by, employee, requestId, ...references, reason };
}
