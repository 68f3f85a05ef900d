import {
  type EventType,
  eventKinds,
  type PartnerEvent,
  type WebhookEvent,
} from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { nextTurn, partsOf } from '@servery/support/runner.ts';
import type { Sql } from '../../database/database.ts';
import { eventBody } from '../events/event-body.ts';
import {
  type EventTaker,
  insertRestaurantEvents,
  listTakersAtRestaurant,
  updateEventPositions,
  type WantedEvents,
} from './restaurant-event-store.ts';

type OtherEvent = Exclude<WebhookEvent, PartnerEvent>;

/** An event that is not about a connection. */
export type RestaurantEvent = OtherEvent extends infer Event
  ? Event extends OtherEvent
    ? { readonly type: Event['eventType']; readonly details: Event['details'] }
    : never
  : never;

type RestaurantEventType = RestaurantEvent['type'];

export interface RestaurantNews {
  readonly restaurantGuid: string;
  /** Of one category. */
  readonly types: readonly [RestaurantEventType, ...RestaurantEventType[]];
  /** Only the partner of this account is told. */
  readonly ofClient?: string;
  readonly at: Date;
  /** Asked only if somebody wants the types. */
  readonly events: () => Promise<readonly RestaurantEvent[]>;
}

export function wantedEvents({
  restaurantGuid,
  types,
  ofClient,
}: Pick<RestaurantNews, 'restaurantGuid' | 'types' | 'ofClient'>): WantedEvents {
  return { restaurantGuid, types, ofClient, scope: eventKinds[types[0]].scope };
}

/**
 * HOOK-2: tells the connected partners, in the transaction of what happened: both commit or
 * neither. One statement when nobody wants the events. Call it last: other events of these partners
 * wait from here on.
 */
export async function queueRestaurantEvents(sql: Sql, news: RestaurantNews): Promise<void> {
  const takers = await listTakersAtRestaurant(sql, wantedEvents(news));
  if (takers.length === 0) return;
  const events = await news.events();
  const told = toldPartners(takers, events);
  if (told.length === 0) return;
  const counts = told.map(({ partnerGuid, events: { length: count } }) => ({ partnerGuid, count }));
  const newest = await updateEventPositions(sql, counts);
  for (const { partnerGuid, events: own, takers: ownTakers } of told) {
    let position = (newest.get(partnerGuid) ?? 0) - own.length;
    for (const part of partsOf(own)) {
      await nextTurn();
      const rows = part.map(({ type, details }) => {
        position += 1;
        const guid = newGuid();
        const body = eventBody({ guid, type, at: news.at, details });
        const endpointGuids = ownTakers
          .filter((taker) => wants(taker, type))
          .flatMap(({ endpointGuid }) => endpointGuid ?? []);
        const deliveryGuids = endpointGuids.map(() => newGuid());
        return { partnerGuid, position, guid, type, body, endpointGuids, deliveryGuids };
      });
      await insertRestaurantEvents(sql, news.restaurantGuid, news.at, rows);
    }
  }
}

interface ToldPartner {
  readonly partnerGuid: string;
  readonly takers: readonly EventTaker[];
  readonly events: readonly RestaurantEvent[];
}

function toldPartners(
  takers: readonly EventTaker[],
  events: readonly RestaurantEvent[],
): ToldPartner[] {
  const byPartner = Map.groupBy(takers, ({ partnerGuid }) => partnerGuid);
  return [...byPartner].flatMap(([partnerGuid, own]) => {
    const wanted = events.filter(({ type }) => own.some((taker) => wants(taker, type)));
    return wanted.length === 0 ? [] : [{ partnerGuid, takers: own, events: wanted }];
  });
}

function wants({ eventTypes }: EventTaker, type: EventType): boolean {
  return eventTypes === null || eventTypes.includes(type);
}
