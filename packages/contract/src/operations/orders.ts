import { limits, text, whole } from '../schemas/field.ts';
import { orderLimits } from '../schemas/orders-parts.ts';
import { Type } from '../schemas/type.ts';
import { type Body, operation } from './operation.ts';
import { guid } from './parameters.ts';

const common = { interface: 'orders', tag: 'Orders', restaurant: 'header' } as const;

const json = <const Content extends Body>(body: Content) =>
  ({ ...body, contentTypes: ['application/json'], required: true }) as const;

const orderBody = json({ schema: 'OrderRequest', array: false });
const order = { schema: 'Order', array: false } as const;
const guids = { schema: 'OrderGuid', array: true } as const;

const orderGuid = guid('The order.');
const checkGuid = guid('A check of the order.');
const anOrder = '/orders/v2/orders/{orderGuid}';
const aCheck = `${anOrder}/checks/{checkGuid}` as const;

const time = (description: string) =>
  Type.Optional(
    text(`${description} ISO 8601 with an offset, URL-encoded.`, {
      ...limits.instant,
      example: '2026-01-31T18:30:00.000+0000',
    }),
  );

const businessDate = (description: string) =>
  Type.Optional(text(`${description} As yyyyMMdd.`, { ...limits.instant, example: '20260131' }));

const dates = {
  startDate: time('Only orders that changed at this time or later.'),
  endDate: time('Only orders that changed before this time.'),
  businessDate: businessDate(
    'Only orders of this business date. Do not combine it with startDate and endDate.',
  ),
};

export const ordersOperations = [
  operation({
    ...common,
    id: 'orders.price',
    method: 'POST',
    path: '/orders/v2/prices',
    summary: 'Price an order',
    description:
      'Checks an order and returns it with all prices, discounts, charges, and taxes. Nothing is ' +
      'stored. Payments and every externalId are ignored. The prices apply at this moment: they ' +
      'can change before you place the order.',
    scope: 'orders.orders:write',
    requestBody: orderBody,
    response: order,
    also: [404],
  }),
  operation({
    ...common,
    id: 'orders.place',
    method: 'POST',
    path: '/orders/v2/orders',
    mayEndInSlash: true,
    summary: 'Place an order',
    description:
      'Prices and stores an order, takes its items from stock, and applies its payments, all or ' +
      'nothing. If you get no response, send the order again with the same externalId: a 409 that ' +
      'names an order means that it was placed.',
    scope: 'orders.orders:write',
    requestBody: orderBody,
    response: order,
    also: [404, 409],
  }),
  operation({
    ...common,
    id: 'orders.list',
    method: 'GET',
    path: '/orders/v2/orders',
    mayEndInSlash: true,
    summary: 'List the GUIDs of orders',
    description:
      'Returns the GUIDs of the orders that changed between two times, which can be at most one ' +
      'hour apart, or of the orders of a business date.',
    scope: 'orders:read',
    query: dates,
    response: guids,
  }),
  operation({
    ...common,
    id: 'orders.get',
    method: 'GET',
    path: '/orders/v2/orders/{guid}',
    summary: 'Get an order',
    description:
      'Returns an order by its GUID, or by its externalId if that contains a colon (URL-encoded).',
    scope: 'orders:read',
    params: {
      guid: text('The GUID of the order, or its externalId.', {
        maxLength: 1_000,
        example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35',
      }),
    },
    response: order,
    also: [400, 404],
  }),
  operation({
    ...common,
    id: 'orders.listBulk',
    method: 'GET',
    path: '/orders/v2/ordersBulk',
    summary: 'List orders in pages',
    description:
      'Returns the orders that changed between two times, or those of a business date. To read the ' +
      'next page, follow the next address in the Link header: you then miss nothing, even if ' +
      'orders change in between. By default, each client can send 5 requests per second for a ' +
      'restaurant.',
    scope: 'orders:read',
    query: {
      ...dates,
      pageSize: Type.Optional(
        whole('Orders per page.', { minimum: 1, maximum: 100, default: 100, example: 100 }),
      ),
      page: Type.Optional(
        whole('Number of the page, starting at 1.', { minimum: 1, default: 1, example: 1 }),
      ),
      after: Type.Optional(
        text('Taken from the next address in the Link header.', {
          maxLength: 2_048,
          example: 'AbCdEf012345',
        }),
      ),
    },
    response: { schema: 'Order', array: true },
    headers: ['Link'],
  }),
  operation({
    ...common,
    id: 'orders.applicableDiscounts',
    method: 'POST',
    path: '/orders/v2/applicableDiscounts',
    summary: 'List the discounts that an order can have',
    description:
      'Returns every discount that you could add to the order as it stands, and where. With ' +
      'promoCode, it returns only discounts with that code. Without it, it returns only discounts ' +
      'that need no code.',
    scope: 'orders.orders:write',
    requestBody: json({ schema: 'ApplicableDiscountsRequest', array: false }),
    response: { schema: 'ApplicableDiscount', array: true },
    also: [404],
  }),
  operation({
    ...common,
    id: 'orders.selections.add',
    method: 'POST',
    path: `${aCheck}/selections`,
    summary: 'Add items to a check',
    description:
      'Adds selections to a check. What was already ordered keeps its price. Percentage ' +
      'discounts, percentage charges, and taxes are computed again.',
    scope: 'orders.items:write',
    params: { orderGuid, checkGuid },
    requestBody: json({
      schema: 'SelectionRequest',
      array: true,
      maxItems: orderLimits.selections,
    }),
    response: order,
    also: [404, 409],
  }),
  operation({
    ...common,
    id: 'orders.discounts.add',
    restaurant: 'headerOrOrder',
    method: 'POST',
    path: `${aCheck}/appliedDiscounts`,
    summary: 'Add discounts to a check',
    description:
      'Adds discounts to an open check. The rules apply to all discounts of the check together.',
    scope: 'orders.discounts:write',
    params: { orderGuid, checkGuid },
    requestBody: json({ schema: 'AppliedDiscountRequest', array: true, maxItems: 100 }),
    response: order,
    also: [404, 409],
  }),
  operation({
    ...common,
    id: 'orders.selectionDiscounts.add',
    restaurant: 'headerOrOrder',
    method: 'POST',
    path: `${aCheck}/selections/{selectionGuid}/appliedDiscounts`,
    summary: 'Add a discount to a selection',
    description: 'Adds a discount to a selection of an open check. A selection can have only one.',
    scope: 'orders.discounts:write',
    params: { orderGuid, checkGuid, selectionGuid: guid('The selection of the check.') },
    requestBody: json({ schema: 'AppliedDiscountRequest', array: true, maxItems: 100 }),
    response: order,
    also: [404, 409],
  }),
  operation({
    ...common,
    id: 'orders.payments.add',
    restaurant: 'headerOrOrder',
    method: 'POST',
    path: `${aCheck}/payments`,
    summary: 'Add card payments to a check',
    description: 'Applies authorized card payments to a check. Only CREDIT payments can be added.',
    scope: 'orders.payments:write',
    params: { orderGuid, checkGuid },
    requestBody: json({
      schema: 'OrderPaymentRequest',
      array: true,
      maxItems: orderLimits.payments,
    }),
    response: order,
    also: [404, 409],
  }),
  operation({
    ...common,
    id: 'orders.payments.update',
    restaurant: 'headerOrOrder',
    method: 'PATCH',
    path: `${aCheck}/payments/{paymentGuid}`,
    summary: 'Change the tip of a payment',
    description:
      'Replaces the tip. For a card payment, the amount and the tip together cannot exceed what ' +
      'was authorized, and their sum is what will be captured.',
    scope: 'orders.payments:write',
    params: { orderGuid, checkGuid, paymentGuid: guid('The payment of the check.') },
    requestBody: json({ schema: 'PaymentTipRequest', array: false }),
    response: order,
    also: [404, 409],
  }),
  operation({
    ...common,
    id: 'orders.deliveryInfo.update',
    method: 'PATCH',
    path: `${anOrder}/deliveryInfo`,
    summary: 'Update the progress of a delivery',
    description: 'Changes the state, dates, courier, or notes of a delivery.',
    scope: 'orders.delivery_info:write',
    params: { orderGuid },
    requestBody: json({ schema: 'DeliveryInfoUpdate', array: false }),
    response: order,
    also: [404, 409],
  }),
  operation({
    ...common,
    id: 'orders.void',
    method: 'POST',
    path: `${anOrder}/void`,
    summary: 'Void an order',
    description:
      'Voids an order of your channel with all its selections and payments. An order with a card ' +
      'payment, or one that was fulfilled, is a 400: only the restaurant can void a card payment.',
    scope: 'orders.channel:void',
    orScope: 'orders:void',
    params: { orderGuid },
    requestBody: json({ schema: 'VoidOrderRequest', array: false }),
    response: order,
    also: [404, 409],
  }),
  operation({
    ...common,
    id: 'orders.payments.list',
    method: 'GET',
    path: '/orders/v2/payments',
    summary: 'List the GUIDs of payments',
    description:
      'Returns the GUIDs of the payments that were paid or voided on a business date. Send ' +
      'exactly one of the dates. There are no refunds, so the list for refundBusinessDate is ' +
      'always empty.',
    scope: 'orders:read',
    query: {
      paidBusinessDate: businessDate('When it was paid.'),
      voidBusinessDate: businessDate('When it was voided.'),
      refundBusinessDate: businessDate('When it was refunded.'),
    },
    response: guids,
  }),
  operation({
    ...common,
    id: 'orders.payments.get',
    method: 'GET',
    path: '/orders/v2/payments/{guid}',
    summary: 'Get a payment of an order',
    description: 'Returns a payment of an order. An authorization that is not on a check is a 404.',
    scope: 'orders:read',
    params: {
      guid: text('The GUID of the payment.', {
        maxLength: 1_000,
        example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35',
      }),
    },
    response: { schema: 'OrderPayment', array: false },
    also: [400, 404],
  }),
] as const;
