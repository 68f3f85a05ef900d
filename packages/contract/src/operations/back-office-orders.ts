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
      'Returns pages of the orders that match every filter, newest first. Guest data is included ' +
      'until it is erased.',
    query: {
      guestOrderStatus: Type.Optional(
        choice(
          'Only orders with this guestOrderStatus.',
          ['RECEIVED', 'IN_PREPARATION', 'READY_FOR_PICKUP', 'CLOSED', 'VOIDED'],
          { example: 'RECEIVED' },
        ),
      ),
      approvalStatus: Type.Optional(
        choice(
          'Only orders with this approvalStatus.',
          ['NEEDS_APPROVAL', 'APPROVED', 'FUTURE', 'NOT_APPROVED'],
          { example: 'NEEDS_APPROVAL' },
        ),
      ),
      paymentStatus: Type.Optional(
        choice(
          'Only orders with a check that has this paymentStatus.',
          ['OPEN', 'PAID', 'CLOSED'],
          {
            example: 'OPEN',
          },
        ),
      ),
      businessDate: Type.Optional(
        whole('Only orders of this business date, yyyyMMdd.', {
          minimum: 10_000_101,
          maximum: 99_991_231,
          example: 20_260_131,
        }),
      ),
      partnerGuid: Type.Optional(
        uuid('Only orders that this partner or management group placed.', {
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
    description: 'Returns the order with its guest data, and the decisions that its state allows.',
    response: single('BackOfficeOrder'),
  }),
  operation({
    ...reading,
    id: 'backOffice.orders.events',
    path: `${anOrder}/events`,
    params,
    summary: 'List the changes of an order',
    description: 'Returns every change of the order, oldest first: when, by whom, and what.',
    response: { schema: 'OrderEvent', array: true },
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.approve',
    path: `${anOrder}/approve`,
    summary: 'Approve an order',
    description:
      'Approves an order that needs approval. It goes to the kitchen at once or, if it is ' +
      'scheduled, at the scheduled time. Takes no body.',
    also: [409],
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.reject',
    path: `${anOrder}/reject`,
    summary: 'Reject an order',
    description:
      'Rejects an order that needs approval, and voids it with its payments. Holds on cards are ' +
      'released, and its items return to stock.',
    ...withBody('OrderReason'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.fire',
    path: `${anOrder}/fire`,
    summary: 'Send selections to the kitchen',
    description:
      'Sends selections that are new or on hold to the kitchen now. Without selectionGuids, it ' +
      'sends all of them. A scheduled order (FUTURE) becomes APPROVED.',
    ...withBody('OrderSelections'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.hold',
    path: `${anOrder}/hold`,
    summary: 'Hold selections',
    description:
      'Holds new selections back from the kitchen until somebody sends them. Without ' +
      'selectionGuids, it holds all new selections.',
    ...withBody('OrderSelections'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.ready',
    path: `${anOrder}/ready`,
    summary: 'Report that selections are ready',
    description:
      'Marks selections as ready. Without selectionGuids, it marks all that are not on hold.',
    ...withBody('OrderSelections'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.fulfil',
    path: `${anOrder}/fulfil`,
    summary: 'Report that an order was fulfilled',
    description:
      'Records that the guest has the order. All its selections become ready, and a delivery ' +
      'becomes DELIVERED. Its card payments are captured at the closeout of the business day. ' +
      'Takes no body.',
    also: [409],
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.payments.add',
    path: `${anOrder}/checks/{checkGuid}/payments`,
    params: { ...params, checkGuid: guid('The check.') },
    summary: 'Record a payment at the counter',
    description:
      'Records what a guest paid in cash or in another way. Sending the same payment with the ' +
      'same guid again changes nothing.',
    ...withBody('CounterPayment'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.payments.void',
    path: `${anOrder}/payments/{paymentGuid}/void`,
    params: { ...params, paymentGuid: guid('The payment.') },
    summary: 'Void a payment of an order',
    description:
      'Takes a payment off an order that is not fulfilled, and releases the hold on a card. The ' +
      'check can become OPEN again.',
    ...withBody('OrderReason'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.selections.void',
    path: `${anOrder}/selections/{selectionGuid}/void`,
    params: { ...params, selectionGuid: guid('The top-level selection.') },
    summary: 'Void a selection of an order',
    description:
      'Voids a selection, which then costs nothing, and computes the totals again. Payments do ' +
      'not change. A selection that was not sent to the kitchen returns to stock.',
    ...withBody('VoidSelection'),
  }),
  operation({
    ...deciding,
    id: 'backOffice.orders.void',
    path: `${anOrder}/void`,
    summary: 'Void an order',
    description:
      'Voids an order that is not fulfilled, with all its selections and payments. Holds on cards ' +
      'are released.',
    ...withBody('VoidBackOfficeOrder'),
  }),
] as const;
