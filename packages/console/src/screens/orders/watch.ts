import type { Alarm } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { payments as paymentTexts, orders as texts } from '../../messages.ts';
import { useLive } from '../../platform/live.ts';
import { every } from '../../platform/present.ts';
import { call, holds } from '../../platform/session.ts';
import { allowSound, isWatching, notify, ring, waitsForTouch } from './alerts.ts';
import type { OrderNews } from './feed.ts';
import { selectionsOf, stateOf } from './state.ts';

const BEHIND_EVERY_MS = 5_000;
const ALARMS_EVERY_MS = 15_000;
const RING_AGAIN_MS = 30_000;
const PAGE = 200;

/** Rings for new orders and says them, counts what nobody has seen in the title of the page. */
export function useAlerts(waiting: number, refresh: () => void, restaurantGuid: string) {
  const [unseen, setUnseen] = useState<ReadonlySet<string>>(new Set());
  const hasSeenAll = () => document.visibilityState === 'visible';
  const add = (guids: readonly string[]) => {
    if (!hasSeenAll()) setUnseen((before) => new Set([...before, ...guids]));
  };
  const alarms = useAlarms(restaurantGuid, (raised) => {
    add(raised.map(({ guid }) => guid));
    for (const { guid, kind } of raised) {
      const title = texts.alerts.alarm(paymentTexts.alarms.kinds[kind]);
      notify({ title, body: texts.alerts.alarmBody, tag: guid });
    }
  });
  useEffect(() => {
    const look = () => hasSeenAll() && setUnseen(new Set());
    const touch = () => {
      if (waitsForTouch.peek()) allowSound().catch(() => {});
    };
    document.addEventListener('visibilitychange', look);
    addEventListener('pointerdown', touch);
    addEventListener('keydown', touch);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('pointerdown', touch);
      removeEventListener('keydown', touch);
    };
  }, []);
  useEffect(
    () =>
      every(BEHIND_EVERY_MS, () => {
        if (hasSeenAll() || !isWatching.peek()) return;
        refresh();
        alarms.refresh();
      }),
    [refresh, alarms.refresh],
  );
  // An order that nobody accepts is lost after a quarter of an hour.
  const waits = waiting > 0;
  useEffect(() => (waits ? every(RING_AGAIN_MS, ring) : undefined), [waits]);
  useTitleCount(waiting + unseen.size);
  const onNews = (news: readonly OrderNews[]) => {
    const placed = news.filter(
      ({ before, after }) => before === null && stateOf(after) !== 'canceled',
    );
    if (placed.length === 0) return;
    ring();
    const isNoMore = ({ after }: OrderNews) => stateOf(after) !== 'waiting';
    add(placed.filter(isNoMore).map(({ after }) => after.order.guid ?? ''));
    for (const { after } of placed) {
      const { guid, displayNumber } = after.order;
      notify({
        title: texts.alerts.placed(displayNumber),
        body: texts.itemCount(selectionsOf(after.order).length),
        tag: guid ?? '',
      });
    }
  };
  return { openAlarms: alarms.open, onNews };
}

/** Open alarms about payments here, for those who may see them. */
function useAlarms(restaurantGuid: string, onRaised: (alarms: readonly Alarm[]) => void) {
  const mayRead = holds('payments.lifecycle:read', restaurantGuid);
  const { state, refresh } = useLive<readonly Alarm[]>(
    `alarms ${restaurantGuid}`,
    async (before) => {
      if (!mayRead) return [];
      const query = { open: true, pageSize: PAGE };
      const { results } = await call('backOffice.alarms.list', { query });
      const own = results.filter(({ merchantGuid }) => merchantGuid === restaurantGuid);
      const known = new Set(before?.map(({ guid }) => guid));
      const raised = before ? own.filter(({ guid }) => !known.has(guid)) : [];
      if (raised.length > 0) onRaised(raised);
      return own;
    },
    ALARMS_EVERY_MS,
  );
  return { open: state.value.value ?? [], refresh };
}

const COUNTED = /^\(\d+\) /;

function useTitleCount(count: number): void {
  useEffect(() => {
    const plain = document.title.replace(COUNTED, '');
    document.title = count > 0 ? `(${count}) ${plain}` : plain;
  }, [count]);
  useEffect(
    () => () => {
      document.title = document.title.replace(COUNTED, '');
    },
    [],
  );
}
