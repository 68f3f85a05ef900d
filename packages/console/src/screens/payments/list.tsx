import type { RequestFor } from '@servery/client/back-office';
import type { BackOfficePayment } from '@servery/contract';
import { common, payments as texts } from '../../messages.ts';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { PageHead } from '../../parts/page.tsx';
import { usePaged } from '../../parts/paged.ts';
import type { Column } from '../../parts/table.tsx';
import { Views } from '../../parts/views.tsx';
import { cleared, hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import {
  dayOf,
  formatMoney,
  formatNear,
  instantAt,
  localZone,
  minorDigits,
  parseAmount,
} from '../../platform/format.ts';
import { type KnownRestaurant, restaurantOf, restaurants } from '../../platform/restaurants.ts';
import { call } from '../../platform/session.ts';
import { cardOf, Deadline, StateBadge, totalOf } from './words.tsx';

const EVERY_MS = 3_000;
const PAGE = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LAST_FOUR = /^\d{4}$/;
const FILTERS = ['state', 'period', 'due', 'last4', 'amount', 'restaurant'] as const;

type Query = NonNullable<RequestFor<'backOffice.payments.list'>['query']>;

export function PaymentList() {
  const { query, change, go } = useAddress();
  const filter = filterOf(query);
  const list = usePaged<BackOfficePayment>({
    key: JSON.stringify(FILTERS.map((name) => query[name])),
    read: (pageToken) =>
      call('backOffice.payments.list', { query: { ...filter, pageSize: PAGE, pageToken } }),
    rankOf: ({ createdAt, paymentUuid, merchantGuid }) => createdAt + paymentUuid + merchantGuid,
    everyMs: EVERY_MS,
  });
  const isFiltered = FILTERS.some((name) => query[name]);
  const open = (payment: BackOfficePayment) =>
    go(`payments/${payment.merchantGuid}/${payment.paymentUuid}`, {
      restaurant: query.restaurant,
    });
  return (
    <div class="stack">
      <PageHead
        title={texts.title}
        isLive={list.isLive}
        views={<Views page="payments" filters={FILTERS} />}
      />
      <Filters>
        <SelectFilter
          name="state"
          label={texts.state}
          options={[['', common.any], ...Object.entries(texts.states)]}
        />
        <SelectFilter name="period" label={texts.period} options={Object.entries(texts.periods)} />
        <SelectFilter name="due" label={texts.due} options={Object.entries(texts.dues)} />
        <TextFilter
          name="last4"
          label={texts.last4}
          inputmode="decimal"
          pattern={LAST_FOUR}
          wrong={texts.last4Fault}
        />
        <TextFilter
          name="amount"
          label={texts.amount}
          hint={texts.amountHint}
          inputmode="decimal"
          pattern={{ test: (text) => amountOf(text, query.restaurant) !== null }}
          wrong={texts.amountFault}
        />
      </Filters>
      <List
        label={texts.title}
        {...{ list, texts }}
        columns={columns(query.restaurant)}
        keyOf={({ merchantGuid, paymentUuid }) => merchantGuid + paymentUuid}
        onOpen={open}
        onClear={isFiltered ? () => change(cleared(FILTERS)) : null}
      >
        <Totals rows={list.rows ?? []} isAll={!list.hasMore} />
      </List>
    </div>
  );
}

/** Null for one with more decimals than the currency of the restaurant has, or of any. */
function amountOf(text: string, restaurant: string | undefined): number | null {
  const amount = parseAmount(text);
  const places = restaurant ? [restaurantOf(restaurant)] : restaurants.value;
  const fits = (place: KnownRestaurant | null) =>
    !place?.currencyCode || amount === Number(amount?.toFixed(minorDigits(place.currencyCode)));
  return places.length === 0 || places.some(fits) ? amount : null;
}

function nameOfPlace({ merchantGuid }: BackOfficePayment): string {
  return restaurantOf(merchantGuid)?.name ?? '…';
}

function columns(restaurant: string | undefined): readonly Column<BackOfficePayment>[] {
  const zone = (payment: BackOfficePayment) => restaurantOf(payment.merchantGuid)?.timeZone;
  const place: Column<BackOfficePayment> = {
    id: 'place',
    label: texts.columns.place,
    width: '14%',
    isWideOnly: true,
    cell: nameOfPlace,
  };
  return [
    {
      id: 'when',
      label: texts.columns.when,
      cell: (payment) => (
        <a href={hrefOf(`payments/${payment.merchantGuid}/${payment.paymentUuid}`, { restaurant })}>
          {formatNear(payment.createdAt, nowMs.peek(), zone(payment))}
          <span class="under soft small">{cardOf(payment)}</span>
          {!restaurant && <span class="under soft small">{nameOfPlace(payment)}</span>}
        </a>
      ),
    },
    ...(restaurant ? [] : [place]),
    {
      id: 'card',
      label: texts.columns.card,
      width: '9.25rem',
      isWideOnly: true,
      cell: (payment) => <span class="small">{cardOf(payment)}</span>,
    },
    {
      id: 'state',
      label: texts.columns.state,
      width: '9.5rem',
      isWideOnly: true,
      cell: ({ paymentState }) => <StateBadge state={paymentState} />,
    },
    {
      id: 'due',
      label: texts.columns.due,
      width: '10rem',
      isWideOnly: true,
      cell: (payment) =>
        payment.nextDeadline && (
          <span class="small">
            <Deadline deadline={payment.nextDeadline} timeZone={zone(payment)} />
          </span>
        ),
    },
    {
      id: 'tip',
      label: texts.columns.tip,
      width: '5.75rem',
      isAtEnd: true,
      isWideOnly: true,
      cell: ({ tipAmount, currencyCode }) => formatMoney(tipAmount, currencyCode),
    },
    {
      id: 'amount',
      label: texts.columns.amount,
      width: '9rem',
      isAtEnd: true,
      cell: (payment) => (
        <>
          <strong>{totalOf(payment)}</strong>
          <span class="under">
            <StateBadge state={payment.paymentState} />
          </span>
        </>
      ),
    },
  ];
}

/** What the rows add up to, by currency: says so when more rows are behind them. */
function Totals({ rows, isAll }: { rows: readonly BackOfficePayment[]; isAll: boolean }) {
  const byCurrency = Map.groupBy(rows, ({ currencyCode }) => currencyCode);
  return (
    <div class="totals" role="status">
      <strong>{texts.totals(rows.length, isAll)}</strong>
      {[...byCurrency].map(([currency, all]) => {
        const sum = (amountOf: (payment: BackOfficePayment) => number) =>
          formatMoney(
            all.reduce((total, payment) => total + amountOf(payment), 0),
            currency,
          );
        return (
          <span key={currency} class="number">
            {sum(heldOf)} {texts.authorized} · {sum(({ capturedAmount }) => capturedAmount ?? 0)}{' '}
            {texts.captured}
            {all.some(openOf) && ` · ${sum(openOf)} ${texts.open}`}
          </span>
        );
      })}
    </div>
  );
}

const HELD = ['AUTHORIZED', 'APPLIED', 'CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'VOID_PENDING'];

function heldOf({ paymentState, authorizedAmount }: BackOfficePayment): number {
  return HELD.includes(paymentState) ? (authorizedAmount ?? 0) : 0;
}

const OPEN = ['UNKNOWN', 'REVERSAL_PENDING', 'REVIEW'];

/** What may be on hold, or captured: only the processor knows. */
function openOf({ paymentState, authorizedAmount, amount, tipAmount }: BackOfficePayment): number {
  return OPEN.includes(paymentState) ? (authorizedAmount ?? amount + tipAmount) : 0;
}

function filterOf(query: Readonly<Record<string, string>>): Query {
  const { restaurant, state, period, due, last4, amount } = query;
  const now = nowMs.peek();
  const zone = (restaurant && restaurantOf(restaurant)?.timeZone) || localZone;
  const isState = (text: string): text is BackOfficePayment['paymentState'] =>
    Object.hasOwn(texts.states, text);
  const iso = (instant: number) => new Date(instant).toISOString();
  // Rounded, so that the same question has the same address, and an entity tag.
  const rounded = (instant: number, unit: number) => iso(Math.ceil(instant / unit) * unit);
  return {
    merchantUuid: restaurant,
    state: state && isState(state) ? [state] : undefined,
    cardLast4: last4 && LAST_FOUR.test(last4) ? last4 : undefined,
    amount: amountOf(amount ?? '', restaurant) ?? undefined,
    ...(period === 'today' && { createdFrom: iso(instantAt(dayOf(now, zone), '00:00', zone)) }),
    ...(period === 'week' && { createdFrom: rounded(now - 7 * DAY_MS, HOUR_MS) }),
    ...(due === 'hour' && { dueBefore: rounded(now + HOUR_MS, 60_000) }),
    ...(due === 'day' && { dueBefore: rounded(now + DAY_MS, HOUR_MS) }),
  };
}
