import type { StockItem } from '@servery/contract';
import { useEffect } from 'preact/hooks';
import { common, stock as texts } from '../../messages.ts';
import { Badge, Skeleton } from '../../parts/told.tsx';
import { formatTime } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import type { KnownRestaurant } from '../../platform/restaurants.ts';
import { call } from '../../platform/session.ts';

const EVERY_MS = 30_000;

export interface RanOutTodayProps {
  readonly restaurant: KnownRestaurant;
  /** A change of them is a reason to look again. */
  readonly items: ReadonlyMap<string, StockItem>;
  readonly onOpen: (itemGuid: string) => void;
}

/** What ran out on this business day, which ends at the closeout hour and not at midnight. */
export function RanOutToday({ restaurant, items, onOpen }: RanOutTodayProps) {
  const { guid: restaurantGuid, timeZone } = restaurant;
  const { state, refresh } = useLive(
    restaurantGuid,
    () => call('backOffice.stock.ranOut', { params: { restaurantGuid } }),
    EVERY_MS,
  );
  useEffect(refresh, [items, refresh]);
  const { value } = state.value;
  return (
    <section class="card stack ran-out" aria-label={texts.today}>
      <h2>{texts.today}</h2>
      {!value && <Skeleton lines={3} />}
      {value?.results.length === 0 && <p class="soft">{texts.todayNone}</p>}
      <ol>
        {value?.results.map(
          ({ itemGuid, itemName, at, byName, isStillOut, backAt, changeGuid }) => (
            <li key={changeGuid}>
              <button type="button" onClick={() => onOpen(itemGuid)}>
                <span>{itemName ?? common.none}</span>
                {isStillOut && <Badge tone="bad">{texts.stillOut}</Badge>}
              </button>
              <span class="soft small">
                {texts.ranOutAt(formatTime(at, timeZone), byName ?? texts.system)}
                {backAt && `, ${texts.backAt(formatTime(backAt, timeZone))}`}
              </span>
            </li>
          ),
        )}
      </ol>
    </section>
  );
}
