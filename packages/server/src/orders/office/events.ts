import type { HandlerOf } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { noSuchOrder } from '../kitchen/decide.ts';
import type { OfficeOrderDeps } from './answer-decision.ts';
import { listOrderEvents } from './list-store.ts';

export const orderEventsHandler =
  ({
    database: { sql },
  }: Pick<OfficeOrderDeps, 'database'>): HandlerOf<'backOffice.orders.events'> =>
  async ({ restaurant, params }) => {
    const events = await listOrderEvents(sql, restaurant.guid, params.orderGuid);
    if (events.length === 0) throw noSuchOrder();
    return {
      json: events.map(({ occurredAt, ...event }) => ({
        ...event,
        occurredAt: isoTimestamp(occurredAt),
      })),
    };
  };
