import type { RequestFor } from '@servery/client/back-office';
import type { BackOfficePayment } from '@servery/contract';
import { common, payments as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { usePaged } from '../../parts/paged.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Empty, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { Views } from '../../parts/views.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { dayOf, formatMoney, formatNear, instantAt, parseAmount } from '../../platform/format.ts';
import { restaurantOf } from '../../platform/restaurants.ts';
import { call } from '../../platform/session.ts';
import { useTyped } from '../../platform/typed.ts';
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
  const { rows, hasMore, error, isLive, refresh, loadMore } = usePaged<BackOfficePayment>({
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
      <div class="page-head">
        <h1>{texts.title}</h1>
        <div class="row">
          <Views page="payments" filters={FILTERS} />
          <LiveMark isLive={isLive} />
        </div>
      </div>
      <Filters />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {rows === null && error === null && <Skeleton lines={12} />}
      {rows?.length === 0 && (
        <Empty title={isFiltered ? texts.noneFit : texts.empty}>
          {isFiltered ? (
            <Button onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, null])))}>
              {texts.clear}
            </Button>
          ) : (
            <>
              <p>{texts.emptyMore}</p>
              <code>{texts.emptyCommand}</code>
            </>
          )}
        </Empty>
      )}
      {rows !== null && rows.length > 0 && (
        <>
          <Totals rows={rows} isAll={!hasMore} />
          <Table
            label={texts.title}
            columns={columns(query.restaurant)}
            rows={rows}
            keyOf={({ merchantGuid, paymentUuid }) => merchantGuid + paymentUuid}
            onOpen={open}
            onEnd={loadMore}
          />
        </>
      )}
    </div>
  );
}

function Filters() {
  const { query, change } = useAddress();
  const options = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <search class="filters" aria-label={texts.filters}>
      <Select
        label={texts.state}
        value={query.state ?? ''}
        onValue={(state) => change({ state })}
        options={options({ '': texts.anyState, ...texts.states })}
      />
      <Select
        label={texts.period}
        value={query.period ?? ''}
        onValue={(period) => change({ period })}
        options={options(texts.periods)}
      />
      <Select
        label={texts.due}
        value={query.due ?? ''}
        onValue={(due) => change({ due })}
        options={options(texts.dues)}
      />
      <TextFilter name="last4" fits={isLastFour} label={texts.last4} wrong={texts.last4Fault} />
      <TextFilter
        name="amount"
        fits={isAmount}
        label={texts.amount}
        hint={texts.amountHint}
        wrong={texts.amountFault}
      />
    </search>
  );
}

interface TextFilterProps {
  readonly name: 'last4' | 'amount';
  readonly fits: (text: string) => boolean;
  readonly label: string;
  readonly hint?: string;
  readonly wrong: string;
}

const isLastFour = (text: string) => LAST_FOUR.test(text.trim());
const isAmount = (text: string) => parseAmount(text) !== null;

/** Filters while the text fits. */
function TextFilter({ name, fits, label, hint, wrong }: TextFilterProps) {
  const [text, type] = useTyped(name, fits);
  return (
    <Field
      label={label}
      hint={hint}
      inputmode="decimal"
      value={text}
      fault={text.trim() === '' || fits(text) ? null : `${wrong} ${common.notFiltered}`}
      onValue={type}
    />
  );
}

function columns(restaurant: string | undefined): readonly Column<BackOfficePayment>[] {
  const zone = (payment: BackOfficePayment) => restaurantOf(payment.merchantGuid)?.timeZone;
  const place: Column<BackOfficePayment> = {
    id: 'place',
    label: texts.columns.place,
    width: '14%',
    isWideOnly: true,
    cell: ({ merchantGuid }) => restaurantOf(merchantGuid)?.name ?? '…',
  };
  return [
    {
      id: 'when',
      label: texts.columns.when,
      cell: (payment) => (
        <a href={hrefOf(`payments/${payment.merchantGuid}/${payment.paymentUuid}`, { restaurant })}>
          {formatNear(payment.createdAt, nowMs.peek(), zone(payment))}
          <span class="under soft small">{cardOf(payment)}</span>
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
    cardLast4: last4 && isLastFour(last4) ? last4 : undefined,
    amount: parseAmount(amount ?? '') ?? undefined,
    ...(period === 'today' && { createdFrom: iso(instantAt(dayOf(now, zone), '00:00', zone)) }),
    ...(period === 'week' && { createdFrom: rounded(now - 7 * DAY_MS, HOUR_MS) }),
    ...(due === 'hour' && { dueBefore: rounded(now + HOUR_MS, 60_000) }),
    ...(due === 'day' && { dueBefore: rounded(now + DAY_MS, HOUR_MS) }),
  };
}

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
