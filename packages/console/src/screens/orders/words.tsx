import type { BackOfficeOrder, MenuItemSelection, Order, OrderPayment } from '@servery/contract';
import { orders as texts } from '../../messages.ts';
import { Badge, Countdown, sayError, type Tone } from '../../parts/told.tsx';
import { hrefOf } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatCount, formatExactly, formatNear } from '../../platform/format.ts';
import { isRefused } from '../../platform/session.ts';
import type { Place } from './place.ts';
import { instantOf, type OrderState, promisedAt, stateOf } from './state.ts';

const stateTones: Readonly<Record<OrderState, Tone>> = {
  waiting: 'bad',
  accepted: 'plain',
  kitchen: 'warn',
  ready: 'good',
  fulfilled: 'info',
  canceled: 'plain',
};

export function OrderBadge({ order }: { readonly order: BackOfficeOrder }) {
  const state = stateOf(order);
  return <Badge tone={stateTones[state]}>{texts.states[state]}</Badge>;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** How long ago the order was placed. */
export function Age({ order: { createdDate }, place }: OrderAndPlace) {
  if (createdDate === null) return null;
  const placed = instantOf(createdDate);
  const minutes = Math.max(0, Math.floor((nowMs.value - Date.parse(placed)) / MINUTE_MS));
  return (
    <time class="age number" dateTime={placed} title={formatExactly(placed, place.timeZone)}>
      {minutes < DAY_MINUTES
        ? texts.age(Math.floor(minutes / 60), minutes % 60)
        : formatNear(placed, nowMs.peek(), place.timeZone)}
    </time>
  );
}

interface OrderAndPlace {
  readonly order: Order;
  readonly place: Place;
}

/** When the guest expects it, and how long that is away or past. */
export function Promised({ order, place }: OrderAndPlace) {
  const at = promisedAt(order);
  if (at === null) return null;
  const leftMs = Date.parse(at) - nowMs.value;
  const when = formatNear(at, nowMs.peek(), place.timeZone);
  return (
    <span class="promised">
      {leftMs > 0 ? (
        <>
          {texts.promised(when)}
          <InTime to={at} place={place} />
        </>
      ) : (
        <>
          {texts.promised(when)},{' '}
          <strong class="late">{texts.late(Math.floor(-leftMs / MINUTE_MS))}</strong>
        </>
      )}
    </span>
  );
}

const SOON_MS = 2 * 60 * MINUTE_MS;

/** Counts down to what is near; a day is in no hurry. */
export function InTime({ to, place }: { readonly to: string; readonly place: Place }) {
  const leftMs = Date.parse(to) - nowMs.value;
  if (leftMs <= 0 || leftMs > SOON_MS) return null;
  return (
    <>
      {texts.in} <Countdown to={to} timeZone={place.timeZone} />
    </>
  );
}

export function orderHref({ guid }: Order, { guid: restaurant }: Place): string {
  return hrefOf(`orders/${restaurant}/${guid}`, { restaurant });
}

/** How the guest gets it, where, and for whom. */
export function whereTo(order: Order, { names }: Place): string {
  const { diningOption, table, checks, curbsidePickupInfo: car } = order;
  const parts = [
    names.get(diningOption.guid ?? ''),
    table && names.get(table.guid ?? ''),
    checks.map(({ customer }) => guestName(customer)).find((name) => name !== ''),
    car && [car.transportColor, car.transportDescription].filter(Boolean).join(' '),
  ];
  return parts.filter(Boolean).join(' · ');
}

export function guestName(customer: Order['checks'][number]['customer']): string {
  return [customer?.firstName, customer?.lastName].filter(Boolean).join(' ');
}

export function paymentName(payment: OrderPayment, { names }: Place): string {
  const { type, cardType, last4Digits, otherPayment } = payment;
  if (type === 'CREDIT') return texts.card(cardType ?? '', last4Digits ?? '');
  return (otherPayment && names.get(otherPayment.guid ?? '')) || texts.paymentTypes[type];
}

export function quantityOf({ quantity, unitOfMeasure }: MenuItemSelection): string {
  const count = formatCount(quantity);
  return unitOfMeasure === 'NONE' ? `${count}×` : `${count} ${unitOfMeasure.toLowerCase()}`;
}

/** What is put on an item, each with what is put on it; requests of the guest stand out. */
export function Modifiers({ of }: { readonly of: readonly MenuItemSelection[] }) {
  const shown = of.filter(({ voided }) => !voided);
  if (shown.length === 0) return null;
  return (
    <ul class="modifiers">
      {shown.map((each) => (
        <li key={each.guid}>
          <span class={each.selectionType === 'SPECIAL_REQUEST' ? 'request' : undefined}>
            {each.displayName}
          </span>
          <Modifiers of={each.modifiers} />
        </li>
      ))}
    </ul>
  );
}

/** What the platform says, and that the order has moved on if that is why. */
export function sayRefusal(error: unknown): string {
  return isRefused(error, 409) ? `${texts.changedMeanwhile} ${error.message}` : sayError(error);
}
