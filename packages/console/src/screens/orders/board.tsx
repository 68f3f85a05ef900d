import type { BackOfficeOrder } from '@servery/contract';
import { orders as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Empty, LiveMark } from '../../parts/told.tsx';
import { Views } from '../../parts/views.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatCount, formatMoney, formatNear, formatTime } from '../../platform/format.ts';
import { waitsForTouch } from './alerts.ts';
import { AlertsMenu } from './alerts-menu.tsx';
import { OrderCard } from './card.tsx';
import type { Place } from './place.ts';
import {
  businessDayStart,
  instantOf,
  isOrderState,
  moneyOfOrder,
  type OrderState,
  orderStates,
  promisedAt,
  stateOf,
  urgencyOf,
} from './state.ts';
import type { DeskView } from './view.ts';
import { orderHref, whereTo } from './words.tsx';

const WORK = ['waiting', 'accepted', 'kitchen', 'ready'] as const;

/** Orders by what is to be done about them, oldest first. */
export function Board(props: DeskView) {
  const { feed, place, orders, acts, isLive, openAlarms } = props;
  const { query, change } = useAddress();
  const byState = sorted(orders, place);
  const chosen = isOrderState(query.state) ? query.state : null;
  const countOf = (state: OrderState) => byState.get(state)?.length ?? 0;
  const isEmpty = orderStates.every((state) => countOf(state) === 0);
  // Where orders need no approval, nothing ever waits for it.
  const columns = WORK.filter(
    (state) => state !== 'waiting' || place.approvesByHand || countOf(state) > 0,
  );
  const isPast = chosen === 'fulfilled' || chosen === 'canceled';
  const counted = (state: OrderState) => {
    const isAll = WORK.some((each) => each === state)
      ? feed.hasAllOpen.value
      : feed.hasAllClosed.value;
    return isAll ? formatCount(countOf(state)) : texts.atLeast(formatCount(countOf(state)));
  };
  return (
    <>
      <div class="page-head">
        <div class="row">
          <h1>{texts.title}</h1>
          <LiveMark isLive={isLive} />
          {openAlarms > 0 && (
            <a href={hrefOf('payments', { restaurant: place.guid, tab: 'alarms' })}>
              <Badge tone="bad">{texts.openAlarms(openAlarms)}</Badge>
            </a>
          )}
        </div>
        <div class="row">
          <a
            class="button icon-on-phone"
            href={hrefOf('orders', { restaurant: place.guid, view: 'kitchen' })}
          >
            <Icon name="kitchen" />
            <span class="text">{texts.kitchen.title}</span>
          </a>
          <Views page="orders" filters={['restaurant', 'state']} />
          <AlertsMenu />
        </div>
      </div>
      {waitsForTouch.value && <p class="soft small">{texts.alerts.touch}</p>}
      {!acts && <p class="soft">{texts.readOnly}</p>}
      <div class="chips order-states" role="group" aria-label={texts.byState}>
        <Button aria-pressed={chosen === null} onClick={() => change({ state: null })}>
          {texts.atWork}
        </Button>
        {orderStates.map((state) => (
          <Button
            key={state}
            class={`of-${state}`}
            aria-pressed={chosen === state}
            onClick={() => change({ state })}
          >
            {texts.states[state]} <span class="count number">{counted(state)}</span>
          </Button>
        ))}
      </div>
      {!feed.hasAllOpen.value && !isPast && <p class="soft small">{texts.notAllOpen}</p>}
      {isEmpty && (
        <Empty title={texts.empty}>
          <p>{texts.emptyMore}</p>
          <code>{texts.emptyCommand}</code>
        </Empty>
      )}
      {!isEmpty && isPast && (
        <Past orders={byState.get(chosen) ?? []} place={place} state={chosen} />
      )}
      {!isEmpty && !isPast && (
        <div class={chosen ? 'board one' : 'board'}>
          {(chosen ? [chosen] : columns).map((state) => {
            const own = byState.get(state) ?? [];
            return (
              <section
                key={state}
                class={own.length === 0 ? 'column empty-column' : 'column'}
                aria-label={texts.states[state]}
              >
                <h2 class={chosen ? 'visually-hidden' : undefined}>
                  {texts.states[state]} <span class="count number">{counted(state)}</span>
                </h2>
                {own.length === 0 && <p class="soft small">{texts.none[state]}</p>}
                {own.map((order) => (
                  <OrderCard key={order.order.guid} order={order} place={place} acts={acts} />
                ))}
              </section>
            );
          })}
        </div>
      )}
    </>
  );
}

/** What is over counts for one business day. */
function sorted(
  orders: readonly BackOfficeOrder[],
  place: Place,
): ReadonlyMap<OrderState, readonly BackOfficeOrder[]> {
  const dayStart = businessDayStart(nowMs.value, place);
  const shown = orders.filter((order) => {
    const over = endOf(order);
    return over === null || Date.parse(over) >= dayStart;
  });
  const byState = Map.groupBy(shown, stateOf);
  for (const [state, own] of byState) {
    if (state === 'fulfilled' || state === 'canceled') {
      own.sort((one, other) => ((endOf(one) ?? '') < (endOf(other) ?? '') ? 1 : -1));
    } else own.sort((one, other) => (urgencyOf(one) < urgencyOf(other) ? -1 : 1));
  }
  return byState;
}

function endOf({ fulfilledAt, order: { voidDate } }: BackOfficeOrder): string | null {
  return voidDate === null ? fulfilledAt : instantOf(voidDate);
}

interface PastProps {
  readonly orders: readonly BackOfficeOrder[];
  readonly place: Place;
  readonly state: 'fulfilled' | 'canceled';
}

function Past({ orders, place, state }: PastProps) {
  const { go } = useAddress();
  const { timeZone, currencyCode } = place;
  const money = (amount: number) => formatMoney(amount, currencyCode);
  const columns: readonly Column<BackOfficeOrder>[] = [
    {
      id: 'number',
      label: texts.one,
      width: '6rem',
      cell: ({ order }) => <a href={orderHref(order, place)}>#{order.displayNumber}</a>,
    },
    {
      id: 'over',
      label: texts.states[state],
      cell: (order) => formatTime(endOf(order) ?? '', timeZone),
    },
    {
      id: 'where',
      label: texts.where,
      isWideOnly: true,
      cell: ({ order }) => whereTo(order, place),
    },
    {
      id: 'promised',
      label: texts.promisedFor,
      isWideOnly: true,
      width: '9rem',
      cell: ({ order }) => {
        const at = promisedAt(order);
        return at && formatNear(at, nowMs.peek(), timeZone);
      },
    },
    {
      id: 'total',
      label: texts.total,
      isAtEnd: true,
      width: '9rem',
      cell: ({ order }) => {
        const { total, tips, due } = moneyOfOrder(order);
        if (order.voided) return null;
        return due > 0 ? (
          <Badge tone="warn">{texts.due(money(due))}</Badge>
        ) : (
          <strong>{money(total + tips)}</strong>
        );
      },
    },
  ];
  if (orders.length === 0) return <p class="soft">{texts.none[state]}</p>;
  return (
    <Table
      label={texts.states[state]}
      columns={columns}
      rows={orders}
      keyOf={({ order }) => order.guid ?? ''}
      onOpen={({ order }) => go(`orders/${place.guid}/${order.guid}`, { restaurant: place.guid })}
    />
  );
}
