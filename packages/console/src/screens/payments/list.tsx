import type { RequestFor } from '@servery/client';
import type { BackOfficePayment } from '@servery/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { payments as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { sayFailed } from '../../parts/toast.tsx';
import { Countdown, Empty, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { dayOf, formatMoney, formatNear, instantAt } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { restaurantOf } from '../../platform/restaurants.ts';
import { call } from '../../platform/session.ts';
import { cardOf, StateBadge, totalOf } from './words.tsx';

const EVERY_MS = 3_000;
const PAGE = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LAST_FOUR = /^\d{4}$/;
const AMOUNT = /^\d{1,12}([.,]\d{1,4})?$/;
const FILTERS = ['state', 'period', 'due', 'last4', 'amount', 'restaurant'];

type Query = NonNullable<RequestFor<'backOffice.payments.list'>['query']>;

interface Loaded {
  readonly rows: readonly BackOfficePayment[];
  /** Of the pages behind; null when all are here. */
  readonly next: string | null;
}

export function PaymentList() {
  const { query, change, go } = useAddress();
  const filter = filterOf(query);
  const key = JSON.stringify({ ...query, item: undefined });
  const { state, refresh } = useLive<Loaded>(key, (before) => readTop(filter, before), EVERY_MS);
  const more = useMore(key);
  const { value, error, isLive } = state.value;
  const rows = value ? merge(value.rows, more.rows) : [];
  const next = more.next === undefined ? (value?.next ?? null) : more.next;
  const isFiltered = FILTERS.some((name) => query[name]);
  const open = (payment: BackOfficePayment) =>
    go(`payments/${payment.merchantGuid}/${payment.paymentUuid}`, {
      restaurant: query.restaurant,
    });
  return (
    <div class="stack">
      <div class="page-head">
        <h1>{texts.title}</h1>
        <LiveMark isLive={isLive} />
      </div>
      <Filters />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {!value && error === null && <Skeleton lines={12} />}
      {value && rows.length === 0 && (
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
      {rows.length > 0 && (
        <>
          <Totals rows={rows} isAll={next === null} />
          <Table
            label={texts.title}
            columns={columns(query.restaurant)}
            rows={rows}
            keyOf={({ merchantGuid, paymentUuid }) => merchantGuid + paymentUuid}
            onOpen={open}
            onEnd={() => next !== null && more.load(filter, next)}
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
      <TextFilter name="last4" pattern={LAST_FOUR} label={texts.last4} wrong={texts.last4Fault} />
      <TextFilter
        name="amount"
        pattern={AMOUNT}
        label={texts.amount}
        hint={texts.amountHint}
        wrong={texts.amountFault}
      />
    </search>
  );
}

interface TextFilterProps {
  readonly name: 'last4' | 'amount';
  readonly pattern: RegExp;
  readonly label: string;
  readonly hint?: string;
  readonly wrong: string;
}

/** Filters once the text fits the pattern. */
function TextFilter({ name, pattern, label, hint, wrong }: TextFilterProps) {
  const { query, change } = useAddress();
  const [unfinished, setUnfinished] = useState<string | null>(null);
  const text = unfinished ?? query[name] ?? '';
  const fits = (value: string) => value === '' || pattern.test(value);
  return (
    <Field
      label={label}
      hint={hint}
      inputmode="decimal"
      value={text}
      fault={fits(text) ? null : wrong}
      onValue={(value) => {
        setUnfinished(fits(value) ? null : value);
        if (fits(value)) change({ [name]: value });
      }}
    />
  );
}

function columns(restaurant: string | undefined): readonly Column<BackOfficePayment>[] {
  const zone = (payment: BackOfficePayment) => restaurantOf(payment.merchantGuid)?.timeZone;
  const place: Column<BackOfficePayment> = {
    id: 'place',
    label: texts.columns.place,
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
      width: '8.5rem',
      isWideOnly: true,
      cell: cardOf,
    },
    {
      id: 'state',
      label: texts.columns.state,
      width: '8rem',
      cell: ({ paymentState }) => <StateBadge state={paymentState} />,
    },
    {
      id: 'due',
      label: texts.columns.due,
      width: '12rem',
      isWideOnly: true,
      cell: (payment) =>
        payment.nextDeadline && (
          <span class="small">
            {texts.deadlines[payment.nextDeadline.action]} {texts.deadlineIn}{' '}
            <Countdown to={payment.nextDeadline.at} timeZone={zone(payment)} />
          </span>
        ),
    },
    {
      id: 'tip',
      label: texts.columns.tip,
      width: '6.5rem',
      isAtEnd: true,
      isWideOnly: true,
      cell: ({ tipAmount, currencyCode }) => formatMoney(tipAmount, currencyCode),
    },
    {
      id: 'amount',
      label: texts.columns.amount,
      width: '6.5rem',
      isAtEnd: true,
      cell: (payment) => <strong>{totalOf(payment)}</strong>,
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
    amount: amount && AMOUNT.test(amount) ? Number(amount.replace(',', '.')) : undefined,
    ...(period === 'today' && { createdFrom: iso(instantAt(dayOf(now, zone), '00:00', zone)) }),
    ...(period === 'week' && { createdFrom: rounded(now - 7 * DAY_MS, HOUR_MS) }),
    ...(due === 'hour' && { dueBefore: rounded(now + HOUR_MS, 60_000) }),
    ...(due === 'day' && { dueBefore: rounded(now + DAY_MS, HOUR_MS) }),
  };
}

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

async function readTop(filter: Query, before: Loaded | null): Promise<Loaded> {
  const query = { ...filter, pageSize: PAGE };
  const { results, nextPageToken } = await call('backOffice.payments.list', { query });
  const last = results.at(-1);
  if (nextPageToken === null || !last) return { rows: results, next: null };
  // What has moved behind the first page since the first reading; the pages behind follow on it.
  const behind = (before?.rows ?? []).filter((row) => compare(row, last) > 0);
  return { rows: [...results, ...behind], next: before?.next ?? nextPageToken };
}

/** The pages behind the first one, for one set of filters. */
function useMore(key: string) {
  const empty = { key, rows: [] as readonly BackOfficePayment[], next: undefined };
  const [state, setState] = useState<{
    readonly key: string;
    readonly rows: readonly BackOfficePayment[];
    readonly next: string | null | undefined;
  }>(empty);
  const current = state.key === key ? state : empty;
  const loading = useRef<string | null>(null);
  useEffect(() => {
    loading.current = null;
  }, [key]);
  const load = (filter: Query, pageToken: string) => {
    if (loading.current === pageToken) return;
    loading.current = pageToken;
    const query = { ...filter, pageSize: PAGE, pageToken };
    call('backOffice.payments.list', { query }).then(
      ({ results, nextPageToken }) => {
        if (loading.current !== pageToken) return;
        setState({ key, rows: [...current.rows, ...results], next: nextPageToken });
      },
      (error) => {
        loading.current = null;
        sayFailed(error);
      },
    );
  };
  return { rows: current.rows, next: current.next, load };
}

function merge(
  top: readonly BackOfficePayment[],
  behind: readonly BackOfficePayment[],
): readonly BackOfficePayment[] {
  const last = top.at(-1);
  return last ? [...top, ...behind.filter((row) => compare(row, last) > 0)] : top;
}

/** As the platform sorts them: newest first. */
function compare(one: BackOfficePayment, other: BackOfficePayment): number {
  const keyOf = (row: BackOfficePayment) => row.createdAt + row.paymentUuid + row.merchantGuid;
  return keyOf(one) < keyOf(other) ? 1 : keyOf(one) > keyOf(other) ? -1 : 0;
}
