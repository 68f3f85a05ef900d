import {
  type EventKind,
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
  listTakersAtRestaurants,
  updateEventPositions,
  type WantedEvents,
} from './restaurant-event-store.ts';

type OtherEvent = Exclude<WebhookEvent, PartnerEvent>;

/** An event that is not about a connection. */
export type RestaurantEvent = OtherEvent extends infer Event
  ? Event extends OtherEvent
    ? {
        readonly type: Event['eventType'];
        readonly details: Event['details'];
        /** Only of an event for one partner. */
        readonly guid?: string;
      }
    : never
  : never;

type RestaurantEventType = RestaurantEvent['type'];

export interface RestaurantNews extends ToldTo {
  readonly at: Date;
  /** Asked only if somebody wants the types. */
  readonly events: () => Promise<readonly RestaurantEvent[]>;
}

interface ToldTo {
  readonly restaurantGuid: string;
  /** Of one category. */
  readonly types: readonly [RestaurantEventType, ...RestaurantEventType[]];
  /** Only the partner of this account is told. */
  readonly ofClient?: string;
  /** Only this partner is told. */
  readonly ofPartner?: string;
}

export function wantedEvents({ restaurantGuid, types, ofClient, ofPartner }: ToldTo): WantedEvents {
  const { scope, unlessScope }: EventKind = eventKinds[types[0]];
  if (scope === null) throw new Error(`events of the type ${types[0]} are not of a restaurant`);
  return { restaurantGuid, types, ofClient, ofPartner, scope, unlessScope };
}

/**
 * HOOK-2: tells the connected partners, in the transaction of what happened: both commit or
 * neither. One statement if nobody wants the news. Call it last, and once: other events of these
 * partners wait from here on, and a second call could wait for a transaction that waits for this
 * one.
 */
export async function queueRestaurantEvents(
  sql: Sql,
  ...news: readonly RestaurantNews[]
): Promise<void> {
  await queueRestaurantEventsAfter(sql, [], news);
}

/** The same after `writes` that have begun; who takes the news is asked in the same round trip. */
export async function queueRestaurantEventsAfter(
  sql: Sql,
  writes: readonly Promise<unknown>[],
  news: readonly RestaurantNews[],
): Promise<void> {
  const [takersOfEach] = await Promise.all([
    listTakersAtRestaurants(sql, news.map(wantedEvents)),
    ...writes,
  ]);
  const told: ToldPartner[] = [];
  for (const [index, one] of news.entries()) {
    const takers = takersOfEach[index] ?? [];
    if (takers.length > 0) told.push(...toldPartners(one, takers, await one.events()));
  }
  if (told.length === 0) return;
  const counts = Map.groupBy(told, ({ partnerGuid }) => partnerGuid)
    .entries()
    .map(([partnerGuid, all]) => ({
      partnerGuid,
      count: all.reduce((sum, { events }) => sum + events.length, 0),
    }))
    .toArray();
  const newest = await updateEventPositions(sql, counts);
  const last = new Map(
    counts.map(({ partnerGuid, count }) => [partnerGuid, (newest.get(partnerGuid) ?? 0) - count]),
  );
  for (const { partnerGuid, news: of, events: own, takers } of told) {
    let position = last.get(partnerGuid) ?? 0;
    for (const part of partsOf(own)) {
      await nextTurn();
      const rows = part.map(({ type, details, guid = newGuid() }) => {
        position += 1;
        const body = eventBody({ guid, type, at: of.at, details });
        const endpointGuids = takers
          .filter((taker) => wants(taker, type))
          .flatMap(({ endpointGuid }) => endpointGuid ?? []);
        const deliveryGuids = endpointGuids.map(() => newGuid());
        return { partnerGuid, position, guid, type, body, endpointGuids, deliveryGuids };
      });
      await insertRestaurantEvents(sql, of.restaurantGuid, of.at, rows);
    }
    last.set(partnerGuid, position);
  }
}

interface ToldPartner {
  readonly partnerGuid: string;
  readonly news: RestaurantNews;
  readonly takers: readonly EventTaker[];
  readonly events: readonly RestaurantEvent[];
}

function toldPartners(
  news: RestaurantNews,
  takers: readonly EventTaker[],
  events: readonly RestaurantEvent[],
): ToldPartner[] {
  const byPartner = Map.groupBy(takers, ({ partnerGuid }) => partnerGuid);
  return [...byPartner].flatMap(([partnerGuid, own]) => {
    const wanted = events.filter(({ type }) => own.some((taker) => wants(taker, type)));
    return wanted.length === 0 ? [] : [{ partnerGuid, news, takers: own, events: wanted }];
  });
}

function wants({ eventTypes }: EventTaker, type: EventType): boolean {
  return eventTypes === null || eventTypes.includes(type);
}
