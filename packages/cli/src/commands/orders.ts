import type { BackOfficeOrder, OrderEvent } from '@servery/contract';
import { command, type Family } from '../command.ts';
import { invalidUsage } from '../exit-codes.ts';
import { findOrder, findSelection } from '../find/orders.ts';
import { amount, guidOf, guidsOf, oneOf, words } from '../readers.ts';
import { orderCommandOf } from '../refusals.ts';
import { type Columns, details, rows, sumText, valueText } from '../shown.ts';
import {
  argument,
  as,
  atRestaurant,
  guid,
  limit,
  naming,
  required,
  switchTo,
  text,
} from '../values.ts';

const listColumns: Columns<BackOfficeOrder> = {
  number: ({ order }) => order.displayNumber,
  order: ({ order }) => order.guid,
  placed: ({ order }) => instantOf(order.createdDate),
  status: statusOf,
  total: totalOf,
  paid: paidOf,
};

const detailColumns: Columns<BackOfficeOrder> = {
  order: ({ order }) => order.guid,
  number: ({ order }) => order.displayNumber,
  approval: ({ order }) => order.approvalStatus,
  guest: ({ order }) => order.guestOrderStatus,
  total: totalOf,
  paid: paidOf,
  placed: ({ order }) => instantOf(order.createdDate),
  'legal now': ({ legalMoves }) => legalMoves.map(orderCommandOf).join(', '),
  'next by clock': 'nextDueAt',
  'to kitchen': 'fireAt',
  promised: ({ order }) => instantOf(order.promisedDate),
  fulfilled: 'fulfilledAt',
  items: ({ order }) =>
    order.checks
      .flatMap(({ selections }) => selections)
      .map(itemText)
      .join('; '),
  checks: ({ order }) => order.checks.map(({ guid: check }) => check).join(', '),
  payments: ({ order, currencyCode }) =>
    order.checks
      .flatMap(({ payments }) => payments)
      .map(
        (one) =>
          `${one.type} ${sumText(one.amount, currencyCode)} ${one.paymentStatus} ${one.guid}`,
      )
      .join('; '),
  guests: ({ order }) =>
    order.checks
      .flatMap(({ customer }) => customer ?? [])
      .map(({ firstName, lastName, phone }) =>
        [firstName, lastName, phone].filter((part) => part !== null).join(' '),
      )
      .join('; '),
  'external ID': ({ order }) => order.externalId,
  client: 'clientId',
  version: 'version',
};

const eventColumns: Columns<OrderEvent> = {
  version: 'version',
  at: 'occurredAt',
  cause: 'cause',
  by: ({ by, byName }) => byName ?? by,
  details: ({ details: own }) =>
    Object.entries(own ?? {})
      .map(([name, value]) => `${name}: ${valueText(value)}`)
      .join(', '),
};

const SHOW = 'servery orders show';
const at = { restaurant: atRestaurant() };
const order = {
  order: naming(findOrder, 'orderGuid', argument('its number, external ID, or GUID')),
};
const reason = required(text('<text>', 'the reason, for the record', words));
const voidReason = as(
  'voidReasonGuid',
  text('<guid>', 'a published void reason', guidOf('a void reason', 'servery config objects')),
);
const only = {
  items: as(
    'selectionGuids',
    text('<guids>', 'only these selections, separated by commas', guidsOf('a selection', SHOW)),
  ),
};
const shown = (own: BackOfficeOrder) => details(detailColumns, own);

const guestStatuses = {
  received: 'RECEIVED',
  preparing: 'IN_PREPARATION',
  ready: 'READY_FOR_PICKUP',
  closed: 'CLOSED',
  voided: 'VOIDED',
} as const;
const approvals = {
  needed: 'NEEDS_APPROVAL',
  approved: 'APPROVED',
  future: 'FUTURE',
  rejected: 'NOT_APPROVED',
} as const;
const paymentTypes = { cash: 'CASH', other: 'OTHER' } as const;

export const orders: Family = {
  name: 'orders',
  summary: 'View, approve, prepare, fulfill, and void orders',
  examples: ['servery orders list --open', 'servery orders fulfil 6f9c…'],
  commands: [
    command({
      name: 'list',
      summary: 'List the orders of a restaurant, newest first',
      examples: ['servery orders list --open', 'servery orders list --open --approval needed'],
      isDefault: true,
      options: {
        ...at,
        open: switchTo('open', true, 'only orders that are neither closed nor voided'),
        status: as(
          'guestOrderStatus',
          text('<status>', 'received, preparing, ready, closed, or voided', oneOf(guestStatuses)),
        ),
        approval: as(
          'approvalStatus',
          text('<approval>', 'needed, approved, future, or rejected', oneOf(approvals)),
        ),
        limit,
      },
      operation: 'backOffice.orders.list',
      pages: { columns: listColumns, empty: 'No order matches.' },
    }),
    command({
      name: 'show',
      summary: 'Show an order and what you can do with it',
      examples: ['servery orders show 6f9c…'],
      arguments: order,
      options: at,
      operation: 'backOffice.orders.get',
      show: shown,
    }),
    command({
      name: 'events',
      summary: 'List the history of an order',
      examples: ['servery orders events 6f9c…'],
      arguments: order,
      options: at,
      operation: 'backOffice.orders.events',
      show: (events) => rows(eventColumns, events, 'The order has no events.'),
    }),
    command({
      name: 'approve',
      summary: 'Approve an order that needs approval',
      examples: ['servery orders approve 6f9c…'],
      arguments: order,
      options: at,
      operation: 'backOffice.orders.approve',
      show: shown,
    }),
    command({
      name: 'reject',
      summary: 'Reject an order that needs approval',
      examples: ['servery orders reject 6f9c… --reason "the kitchen is closing"'],
      arguments: order,
      options: { ...at, reason },
      operation: 'backOffice.orders.reject',
      show: shown,
    }),
    command({
      name: 'fire',
      summary: 'Send an order, or some of it, to the kitchen',
      examples: ['servery orders fire 6f9c…'],
      arguments: order,
      options: { ...at, ...only },
      operation: 'backOffice.orders.fire',
      show: shown,
    }),
    command({
      name: 'hold',
      summary: 'Hold back an order, or some of it, from the kitchen',
      examples: ['servery orders hold 6f9c…'],
      arguments: order,
      options: { ...at, ...only },
      operation: 'backOffice.orders.hold',
      show: shown,
    }),
    command({
      name: 'ready',
      summary: 'Record that an order, or some of it, is ready',
      examples: ['servery orders ready 6f9c…'],
      arguments: order,
      options: { ...at, ...only },
      operation: 'backOffice.orders.ready',
      show: shown,
    }),
    command({
      name: 'fulfil',
      summary: 'Record that the guest has the order',
      examples: ['servery orders fulfil 6f9c…'],
      arguments: order,
      options: at,
      operation: 'backOffice.orders.fulfil',
      show: shown,
    }),
    command({
      name: 'pay',
      summary: 'Record a payment at the counter',
      examples: ['servery orders pay 6f9c… --amount 12.50'],
      arguments: order,
      options: {
        ...at,
        check: as(
          'checkGuid',
          text('<guid>', 'the check, if there are several', guidOf('a check', SHOW)),
        ),
        method: {
          ...as('type', text('<method>', 'cash or other', oneOf(paymentTypes))),
          fallback: 'CASH',
          fallbackText: 'cash',
        },
        amount: required(text('<amount>', 'what was paid, without the tip', amount)),
        tip: as('tipAmount', text('<amount>', 'the tip', amount)),
        paymentType: as(
          'otherPaymentGuid',
          text(
            '<guid>',
            'for other: a published alternate payment type',
            guidOf('an alternate payment type', 'servery config objects alternatePaymentTypes'),
          ),
        ),
      },
      operation: 'backOffice.orders.payments.add',
      run: async ({ args, options, request, read, ask }) => {
        const checkGuid = options.check ?? onlyCheck(await read('backOffice.orders.get'));
        const params = { ...request.params, orderGuid: args.order, checkGuid };
        return shown(await ask({ params }));
      },
    }),
    command({
      name: 'void-payment',
      summary: 'Void a payment of an order',
      examples: ['servery orders void-payment 6f9c… 5a1b… --reason "paid in cash"'],
      arguments: { ...order, payment: guid('paymentGuid', 'a payment of the order', SHOW) },
      options: { ...at, reason },
      operation: 'backOffice.orders.payments.void',
      show: shown,
    }),
    command({
      name: 'void-item',
      summary: 'Void a selection of an order',
      examples: ['servery orders void-item 6f9c… 77e2…'],
      arguments: {
        ...order,
        selection: naming(
          findSelection,
          'selectionGuid',
          argument('what was ordered, by name or GUID'),
        ),
      },
      options: { ...at, voidReason },
      operation: 'backOffice.orders.selections.void',
      show: shown,
    }),
    command({
      name: 'void',
      summary: 'Void an order and its payments',
      examples: ['servery orders void 6f9c… --reason "the guest left"'],
      arguments: order,
      options: { ...at, reason, voidReason },
      operation: 'backOffice.orders.void',
      show: shown,
    }),
  ],
};

/** What a restaurant asks of a list: whether somebody must approve it, then how far it is. */
function statusOf({ order }: BackOfficeOrder): string | null {
  const { approvalStatus, guestOrderStatus } = order;
  const isBefore = approvalStatus === 'NEEDS_APPROVAL' || approvalStatus === 'FUTURE';
  return guestOrderStatus !== 'VOIDED' && isBefore ? approvalStatus : guestOrderStatus;
}

function paidOf({ order }: BackOfficeOrder): string {
  return [...new Set(order.checks.map(({ paymentStatus }) => paymentStatus))].join(', ');
}

/** As all other times are shown. */
function instantOf(time: string | null): string | null {
  return time?.replace('+0000', 'Z') ?? null;
}

function onlyCheck({ order, currencyCode }: BackOfficeOrder): string {
  const [check] = order.checks;
  if (check?.guid && order.checks.length === 1) return check.guid;
  const names = order.checks
    .map(({ guid: check, totalAmount }) => `\n  ${check}  ${sumText(totalAmount, currencyCode)}`)
    .join('');
  throw invalidUsage(`the order has ${order.checks.length} checks. Name one with --check:${names}`);
}

function totalOf({ order, currencyCode }: BackOfficeOrder): string {
  return order.checks.map(({ totalAmount }) => sumText(totalAmount, currencyCode)).join(' + ');
}

function itemText({
  quantity,
  displayName,
  fulfillmentStatus,
  voided,
  guid: selection,
}: BackOfficeOrder['order']['checks'][number]['selections'][number]): string {
  return `${quantity} ${displayName} ${voided ? 'VOIDED' : fulfillmentStatus} ${selection}`;
}
