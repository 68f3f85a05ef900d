import { signal } from '@preact/signals';
import type { RequestFor } from '@servery/client/back-office';
import type { BackOfficeOrder } from '@servery/contract';
import { nowMs } from '../../platform/clock.ts';
import { call } from '../../platform/session.ts';
import { type Place, readPlace } from './place.ts';
import { businessDayStart, instantOf, stateOf } from './state.ts';

type Query = NonNullable<RequestFor<'backOffice.orders.list'>['query']>;

/** What others did: placed an order, or changed one. */
export interface OrderNews {
  /** Null for a new order. */
  readonly before: BackOfficeOrder | null;
  readonly after: BackOfficeOrder;
}

const PAGE = 100;
const OPEN_PAGES = 3;
const CLOSED_PAGES = 2;
const CHANGED_PAGES = 3;
/** A change may be stored a moment after a newer one. */
const OVERLAP_MS = 10_000;
/** Readings of changes between two readings of everything. */
const CHANGES_PER_LOAD = 30;

/** The orders that a restaurant works on and those of today, kept up by what has changed. */
export class OrderFeed {
  readonly orders = signal<ReadonlyMap<string, BackOfficeOrder>>(new Map());
  readonly place = signal<Place | null>(null);
  /** False if there are more open orders, or more of today, than are here. */
  readonly hasAllOpen = signal(true);
  readonly hasAllClosed = signal(true);
  /** Orders that were canceled while the kitchen prepared them, until somebody has seen it. */
  readonly stopped = signal<readonly BackOfficeOrder[]>([]);
  readonly #restaurantGuid: string;
  readonly #onNews: (news: readonly OrderNews[]) => void;
  /** Null before the first reading. */
  #seen: Set<string> | null = null;
  #cursorMs = 0;
  #changesRead = 0;

  constructor(restaurantGuid: string, onNews: (news: readonly OrderNews[]) => void) {
    this.#restaurantGuid = restaurantGuid;
    this.#onNews = onNews;
  }

  async refresh(): Promise<void> {
    this.place.value ??= await readPlace(this.#restaurantGuid);
    this.#changesRead += 1;
    const changed = this.#seen && this.#changesRead < CHANGES_PER_LOAD && (await this.#changed());
    if (changed) this.#take(changed, this.orders.peek());
    else await this.#load(this.place.value);
  }

  /** An order as a decision of this page left it. */
  put(order: BackOfficeOrder): void {
    this.#seen?.add(order.order.guid ?? '');
    this.orders.value = new Map([...this.orders.peek(), [order.order.guid ?? '', order]]);
  }

  forgetStopped(orderGuid: string): void {
    this.stopped.value = this.stopped.peek().filter(({ order }) => order.guid !== orderGuid);
  }

  async #load(place: Place): Promise<void> {
    const modifiedFrom = new Date(businessDayStart(nowMs.peek(), place)).toISOString();
    const [open, closed] = await Promise.all([
      this.#pages({ open: true }, OPEN_PAGES),
      this.#pages({ open: false, modifiedFrom }, CLOSED_PAGES),
    ]);
    this.hasAllOpen.value = open.isWhole;
    this.hasAllClosed.value = closed.isWhole;
    this.#changesRead = 0;
    this.#cursorMs = 0;
    this.#take([...closed.orders, ...open.orders], new Map());
  }

  /** Null if that is more than can be followed. */
  async #changed(): Promise<readonly BackOfficeOrder[] | null> {
    const modifiedFrom = new Date(this.#cursorMs - OVERLAP_MS).toISOString();
    const { orders, isWhole } = await this.#pages({ modifiedFrom }, CHANGED_PAGES);
    return isWhole ? orders : null;
  }

  async #pages(filter: Query, pages: number) {
    const params = { restaurantGuid: this.#restaurantGuid };
    const orders: BackOfficeOrder[] = [];
    let pageToken: string | undefined;
    for (let page = 0; page < pages; page += 1) {
      const query = { ...filter, pageSize: PAGE, pageToken };
      const answer = await call('backOffice.orders.list', { params, query });
      orders.push(...answer.results);
      pageToken = answer.nextPageToken ?? undefined;
      if (pageToken === undefined) return { orders, isWhole: true };
    }
    return { orders, isWhole: false };
  }

  #take(read: readonly BackOfficeOrder[], kept: ReadonlyMap<string, BackOfficeOrder>): void {
    const before = this.orders.peek();
    const seen = this.#seen ?? new Set<string>();
    const isFirst = this.#seen === null;
    const after = new Map(kept);
    const news: OrderNews[] = [];
    for (const order of read) {
      const guid = order.order.guid ?? '';
      const known = before.get(guid);
      // An answer may be older than a decision that this page has made meanwhile.
      const newest = known && known.version >= order.version ? known : order;
      after.set(guid, newest);
      if (newest !== known && (known || !seen.has(guid))) {
        news.push({ before: known ?? null, after: newest });
      }
      seen.add(guid);
      const modified = order.order.modifiedDate;
      if (modified) this.#cursorMs = Math.max(this.#cursorMs, Date.parse(instantOf(modified)));
    }
    this.#seen = seen;
    // What has not changed draws nothing.
    if (isFirst || news.length > 0 || after.size !== before.size) this.orders.value = after;
    if (isFirst || news.length === 0) return;
    const stopped = news.filter(
      (each) =>
        each.before && stateOf(each.before) === 'kitchen' && stateOf(each.after) === 'canceled',
    );
    if (stopped.length > 0) {
      this.stopped.value = [...this.stopped.peek(), ...stopped.map((each) => each.after)];
    }
    this.#onNews(news);
  }
}
