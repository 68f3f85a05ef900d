import type {
  BackOfficeOrder,
  Check,
  MenuItemSelection,
  Order,
  OrderEvent,
  OrderPayment,
} from '@servery/contract';
import { useRef, useState } from 'preact/hooks';
import { orders as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Back, Card, PageHead } from '../../parts/page.tsx';
import { say } from '../../parts/toast.tsx';
import { Badge, Reading, type Tone } from '../../parts/told.tsx';
import { hrefOf } from '../../platform/address.ts';
import { formatInstant, formatMoney } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { call, holds } from '../../platform/session.ts';
import { useActs } from './acts.tsx';
import { takeStep } from './decide.ts';
import { History } from './history.tsx';
import { PayDialog } from './pay-dialog.tsx';
import { type Place, readPlace } from './place.ts';
import {
  cancelMove,
  heldOf,
  instantOf,
  isReleased,
  type Line,
  moneyOf,
  nextStep,
  type Step,
  subtotalOf,
  taxesOf,
} from './state.ts';
import { type Voidable, VoidDialog } from './void-dialog.tsx';
import {
  Age,
  guestName,
  OrderBadge,
  Promised,
  paymentName,
  quantityOf,
  sayRefusal,
  whereTo,
} from './words.tsx';

const EVERY_MS = 2_000;
const STEPS: readonly Step[] = ['approve', 'fire', 'hold', 'ready', 'fulfil'];

interface Whole {
  readonly order: BackOfficeOrder;
  readonly events: readonly OrderEvent[];
  readonly place: Place;
}

export interface OneOrderProps {
  readonly restaurantGuid: string;
  readonly orderGuid: string;
}

export function OneOrder({ restaurantGuid, orderGuid }: OneOrderProps) {
  const params = { restaurantGuid, orderGuid };
  const { state, refresh } = useLive<Whole>(
    restaurantGuid + orderGuid,
    async (before) => {
      const [order, events, place] = await Promise.all([
        call('backOffice.orders.get', { params }),
        call('backOffice.orders.events', { params }),
        before ? before.place : readPlace(restaurantGuid),
      ]);
      return { order, events, place };
    },
    EVERY_MS,
  );
  const { value, error, isLive } = state.value;
  return (
    <div class="stack">
      <Back to="orders" query={{ restaurant: restaurantGuid }}>
        {texts.title}
      </Back>
      <Reading value={value} error={error} onRetry={refresh} isPage />
      {value && <Page {...value} isLive={isLive} refresh={refresh} />}
    </div>
  );
}

interface PageProps extends Whole {
  readonly isLive: boolean;
  readonly refresh: () => void;
}

function Page({ order, events, place, isLive, refresh }: PageProps) {
  const latest = useRef(order);
  latest.current = order;
  const mayChange = holds('orders.admin:write', place.guid);
  const acts = useActs({
    place,
    orderOf: () => latest.current,
    onDone: refresh,
    onConflict: refresh,
  });
  const { legalMoves } = order;
  const next = nextStep(order);
  const cancel = cancelMove(order);
  const held = heldOf(order.order);
  const steps = STEPS.filter((step) => legalMoves.includes(step));
  return (
    <>
      <PageHead
        title={texts.number(order.order.displayNumber)}
        class="number"
        beside={
          <>
            <OrderBadge order={order} />
            <Age order={order.order} place={place} />
          </>
        }
        about={whereTo(order.order, place)}
        isLive={isLive}
      />
      <p>
        <Promised order={order.order} place={place} />
      </p>
      {mayChange && (steps.length > 0 || cancel) && (
        <div class="row">
          {steps.map((step) => (
            <Button
              key={step}
              kind={step === next ? 'main' : 'plain'}
              onClick={(event) => acts.take(order, step, event)}
            >
              {texts.steps[step]}
            </Button>
          ))}
          {cancel && (
            <Button kind="danger" onClick={() => acts.askCancel(order)}>
              {cancel === 'reject' ? texts.reject : texts.cancel}
            </Button>
          )}
          {held > 0 && legalMoves.includes('fulfil') && (
            <span class="soft small">{texts.captures(formatMoney(held, place.currencyCode))}</span>
          )}
        </div>
      )}
      {!mayChange && <p class="soft">{texts.readOnly}</p>}
      <div class="columns">
        <div class="stack">
          {order.order.checks.map((check, index) => (
            <CheckCard
              key={check.guid}
              order={order}
              check={check}
              title={texts.check(check.displayNumber ?? String(index + 1))}
              place={place}
              mayChange={mayChange}
              refresh={refresh}
            />
          ))}
        </div>
        <div class="stack">
          <Facts order={order} place={place} placedBy={events[0]?.byName ?? order.clientId} />
          <History events={events} order={order.order} place={place} />
        </div>
      </div>
      {acts.dialog}
    </>
  );
}

interface CheckCardProps {
  readonly order: BackOfficeOrder;
  readonly check: Check;
  readonly title: string;
  readonly place: Place;
  readonly mayChange: boolean;
  readonly refresh: () => void;
}

function CheckCard({ order, check, title, place, mayChange, refresh }: CheckCardProps) {
  const [isPaying, setPaying] = useState(false);
  const [voiding, setVoiding] = useState<Voidable | null>(null);
  const money = (amount: number) => formatMoney(amount, place.currencyCode);
  const { due, tips } = moneyOf(check);
  const takeFor = async (step: Step, { guid }: MenuItemSelection) => {
    try {
      await takeStep(step, place.guid, order.order.guid ?? '', [guid ?? '']);
    } catch (error) {
      say(sayRefusal(error));
    }
    refresh();
  };
  const shared = { order, place, onConflict: refresh };
  return (
    <Card
      title={title}
      aside={
        <div class="row">
          {check.tabName && <Badge>{check.tabName}</Badge>}
          {check.taxExempt && <Badge tone="info">{texts.taxExempt}</Badge>}
          {check.voided ? (
            <Badge>{texts.states.canceled}</Badge>
          ) : due > 0 ? (
            <Badge tone="warn">{texts.due(money(due))}</Badge>
          ) : (
            <Badge tone="good">{texts.paid}</Badge>
          )}
        </div>
      }
    >
      <ul class="selections">
        {check.selections.map((each) => (
          <Selection
            key={each.guid}
            selection={each}
            money={money}
            menu={
              mayChange && !each.voided && !check.voided ? (
                <SelectionMenu
                  order={order}
                  selection={each}
                  onStep={(step) => takeFor(step, each)}
                  onVoid={() =>
                    setVoiding({ kind: 'selection', guid: each.guid ?? '', name: each.displayName })
                  }
                />
              ) : null
            }
          />
        ))}
      </ul>
      <Totals check={check} money={money} tips={tips} due={due} />
      <h3>{texts.payments}</h3>
      {check.payments.length === 0 && <p class="soft">{texts.noPayments}</p>}
      <ul class="paid-by">
        {check.payments.map((payment) => (
          <PaymentRow
            key={payment.guid}
            payment={payment}
            place={place}
            onVoid={
              mayChange && mayVoid(order, payment)
                ? () =>
                    setVoiding({
                      kind: payment.type === 'CREDIT' ? 'card' : 'payment',
                      guid: payment.guid,
                      name: `${paymentName(payment, place)}, ${money(payment.amount + payment.tipAmount)}`,
                    })
                : null
            }
          />
        ))}
      </ul>
      {mayChange && order.legalMoves.includes('pay') && due > 0 && (
        <div class="row">
          <Button onClick={() => setPaying(true)}>{texts.pay.title}</Button>
        </div>
      )}
      {isPaying && (
        <PayDialog
          {...shared}
          check={check}
          onClose={() => setPaying(false)}
          onDone={() => {
            setPaying(false);
            say(texts.pay.done);
            refresh();
          }}
        />
      )}
      {voiding && (
        <VoidDialog
          {...shared}
          voiding={voiding}
          onClose={() => setVoiding(null)}
          onDone={() => {
            setVoiding(null);
            say(texts.voided(voiding.name));
            refresh();
          }}
        />
      )}
    </Card>
  );
}

function mayVoid({ legalMoves }: BackOfficeOrder, { paymentStatus, type }: OrderPayment): boolean {
  if (!legalMoves.includes('voidPayment') || isReleased(paymentStatus)) return false;
  return type !== 'CREDIT' || paymentStatus === 'AUTHORIZED';
}

const statusTones: Readonly<Record<MenuItemSelection['fulfillmentStatus'], Tone>> = {
  NEW: 'plain',
  HOLD: 'info',
  SENT: 'warn',
  READY: 'good',
};

interface SelectionProps {
  readonly selection: MenuItemSelection;
  readonly money: (amount: number) => string;
  readonly menu: preact.ComponentChild;
}

function Selection({ selection, money, menu }: SelectionProps) {
  const { displayName, voided, fulfillmentStatus, appliedDiscounts, preDiscountPrice } = selection;
  return (
    <li class={voided ? 'selection over' : 'selection'}>
      <b class="number">{quantityOf(selection)}</b>
      <div>
        <span class="row">
          <span class="item-name">{displayName}</span>
          {voided ? (
            <Badge>{texts.kitchen.voided}</Badge>
          ) : (
            <Badge tone={statusTones[fulfillmentStatus]}>{texts.progress[fulfillmentStatus]}</Badge>
          )}
        </span>
        <PricedModifiers of={selection.modifiers} money={money} />
        {appliedDiscounts.map((discount) => (
          <p key={discount.guid} class="small discount">
            {discountName(discount)}
            <span class="number"> −{money(discount.nonTaxDiscountAmount)}</span>
          </p>
        ))}
      </div>
      <span class="number price">{money(voided ? 0 : preDiscountPrice)}</span>
      <span class="selection-menu">{menu}</span>
    </li>
  );
}

function discountName({ name, appliedPromoCode }: Check['appliedDiscounts'][number]): string {
  return appliedPromoCode ? `${name} (${appliedPromoCode})` : name;
}

/** Their prices are in that of the item. */
function PricedModifiers({
  of,
  money,
}: {
  readonly of: readonly MenuItemSelection[];
  readonly money: (amount: number) => string;
}) {
  if (of.length === 0) return null;
  return (
    <ul class="modifiers">
      {of.map((each) => (
        <li key={each.guid}>
          <span class={each.selectionType === 'SPECIAL_REQUEST' ? 'request' : undefined}>
            {each.displayName}
          </span>
          {each.preDiscountPrice > 0 && (
            <span class="soft small number"> {texts.included(money(each.preDiscountPrice))}</span>
          )}
          <PricedModifiers of={each.modifiers} money={money} />
        </li>
      ))}
    </ul>
  );
}

interface SelectionMenuProps {
  readonly order: BackOfficeOrder;
  readonly selection: MenuItemSelection;
  readonly onStep: (step: Step) => void;
  readonly onVoid: () => void;
}

const stepsOf: Readonly<Record<MenuItemSelection['fulfillmentStatus'], readonly Step[]>> = {
  NEW: ['fire', 'hold', 'ready'],
  HOLD: ['fire'],
  SENT: ['ready'],
  READY: [],
};

function SelectionMenu({ order, selection, onStep, onVoid }: SelectionMenuProps) {
  const { legalMoves } = order;
  const steps = stepsOf[selection.fulfillmentStatus].filter((step) => legalMoves.includes(step));
  const isVoidable = legalMoves.includes('voidSelection');
  if (steps.length === 0 && !isVoidable) return null;
  return (
    <Menu label={texts.moreOf(selection.displayName)} shown="" icon="more" kind="quiet">
      {steps.map((step) => (
        <button key={step} type="button" class="item" onClick={() => onStep(step)}>
          {texts.steps[step]}
        </button>
      ))}
      {isVoidable && (
        <button type="button" class="item" onClick={onVoid}>
          {texts.voidSelection}
        </button>
      )}
    </Menu>
  );
}

interface TotalsProps {
  readonly check: Check;
  readonly money: (amount: number) => string;
  readonly tips: number;
  readonly due: number;
}

function Totals({ check, money, tips, due }: TotalsProps) {
  const { appliedDiscounts, appliedServiceCharges, totalAmount } = check;
  const own = check.selections.flatMap((each) => (each.voided ? [] : each.appliedDiscounts));
  const discounts = [...own, ...appliedDiscounts].map((discount) => ({
    name: discountName(discount),
    amount: -discount.nonTaxDiscountAmount,
  }));
  const lines: readonly Line[] = [
    { name: texts.subtotal, amount: subtotalOf(check) },
    ...discounts,
    ...appliedServiceCharges
      .filter(({ gratuity }) => !gratuity)
      .map(({ name, chargeAmount }) => ({ name, amount: chargeAmount })),
    ...taxesOf(check),
  ];
  const gratuities = appliedServiceCharges.filter(({ gratuity }) => gratuity);
  return (
    <dl class="sums number">
      {lines.map(({ name, amount }, index) => (
        <Sum key={`${name}${index}`} name={name} amount={money(amount)} />
      ))}
      <Sum name={texts.total} amount={money(totalAmount)} isStrong />
      {gratuities.map(({ guid, name, chargeAmount }) => (
        <Sum key={guid} name={texts.gratuity(name)} amount={money(chargeAmount)} />
      ))}
      {tips > 0 && <Sum name={texts.tips} amount={money(tips)} />}
      {due > 0 && <Sum name={texts.stillDue} amount={money(due)} isStrong />}
    </dl>
  );
}

function Sum({
  name,
  amount,
  isStrong = false,
}: {
  name: string;
  amount: string;
  isStrong?: boolean;
}) {
  return (
    <div class={isStrong ? 'strong' : undefined}>
      <dt>{name}</dt>
      <dd>{amount}</dd>
    </div>
  );
}

const paymentTones: Readonly<Record<OrderPayment['paymentStatus'], Tone>> = {
  AUTHORIZED: 'info',
  CAPTURE_IN_PROGRESS: 'info',
  CAPTURED: 'good',
  PROCESSING_VOID: 'info',
  VOIDED: 'plain',
  ERROR: 'bad',
};

interface PaymentRowProps {
  readonly payment: OrderPayment;
  readonly place: Place;
  readonly onVoid: (() => void) | null;
}

function PaymentRow({ payment, place, onVoid }: PaymentRowProps) {
  const { type, guid, amount, tipAmount, paymentStatus, amountTendered } = payment;
  const money = (value: number) => formatMoney(value, place.currencyCode);
  const name = paymentName(payment, place);
  const isLinked = type === 'CREDIT' && holds('payments.lifecycle:read', place.guid);
  const change = amountTendered - amount - tipAmount;
  return (
    <li class={isReleased(paymentStatus) ? 'payment over' : 'payment'}>
      <span>
        {isLinked ? <a href={hrefOf(`payments/${place.guid}/${guid}`)}>{name}</a> : name}{' '}
        <Badge tone={paymentTones[paymentStatus]}>{texts.paymentStates[paymentStatus]}</Badge>
        {type === 'CASH' && change > 0 && (
          <span class="under soft small">
            {texts.tendered(money(amountTendered), money(change))}
          </span>
        )}
      </span>
      <span class="number price">
        {money(amount)}
        {tipAmount > 0 && <span class="under soft small">{texts.plusTip(money(tipAmount))}</span>}
      </span>
      {onVoid && (
        <Button kind="quiet" onClick={onVoid}>
          {texts.voidPayment}
          <span class="visually-hidden"> {name}</span>
        </Button>
      )}
    </li>
  );
}

interface FactsProps {
  readonly order: BackOfficeOrder;
  readonly place: Place;
  readonly placedBy: string;
}

function Facts({ order: whole, place, placedBy }: FactsProps) {
  const { order, fireAt, fulfilledAt } = whole;
  const { fact } = texts;
  const at = (instant: string | null) =>
    instant === null ? null : formatInstant(instantOf(instant), place.timeZone);
  const nameOf = (reference: { readonly guid: string | null } | null) =>
    reference?.guid ? (place.names.get(reference.guid) ?? reference.guid) : null;
  const guests = order.checks.flatMap(({ customer }) => customer ?? []);
  const rows: readonly (readonly [string, string | null])[] = [
    [fact.guest, guests.map(guestName).filter(Boolean).join(', ') || null],
    [fact.phone, guests.map(phoneOf).filter(Boolean).join(', ') || null],
    [
      fact.email,
      guests
        .map(({ email }) => email)
        .filter(Boolean)
        .join(', ') || null,
    ],
    [fact.address, addressOf(order.deliveryInfo)],
    [fact.delivery, order.deliveryInfo && texts.deliveryStates[order.deliveryInfo.deliveryState]],
    [fact.notes, order.deliveryInfo?.notes ?? order.curbsidePickupInfo?.notes ?? null],
    [fact.dining, nameOf(order.diningOption)],
    [fact.table, nameOf(order.table)],
    [fact.guests, String(order.numberOfGuests)],
    [fact.placed, at(order.createdDate)],
    [fact.fire, at(fireAt)],
    [fact.promised, at(order.promisedDate)],
    [fact.fulfilled, at(fulfilledAt)],
    [fact.canceled, at(order.voidDate)],
    [fact.client, placedBy],
    [fact.externalId, order.externalId],
    [fact.id, order.guid],
  ];
  return (
    <Card title={texts.facts}>
      <FactList rows={rows} />
    </Card>
  );
}

function phoneOf({ phone, phoneCountryCode }: NonNullable<Check['customer']>): string {
  return phoneCountryCode && phone ? `+${phoneCountryCode} ${phone}` : (phone ?? '');
}

function addressOf(delivery: Order['deliveryInfo']): string | null {
  if (!delivery) return null;
  const { address1, address2, city, state, administrativeArea, zipCode, country } = delivery;
  const parts = [address1, address2, city, state ?? administrativeArea, zipCode, country];
  return parts.filter(Boolean).join(', ') || null;
}
