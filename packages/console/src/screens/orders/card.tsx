import type { BackOfficeOrder } from '@servery/contract';
import { orders as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Badge, Countdown } from '../../parts/told.tsx';
import { nowMs } from '../../platform/clock.ts';
import { formatMoney, formatNear } from '../../platform/format.ts';
import type { Acts } from './acts.tsx';
import type { Place } from './place.ts';
import {
  cancelMove,
  heldOf,
  moneyOfOrder,
  nextStep,
  type Step,
  selectionsOf,
  stateOf,
} from './state.ts';
import { Age, InTime, Modifiers, orderHref, Promised, quantityOf, whereTo } from './words.tsx';

export interface CardProps {
  readonly order: BackOfficeOrder;
  readonly place: Place;
  /** Null for who may only look. */
  readonly acts: Acts | null;
}

const ITEMS_SHOWN = 5;

/** An order at a glance, with what comes next as one tap. */
export function OrderCard({ order: whole, place, acts }: CardProps) {
  const { order, nextDueAt, fireAt } = whole;
  const state = stateOf(whole);
  const { timeZone } = place;
  const items = selectionsOf(order).filter(({ voided }) => !voided || order.voided);
  return (
    <article
      id={`order-${order.guid}`}
      tabIndex={-1}
      class={`order ${state}`}
      aria-label={texts.number(order.displayNumber)}
    >
      <header class="spread">
        <h3>
          <a class="number" href={orderHref(order, place)}>
            <span class="visually-hidden">{texts.one} </span>#{order.displayNumber}
          </a>
        </h3>
        <Age order={order} place={place} />
      </header>
      <p class="where">{whereTo(order, place)}</p>
      {state === 'waiting' && nextDueAt && (
        <p class="small">
          {texts.expires} <Countdown to={nextDueAt} timeZone={timeZone} />
        </p>
      )}
      {state === 'accepted' && Date.parse(fireAt) > nowMs.value && (
        <p class="small">
          {texts.fires(formatNear(fireAt, nowMs.peek(), timeZone))}
          <InTime to={fireAt} place={place} />
        </p>
      )}
      {state !== 'fulfilled' && state !== 'canceled' && (
        <p class="small">
          <Promised order={order} place={place} />
        </p>
      )}
      <ul class="items">
        {items.slice(0, ITEMS_SHOWN).map((item) => (
          <li key={item.guid} class={item.fulfillmentStatus.toLowerCase()}>
            <b class="number">{quantityOf(item)}</b>
            <span>
              {item.displayName}
              {item.fulfillmentStatus === 'HOLD' && <Badge>{texts.onHold}</Badge>}
              <Modifiers of={item.modifiers} />
            </span>
          </li>
        ))}
      </ul>
      {items.length > ITEMS_SHOWN && (
        <p class="soft small">{texts.moreItems(items.length - ITEMS_SHOWN)}</p>
      )}
      <MoneyLine order={whole} place={place} />
      {acts && <Actions order={whole} place={place} acts={acts} />}
    </article>
  );
}

function MoneyLine({ order: { order }, place: { currencyCode } }: Omit<CardProps, 'acts'>) {
  const { total, tips, due } = moneyOfOrder(order);
  const money = (amount: number) => formatMoney(amount, currencyCode);
  if (order.voided) return null;
  return (
    <p class="row">
      <strong class="number">{money(total + tips)}</strong>
      {due > 0 ? (
        <Badge tone="warn">{texts.due(money(due))}</Badge>
      ) : (
        <Badge tone="good">{texts.paid}</Badge>
      )}
    </p>
  );
}

const LATER_STEPS: readonly Step[] = ['fire', 'hold', 'ready', 'fulfil'];

function Actions({ order, place, acts }: CardProps & { readonly acts: Acts }) {
  const next = nextStep(order);
  const cancel = cancelMove(order);
  const others = LATER_STEPS.filter((step) => step !== next && order.legalMoves.includes(step));
  const held = heldOf(order.order);
  const about = <span class="visually-hidden"> {texts.number(order.order.displayNumber)}</span>;
  const hasMenu = cancel !== 'reject' && (others.length > 0 || cancel === 'void');
  if (next === null && cancel === null) return null;
  return (
    <>
      <div class="acts">
        {next && (
          <Button key={next} kind="main" onClick={(event) => acts.take(order, next, event)}>
            {texts.steps[next]}
            {about}
          </Button>
        )}
        {cancel === 'reject' && (
          <Button onClick={() => acts.askCancel(order)}>
            {texts.reject}
            {about}
          </Button>
        )}
        {hasMenu && (
          <Menu label={texts.more(order.order.displayNumber)} shown="" icon="more" class="icon">
            {others.map((step) => (
              <button
                key={step}
                type="button"
                class="item"
                onClick={(event) => acts.take(order, step, event)}
              >
                {texts.steps[step]}
              </button>
            ))}
            {cancel === 'void' && (
              <button type="button" class="item" onClick={() => acts.askCancel(order)}>
                {texts.cancelEllipsis}
              </button>
            )}
          </Menu>
        )}
      </div>
      {next === 'fulfil' && held > 0 && (
        <p class="soft small">{texts.captures(formatMoney(held, place.currencyCode))}</p>
      )}
    </>
  );
}
