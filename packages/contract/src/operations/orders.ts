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
const checkGuid = guid('The check of the order.');
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
  businessDate: businessDate('Only orders of this business date. Not with the other two.'),
};

export const ordersOperations = [
  operation({
    ...common,
    id: 'orders.price',
    method: 'POST',
    path: '/orders/v2/prices',
    summary: 'Price an order',
    description:
      'Checks an order and returns it with all prices, discounts, charges and taxes. Nothing is ' +
      'stored. Payments and externalId are ignored. The prices are those of this instant; ' +
      'placing the order later may cost something else.',
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
      'Prices and stores an order, takes its items from stock and applies its payments, all or ' +
      'nothing. If the answer is lost, send the same externalId again: a 409 that names the ' +
      'order means that it was placed.',
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
      'Returns the GUIDs of the orders that changed between two times, at most one hour apart, or ' +
      'of those of a business date.',
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
      'Returns one order by its GUID, or by its externalId if that has a colon (URL-encoded).',
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
      'Returns the orders that changed between two times, or those of a business date. Follow ' +
      'the next address of the Link header: you miss nothing, even if orders change meanwhile. ' +
      'At most 5 requests per second for each client and restaurant.',
    scope: 'orders:read',
    query: {
      ...dates,
      pageSize: Type.Optional(
        whole('Orders per page.', { minimum: 1, maximum: 100, default: 100, example: 100 }),
      ),
      page: Type.Optional(whole('The page, from 1.', { minimum: 1, default: 1, example: 1 })),
      after: Type.Optional(
        text('From the next address of the Link header.', {
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
      'Returns every discount that could be added to the order as it stands, and where. With ' +
      'promoCode only discounts with that code, without it only those without codes.',
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
      'Adds selections to a check. What was ordered before keeps its price; discounts in percent, ' +
      'charges in percent and taxes are computed again.',
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
    description: 'Adds discounts to an open check. The rules are judged over all its discounts.',
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
    description: 'Adds a discount to a selection of an open check. A selection has at most one.',
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
      'Replaces the tip. For a card payment, amount and tip together must not exceed what was ' +
      'authorized; what is captured follows.',
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
    summary: 'Tell how far a delivery is',
    description: 'Changes the state, the dates, the courier or the notes of a delivery.',
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
      'Voids an order of your channel with all its selections and payments. Only orders without ' +
      'card payments that were not fulfilled yet.',
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
      'exactly one of the dates. There are no refunds, so that list is always empty.',
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
    description: 'Returns one payment of an order. An authorization that no check took is a 404.',
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
