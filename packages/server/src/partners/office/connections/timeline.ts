import { ApiError } from '../../../http/errors.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { listConnectionChanges } from '../../change-store.ts';
import { type ConnectionKey, findConnection } from '../../connection-store.ts';
import type { ConnectionAdminDeps } from '../../connections.ts';
import { neverConnected } from './connection-on-wire.ts';

/** Numbers are only unique within a connection. */
interface TimelinePlace extends ConnectionKey {
  readonly number: number;
}

export function timelineHandler({
  database: { sql },
  vault,
}: ConnectionAdminDeps): HandlerOf<'backOffice.connections.timeline'> {
  const tokens = pageTokens(vault, 'backOffice.connections.timeline');
  return async ({ restaurant, params: { partnerGuid }, query: sent }) => {
    const key = { restaurantGuid: restaurant.guid, partnerGuid };
    if (!(await findConnection(sql, key))) throw neverConnected();
    return answerPage(sent, {
      tokens,
      list: (_query, after: TimelinePlace | null, limit) => {
        if (after && !isOf(after, key)) throw foreignTimeline();
        return listConnectionChanges(sql, key, after?.number ?? null, limit);
      },
      placeOf: ({ number }) => ({ ...key, number }),
      onWire: (change) => change,
    });
  };
}

function isOf(place: TimelinePlace, { restaurantGuid, partnerGuid }: ConnectionKey): boolean {
  return place.restaurantGuid === restaurantGuid && place.partnerGuid === partnerGuid;
}

function foreignTimeline(): ApiError {
  return new ApiError('badRequest', 'pageToken was issued for another timeline: leave it out.');
}
