import type { BackOfficeOrder } from '@servery/contract';
import type { Acts } from './acts.tsx';
import type { OrderFeed } from './feed.ts';
import type { Place } from './place.ts';

/** What the board and the kitchen's view show. */
export interface DeskView {
  readonly feed: OrderFeed;
  readonly place: Place;
  readonly orders: readonly BackOfficeOrder[];
  readonly acts: Acts | null;
  readonly isLive: boolean;
  readonly openAlarms: number;
}
