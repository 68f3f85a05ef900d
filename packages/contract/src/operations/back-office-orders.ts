import { choice, flag, uuid, whole } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import type { SchemaName } from '../schemas.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { guid, instantParameter, pageParameters } from './parameters.ts';

const restaurantGuid = guid('The restaurant.');
const orderGuid = guid('The order.');
const orders = {
  interface: 'backOffice',
  tag: 'Orders of restaurants',
  restaurant: 'restaurantInPath',
} as const;
const reading = { ...orders, method: 'GET', scope: 'orders.admin:read' } as const;
const path = `${prefix}/restaurants/{restaurantGuid}/orders`;
const anOrder = `${path}/{orderGuid}`;
const params = { restaurantGuid, orderGuid };

const deciding = {
  ...orders,
  method: 'POST',
  scope: 'orders.admin:write',
  params,
  response: single('BackOfficeOrder'),
} as const;

const withBody = <const Name extends SchemaName>(schema: Name) =>
  ({ requestBody: json(schema), also: [409, 422] }) as const;

export const orderAdminOperations = [
  operation({
    ...reading,
    id: 'backOffice.orders.list',
    path,
    params: { restaurantGuid },
    summary: 'List the orders of a restaurant',
    description:
      'Returns pages of orders, the newest first. It shows orders that match every filter. Guest ' +
      'data is shown until it is erased.',
    query: {
      guestOrderStatus: Type.Optional(
        choice(
          'Only orders that guests see in this status.',
          ['RECEIVED', 'IN_PREPARATION', 'READY_FOR_PICKUP', 'CLOSED', 'VOIDED'],
          { example: 'RECEIVED' },
        ),
      ),
      approvalStatus: Type.Optional(
        choice(
          'Only orders in this status.',
          ['NEEDS_APPROVAL', 'APPROVED', 'FUTURE', 'NOT_APPROVED'],
          { example: 'NEEDS_APPROVAL' },
        ),
      ),
      paymentStatus: Type.Optional(
        choice('Only orders with a check in this status.', ['OPEN', 'PAID', 'CLOSED'], {
          example: 'OPEN',
        }),
      ),
      businessDate: Type.Optional(
        whole('Only orders of this business date, yyyyMMdd.', {
          minimum: 10_000_101,
          maximum: 99_991_231,
          example: 20_260_131,
        }),
      ),
      partnerGuid: Type.Optional(
        uuid('Only orders of this partner or management group.', {
          example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35',
        }),
      ),
      open: Type.Optional(
        flag('True: only orders that are neither closed nor voided.', { example: true }),
      ),
      modifiedFrom: instantParameter('Only orders that changed at this time or later.'),
      ...pageParameters('Orders'),
    },
    response: single('BackOfficeOrderPage'),
  }),
  operation({
    ...reading,
    id: 'backOffice.orders.get',
    path: anOrder,
    params,
    summary: 'Get an order of a restaurant',
    description: 'Returns the order with its guest data and the decisions that it allows.',
    response: single('BackOfficeOrder'),
  }),
  operation({
    ...reading,
    id: 'backOffice.orders.events',
    path: `${anOrder}/events`,
    params,
    summary: 'List the changes of an order',
    description: 'Returns every change of the order, the oldest first: when, who and what.',
    response: { schema: 'OrderEvent', array: true },
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.approve',
    path: `${anOrder}/approve`,
    summary: 'Approve an order',
    description:
      'Approves an order that needs it. It goes to the kitchen at once, or at its time if it is ' +
      'scheduled. Takes no body.',
    also: [409],
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.reject',
    path: `${anOrder}/reject`,
    summary: 'Reject an order',
    description:
      'Refuses an order that needs approval, and voids it with its payments. Holds on cards are ' +
      'released, and its portions return to stock.',
    ...withBody('OrderReason'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.fire',
    path: `${anOrder}/fire`,
    summary: 'Send selections to the kitchen',
    description:
      'Sends selections that are new or on hold. A scheduled order is approved by it. Without ' +
      'selectionGuids, all of them.',
    ...withBody('OrderSelections'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.hold',
    path: `${anOrder}/hold`,
    summary: 'Hold selections back',
    description:
      'Keeps new selections from the kitchen until somebody sends them. Without selectionGuids, ' +
      'all that are new.',
    ...withBody('OrderSelections'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.ready',
    path: `${anOrder}/ready`,
    summary: 'Report that selections are ready',
    description: 'Marks selections as ready. Without selectionGuids, all that are not on hold.',
    ...withBody('OrderSelections'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.fulfil',
    path: `${anOrder}/fulfil`,
    summary: 'Report that an order was fulfilled',
    description:
      'Everything is ready, and the guest has it. Its card payments are captured at the ' +
      'close-out of the business day. A delivery is delivered. Takes no body.',
    also: [409],
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.payments.add',
    path: `${anOrder}/checks/{checkGuid}/payments`,
    params: { ...params, checkGuid: guid('The check.') },
    summary: 'Record a payment at the counter',
    description:
      'Records what a guest paid in cash or in another way. The same guid with the same payment ' +
      'changes nothing.',
    ...withBody('CounterPayment'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.payments.void',
    path: `${anOrder}/payments/{paymentGuid}/void`,
    params: { ...params, paymentGuid: guid('The payment.') },
    summary: 'Void a payment of an order',
    description:
      'Takes a payment off an order that was not fulfilled. The hold on a card is released. The ' +
      'check may become open again.',
    ...withBody('OrderReason'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.selections.void',
    path: `${anOrder}/selections/{selectionGuid}/void`,
    params: { ...params, selectionGuid: guid('The top-level selection.') },
    summary: 'Void a selection of an order',
    description:
      'The selection costs nothing, and the totals are computed anew. Payments stay as they are. ' +
      'A selection that was not sent to the kitchen returns to stock.',
    ...withBody('VoidSelection'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.void',
    path: `${anOrder}/void`,
    summary: 'Void an order',
    description:
      'Voids an order that was not fulfilled, with its selections and payments of every kind. ' +
      'Holds on cards are released.',
    ...withBody('VoidBackOfficeOrder'),
  }),
] as const;
