import type { BackOfficeOrder } from '@servery/contract';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { orders as texts } from '../../messages.ts';
import { say } from '../../parts/toast.tsx';
import { ErrorPanel, Skeleton } from '../../parts/told.tsx';
import { useAddress } from '../../platform/address.ts';
import { useLive } from '../../platform/live.ts';
import { holds } from '../../platform/session.ts';
import { useActs } from './acts.tsx';
import { Board } from './board.tsx';
import { OrderFeed, type OrderNews } from './feed.ts';
import { Kitchen } from './kitchen.tsx';
import { stateOf } from './state.ts';
import type { DeskView } from './view.ts';
import { useAlerts } from './watch.ts';

const EVERY_MS = 2_000;

/** The orders of one restaurant, for the counter or for the kitchen. */
export function Desk({ restaurantGuid }: { readonly restaurantGuid: string }) {
  const news = useRef<(news: readonly OrderNews[]) => void>(() => {});
  const feed = useMemo(
    () => new OrderFeed(restaurantGuid, (found) => news.current(found)),
    [restaurantGuid],
  );
  const { state, refresh } = useLive(
    `orders ${restaurantGuid}`,
    () => feed.refresh().then(() => true),
    EVERY_MS,
  );
  const orders = [...feed.orders.value.values()];
  const waiting = orders.filter((order) => stateOf(order) === 'waiting').length;
  const { openAlarms, onNews } = useAlerts(waiting, refresh, restaurantGuid);
  news.current = (found) => {
    onNews(found);
    for (const { before, after } of found) sayIfCanceled(before, after);
  };
  const place = feed.place.value;
  const { value: isLoaded, error, isLive } = state.value;
  if (!isLoaded || !place) {
    return (
      <div class="stack">
        <h1>{texts.title}</h1>
        {error ? <ErrorPanel error={error} onRetry={refresh} /> : <Skeleton lines={12} />}
      </div>
    );
  }
  return (
    <div class="stack">
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      <View {...{ feed, place, orders, isLive, refresh }} openAlarms={openAlarms.length} />
    </div>
  );
}

function View({ refresh, ...shown }: Omit<DeskView, 'acts'> & { readonly refresh: () => void }) {
  const { feed, place } = shown;
  const { query } = useAddress();
  const focused = useRef<string | null>(null);
  const acts = useActs({
    place,
    orderOf: (guid) => feed.orders.value.get(guid),
    onDone: (order, isByKey) => {
      feed.put(order);
      if (isByKey) focused.current = order.order.guid;
    },
    onConflict: refresh,
  });
  // Who works by keys goes on where the order went, or where it was.
  useEffect(() => {
    if (focused.current === null) return;
    const card = document.getElementById(`order-${focused.current}`);
    focused.current = null;
    (card ?? document.getElementById('page'))?.focus();
  });
  const allowed = holds('orders.admin:write', place.guid) ? acts : null;
  const Shown = query.view === 'kitchen' ? Kitchen : Board;
  return (
    <>
      <Shown {...shown} acts={allowed} />
      {acts.dialog}
    </>
  );
}

/** Somebody may be preparing it. */
function sayIfCanceled(before: BackOfficeOrder | null, after: BackOfficeOrder): void {
  if (before && stateOf(before) !== 'canceled' && stateOf(after) === 'canceled') {
    say(texts.changed(after.order.displayNumber, texts.states.canceled));
  }
}
