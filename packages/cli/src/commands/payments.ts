import type { BackOfficePayment, PaymentEvent } from '@servery/contract';
import { readStates } from '../arguments.ts';
import { readPages, segment } from '../back-office.ts';
import {
  openSession,
  type RemoteDeps,
  type RemoteFlags,
  type Session,
  showJson,
  showTable,
} from '../session.ts';
import type { Column } from '../table.ts';
import { filtersOf } from '../verbs/filters.ts';
import { finderOn } from '../verbs/finder.ts';
import { moreNotes } from '../verbs/limit.ts';

/** The options of `servery payments list`. Times are ISO 8601 instants. */
export interface PaymentListFlags extends RemoteFlags {
  readonly restaurant?: string;
  readonly paymentState?: string;
  readonly client?: string;
  readonly createdFrom?: string;
  readonly createdTo?: string;
  readonly dueBefore?: string;
  readonly limit: number;
}

/** The options of the commands on one payment. */
export interface PaymentFlags extends RemoteFlags {
  readonly restaurant?: string;
}

/** A move of the orders side, with what it needs. */
export type PaymentMove =
  | { readonly kind: 'fulfil' | 'capture' }
  | { readonly kind: 'apply'; readonly checkGuid: string }
  | { readonly kind: 'void'; readonly reason: string };

const columns: readonly Column<BackOfficePayment>[] = [
  { title: 'payment', cell: ({ paymentUuid }) => paymentUuid },
  { title: 'restaurant', cell: ({ merchantGuid }) => merchantGuid },
  { title: 'payment state', cell: ({ paymentState }) => paymentState },
  { title: 'amount', cell: amountText },
  { title: 'card', cell: cardText },
  { title: 'created', cell: ({ createdAt }) => createdAt },
  { title: 'next', cell: nextText },
];

const detailColumns: readonly Column<BackOfficePayment>[] = [
  ...columns,
  { title: 'legal now', cell: ({ legalMoves }) => legalMoves.join(', '), breaks: true },
  { title: 'captured', cell: capturedText },
  { title: 'check', cell: ({ checkGuid }) => checkGuid ?? '' },
  { title: 'void reason', cell: ({ voidReason }) => voidReason ?? '', breaks: true },
  { title: 'denial', cell: denialText, breaks: true },
  { title: 'error', cell: ({ error }) => error ?? '', breaks: true },
  { title: 'client', cell: ({ clientId }) => clientId },
  { title: 'attempt', cell: ({ attempt }) => String(attempt) },
  { title: 'version', cell: ({ version }) => String(version) },
  { title: 'authorized', cell: ({ authorizedAt }) => authorizedAt ?? '' },
  { title: 'apply until', cell: ({ applyDeadline }) => applyDeadline ?? '' },
  { title: 'capture until', cell: ({ captureDeadline }) => captureDeadline ?? '' },
  { title: 'capture at', cell: ({ captureAt }) => captureAt ?? '' },
];

const eventColumns: readonly Column<PaymentEvent>[] = [
  { title: 'version', cell: ({ version }) => String(version) },
  { title: 'at', cell: ({ occurredAt }) => occurredAt },
  { title: 'from', cell: ({ fromState }) => fromState ?? '' },
  { title: 'cause', cell: ({ cause }) => cause },
  { title: 'to', cell: ({ toState }) => toState },
  { title: 'attempt', cell: ({ attempt }) => String(attempt) },
  { title: 'details', cell: ({ details }) => detailsText(details), breaks: true },
];

/** `servery payments list`: the payments that fit the filters, newest first. */
export async function runPaymentsList(deps: RemoteDeps, flags: PaymentListFlags): Promise<void> {
  const session = await openSession(deps, flags);
  const { remote, demo } = session;
  const { restaurant, client, paymentState, createdFrom, createdTo, dueBefore, limit } = flags;
  const find = finderOn(remote, demo);
  const path = '/backoffice/v1/payments';
  const named = filtersOf(session, { path, parameters: { client: 'clientId' } });
  const query = {
    merchantUuid: restaurant === undefined ? undefined : await find.restaurant(restaurant),
    // The list is asked by another name than the field has.
    state: paymentState === undefined ? undefined : await statesOf(paymentState),
    clientId: client === undefined ? undefined : await named.client(client),
    ...{ createdFrom, createdTo, dueBefore },
  };
  const page = await readPages<BackOfficePayment>(remote, path, query, limit);
  const { results, hasMore } = page;
  if (flags.json) showJson(deps, results);
  else showTable(deps, columns, results, 'There is no such payment.');
  for (const note of moreNotes(hasMore, results.length)) deps.terminal.err.write(`${note}\n`);
}

/** The states are loaded only for who names some: they make a command slower to begin. */
async function statesOf(text: string): Promise<string> {
  const { paymentStates } = await import('@servery/contract');
  return readStates(text, paymentStates);
}

/** `servery payments show PAYMENT`: one payment with what may be done with it. */
export async function runPaymentsShow(
  deps: RemoteDeps,
  paymentUuid: string,
  flags: PaymentFlags,
): Promise<void> {
  const session = await openSession(deps, flags);
  show(deps, flags, await session.remote.get(await pathOf(session, paymentUuid, flags)));
}

/** `servery payments events PAYMENT`: the history of a payment. */
export async function runPaymentsEvents(
  deps: RemoteDeps,
  paymentUuid: string,
  flags: PaymentFlags,
): Promise<void> {
  const session = await openSession(deps, flags);
  const path = `${await pathOf(session, paymentUuid, flags)}/events`;
  const events = await session.remote.get<PaymentEvent[]>(path);
  if (flags.json) showJson(deps, events);
  else showTable(deps, eventColumns, events, 'The payment has no events.');
}

/** `servery payments apply|fulfil|void|capture PAYMENT`: moves a payment as orders do. */
export async function runPaymentsMove(
  deps: RemoteDeps,
  paymentUuid: string,
  move: PaymentMove,
  flags: PaymentFlags,
): Promise<void> {
  const session = await openSession(deps, flags);
  const { kind, ...body } = move;
  const path = `${await pathOf(session, paymentUuid, flags)}/${kind}`;
  const hasBody = Object.keys(body).length > 0;
  const payment = await session.remote.post<BackOfficePayment>(path, hasBody ? body : undefined);
  show(deps, flags, payment);
  if (payment.paymentState === 'REVIEW') {
    deps.terminal.err.write(`The processor refused the ${kind}: see servery alarms.\n`);
  }
}

async function pathOf(
  { remote, demo }: Session,
  paymentUuid: string,
  { restaurant }: PaymentFlags,
): Promise<string> {
  const merchant = await finderOn(remote, demo).restaurantOr(restaurant);
  return `/backoffice/v1/merchants/${segment(merchant)}/payments/${segment(paymentUuid)}`;
}

function show(deps: RemoteDeps, { json }: RemoteFlags, payment: BackOfficePayment): void {
  // One payment has more columns than a line: a block of lines even where nothing limits these.
  const env = { ...deps.env, COLUMNS: deps.env.COLUMNS ?? '80' };
  if (json) showJson(deps, payment);
  else showTable({ ...deps, env }, detailColumns, [payment], '');
}

function amountText({ amount, tipAmount, currencyCode }: BackOfficePayment): string {
  const tip = tipAmount > 0 ? ` + ${money(tipAmount, currencyCode)} tip` : '';
  return `${money(amount, currencyCode)}${tip} ${currencyCode}`;
}

function capturedText({ capturedAmount, currencyCode }: BackOfficePayment): string {
  return capturedAmount === null ? '' : `${money(capturedAmount, currencyCode)} ${currencyCode}`;
}

/** As many decimals as the currency has. */
function money(amount: number, currency: string): string {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return amount.toFixed(maximumFractionDigits);
}

function cardText({ cardBrand, cardLast4 }: BackOfficePayment): string {
  return `${cardBrand ?? 'card'} …${cardLast4}`;
}

function nextText({ nextDeadline }: BackOfficePayment): string {
  return nextDeadline ? `${nextDeadline.action} ${nextDeadline.at}` : '';
}

function denialText({ denialReason, responseCode }: BackOfficePayment): string {
  const code = responseCode === null ? '' : ` (${responseCode})`;
  return denialReason === null ? '' : `${denialReason}${code}`;
}

function detailsText(details: PaymentEvent['details']): string {
  return Object.entries(details ?? {})
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
