import type { BackOfficeOrder, MenuItemSelection } from '@servery/contract';
import { useEffect, useRef } from 'preact/hooks';
import { orders as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, LiveMark } from '../../parts/told.tsx';
import { hrefOf } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import type { Acts } from './acts.tsx';
import { waitsForTouch } from './alerts.ts';
import { AlertsMenu } from './alerts-menu.tsx';
import type { Place } from './place.ts';
import { promisedAt, selectionsOf, stateOf, urgencyOf } from './state.ts';
import type { DeskView } from './view.ts';
import { Age, Modifiers, Promised, quantityOf, whereTo } from './words.tsx';

/** For a tablet on the wall: what to prepare, oldest first, without prices. */
export function Kitchen({ feed, place, orders, acts, isLive }: DeskView) {
  const element = useRef<HTMLDivElement>(null);
  useAwakeScreen();
  const work = orders
    .filter((order) => stateOf(order) === 'kitchen')
    .sort((one, other) => (urgencyOf(one) < urgencyOf(other) ? -1 : 1));
  const stopped = feed.stopped.value;
  return (
    <div ref={element} class="kitchen-view stack">
      <div class="page-head">
        <div class="row">
          <h1>{texts.kitchen.title}</h1>
          <span class="soft">{texts.kitchen.count(work.length)}</span>
          <LiveMark isLive={isLive} />
        </div>
        <div class="row">
          <a class="button icon-on-phone" href={hrefOf('orders', { restaurant: place.guid })}>
            <Icon name="orders" />
            <span class="text">{texts.title}</span>
          </a>
          {document.fullscreenEnabled && (
            <Button
              icon="wide"
              class="icon-on-phone"
              onClick={() => toggleFullscreen(element.current)}
            >
              <span class="text">{texts.kitchen.fullscreen}</span>
            </Button>
          )}
          <AlertsMenu />
        </div>
      </div>
      {waitsForTouch.value && <p class="soft small">{texts.alerts.touch}</p>}
      {work.length === 0 && stopped.length === 0 && (
        <Empty title={texts.kitchen.empty}>
          <p>{texts.kitchen.emptyMore}</p>
        </Empty>
      )}
      <div class="tickets">
        {stopped.map((order) => (
          <article
            key={order.order.guid}
            id={`order-${order.order.guid}`}
            class="ticket stopped"
            aria-label={texts.number(order.order.displayNumber)}
          >
            <header>
              <h2>{texts.number(order.order.displayNumber)}</h2>
            </header>
            <p class="stop" role="alert">
              {texts.kitchen.stop}
            </p>
            <ol>
              {selectionsOf(order.order).map((item) => (
                <Item key={item.guid} item={item} />
              ))}
            </ol>
            <Button class="bump" onClick={() => feed.forgetStopped(order.order.guid ?? '')}>
              {texts.kitchen.understood}
            </Button>
          </article>
        ))}
        {work.map((order) => (
          <Ticket key={order.order.guid} order={order} place={place} acts={acts} />
        ))}
      </div>
    </div>
  );
}

interface TicketProps {
  readonly order: BackOfficeOrder;
  readonly place: Place;
  readonly acts: Acts | null;
}

function Ticket({ order: whole, place, acts }: TicketProps) {
  const { order, legalMoves } = whole;
  const due = promisedAt(order);
  const isLate = due !== null && Date.parse(due) <= nowMs.value;
  // What only waits for somebody to send it is nothing to bump.
  const step = legalMoves.includes('ready') ? 'ready' : 'fire';
  return (
    <article
      id={`order-${order.guid}`}
      tabIndex={-1}
      class={isLate ? 'ticket late' : 'ticket'}
      aria-label={texts.number(order.displayNumber)}
    >
      <header>
        <h2 class="number">#{order.displayNumber}</h2>
        <Age order={order} place={place} />
        <p>{whereTo(order, place)}</p>
        <Promised order={order} place={place} />
      </header>
      <ol>
        {selectionsOf(order).map((item) => (
          <Item key={item.guid} item={item} />
        ))}
      </ol>
      {acts && legalMoves.includes(step) && (
        <Button kind="main" class="bump" onClick={(event) => acts.take(whole, step, event)}>
          {step === 'ready' ? texts.steps.ready : texts.kitchen.fireHeld}
          <span class="visually-hidden"> {texts.number(order.displayNumber)}</span>
        </Button>
      )}
    </article>
  );
}

function Item({ item }: { readonly item: MenuItemSelection }) {
  const { fulfillmentStatus: status, voided, selectionType } = item;
  const note = voided
    ? texts.kitchen.voided
    : status === 'READY'
      ? texts.kitchen.done
      : status === 'HOLD'
        ? texts.onHold
        : null;
  return (
    <li class={note === null ? undefined : `aside${voided || status === 'READY' ? ' over' : ''}`}>
      <b class="number">{quantityOf(item)}</b>
      <span>
        <span class={selectionType === 'SPECIAL_REQUEST' ? 'request' : 'item-name'}>
          {item.displayName}
        </span>
        {note && <em> {note}</em>}
        <Modifiers of={item.modifiers} />
      </span>
    </li>
  );
}

async function toggleFullscreen(element: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await element?.requestFullscreen();
}

/** A screen on the wall must not go dark, where the browser can keep it awake. */
function useAwakeScreen(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    const ask = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      lock = await navigator.wakeLock.request('screen').catch(() => null);
      if (isOver) await lock?.release();
    };
    const wake = () => void ask();
    wake();
    document.addEventListener('visibilitychange', wake);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', wake);
      void lock?.release();
    };
  }, []);
}
