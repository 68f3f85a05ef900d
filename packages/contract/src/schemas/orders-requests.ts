import type { Static, TObject } from 'typebox';
import { choice, decimal, flag, limits, line, list, request, text, uuid, whole } from './field.ts';
import { orAbsent, orderLimits, personText } from './orders-parts.ts';
import { Type } from './type.ts';

const applied = { maxItems: 100 };

const time = (description: string) =>
  orAbsent(
    text(`${description} ISO 8601 with an offset.`, { ...limits.instant, '~reads': 'asSent' }),
  );

const externalId = (what: string) =>
  orAbsent(
    line(`Your identifier of the ${what}, unique forever. Start it with your name and a colon.`),
  );

const echoed = (description: string) =>
  Type.Optional(Type.Unsafe<unknown>({ description: `Only in responses. ${description}` }));

const refused = (what: string) =>
  Type.Optional(Type.Unsafe<unknown>({ description: `Not supported: leave ${what} out.` }));

export const OrderReferenceRequest = request('A reference to an object.', {
  guid: uuid('The object.'),
});
export type OrderReferenceRequest = Static<typeof OrderReferenceRequest>;

export const OrderConfigReferenceRequest = request(
  'A reference to an object of the menus by guid, by multiLocationId, or by both if they agree.',
  {
    guid: orAbsent(uuid('The object.')),
    multiLocationId: orAbsent(line('Shared by all versions of the object at several locations.')),
  },
);
export type OrderConfigReferenceRequest = Static<typeof OrderConfigReferenceRequest>;

const reference = (description: string) => orAbsent(OrderReferenceRequest, description);

const menuReference = (description: string) => orAbsent(OrderConfigReferenceRequest, description);

export const CustomerRequest = request('The guest. Required for takeout and delivery.', {
  firstName: orAbsent(personText('First name.')),
  lastName: orAbsent(personText('Last name.')),
  phone: orAbsent(personText('Phone number.')),
  phoneCountryCode: orAbsent(personText('Country code of the phone number. Default: 1.')),
  email: orAbsent(personText('Email address.')),
});
export type CustomerRequest = Static<typeof CustomerRequest>;

export const DeliveryInfoRequest = request('Where a delivery goes.', {
  address1: orAbsent(personText('First line of the address. Required.')),
  address2: orAbsent(personText('Second line of the address.')),
  city: orAbsent(personText('City. Required.')),
  state: orAbsent(personText('State. Send this or administrativeArea.')),
  administrativeArea: orAbsent(personText('State, province, or county.')),
  zipCode: orAbsent(personText('Postal code. Required.')),
  country: orAbsent(personText('Country.')),
  latitude: orAbsent(decimal('Latitude in degrees.', { minimum: -90, maximum: 90 })),
  longitude: orAbsent(decimal('Longitude in degrees.', { minimum: -180, maximum: 180 })),
  notes: orAbsent(personText('What the courier should know.', 1_000)),
});
export type DeliveryInfoRequest = Static<typeof DeliveryInfoRequest>;

export const CurbsidePickupRequest = request('The vehicle that waits outside.', {
  transportDescription: orAbsent(
    personText('Make and model of the vehicle, or another description. Required.'),
  ),
  transportColor: orAbsent(personText('Color of the vehicle.')),
  notes: orAbsent(personText('What the staff should know.', 1_000)),
});
export type CurbsidePickupRequest = Static<typeof CurbsidePickupRequest>;

export const AppliedDiscountRequest = request('A discount to add.', {
  discount: reference('The discount. Required.'),
  discountAmount: orAbsent(
    decimal('What an OPEN_FIXED discount takes off. Ignored for other kinds.'),
  ),
  appliedPromoCode: orAbsent(line('The code that the guest entered.')),
  externalId: externalId('applied discount'),
  triggers: echoed(
    'To use a BOGO discount, add it to the check. On a selection, one is accepted only as a ' +
      'response returned it, with its triggers.',
  ),
  loyaltyDetails: refused('loyaltyDetails'),
});
export type AppliedDiscountRequest = Static<typeof AppliedDiscountRequest>;

export const AppliedServiceChargeRequest = request('A service charge to add.', {
  serviceCharge: reference('The service charge. Required.'),
  chargeAmount: orAbsent(decimal('What an OPEN charge adds. Ignored for other kinds.')),
  externalId: externalId('applied service charge'),
});
export type AppliedServiceChargeRequest = Static<typeof AppliedServiceChargeRequest>;

const selectionFields = {
  guid: orAbsent(
    line('Only in responses, and in applicableDiscounts, which refers to the selection by it.'),
  ),
  externalId: externalId('selection'),
  item: menuReference('The menu item, or the item behind a modifier.'),
  itemGroup: menuReference('The menu group that the item is ordered from. Required for items.'),
  optionGroup: menuReference('For modifiers: the modifier group.'),
  preModifier: menuReference('For modifiers: a pre-modifier.'),
  quantity: orAbsent(
    decimal('How many. Default: 1. Items that are sold by measure can have up to four decimals.', {
      exclusiveMinimum: 0,
      maximum: 9_999,
      '~must': 'be a number greater than 0 and at most 9999',
    }),
  ),
  selectionType: orAbsent(
    choice(
      'NONE (the default): an item or a modifier. SPECIAL_REQUEST: a text. PORTION: a part of an item.',
      ['NONE', 'SPECIAL_REQUEST', 'PORTION'],
    ),
  ),
  displayName: orAbsent(personText('The text of a special request.', 1_000)),
  diningOption: reference(
    'The dining option of this selection. Default: the dining option of the order.',
  ),
  openPriceAmount: orAbsent(decimal('Price of one item, if the item has an open price.')),
  deferred: orAbsent(
    flag('Whether the revenue is recognized later. Default: the isDeferred of the item.'),
  ),
  appliedDiscounts: orAbsent(list(AppliedDiscountRequest, 'At most one discount.', applied)),
  splitOrigin: echoed('If you send a response back, the split is undone and made again.'),
  receiptLinePrice: echoed('If you send a response back, an open price is read from it.'),
  externalPriceAmount: refused('externalPriceAmount'),
};

export type SelectionRequest = Static<TObject<typeof selectionFields>> & {
  modifiers?: SelectionRequest[];
};

export const SelectionRequest = request('An item to order, or a modifier if it is in modifiers.', {
  ...selectionFields,
  modifiers: orAbsent(
    list(
      Type.Unsafe<SelectionRequest>(Type.Ref('SelectionRequest')),
      'Its modifiers, portions, and special requests, at most 10 levels deep.',
      { maxItems: orderLimits.modifiers },
    ),
  ),
});

export const OrderPaymentRequest = request('A payment of a check.', {
  guid: orAbsent(uuid('For CREDIT: the paymentUuid of the authorization. Required.')),
  externalId: externalId('payment'),
  type: choice('CREDIT: an authorized card payment. OTHER: an alternate payment type.', [
    'CREDIT',
    'OTHER',
  ]),
  amount: decimal('What is paid, without the tip.'),
  tipAmount: orAbsent(decimal('The tip. Default: 0.')),
  amountTendered: orAbsent(decimal('What the guest handed over.')),
  otherPayment: reference('For OTHER: the alternate payment type. Required.'),
  paidDate: time('When it was paid. Default: now.'),
});
export type OrderPaymentRequest = Static<typeof OrderPaymentRequest>;

export const CheckRequest = request('A check to place.', {
  guid: orAbsent(
    line(
      'Only in responses and in requests to applicableDiscounts, where it identifies the check.',
    ),
  ),
  externalId: externalId('check'),
  openedDate: time('When the check was opened. Default: the openedDate of the order.'),
  selections: orAbsent(
    list(SelectionRequest, 'What is ordered.', { maxItems: orderLimits.selections }),
  ),
  customer: orAbsent(CustomerRequest, 'The guest.'),
  appliedDiscounts: orAbsent(list(AppliedDiscountRequest, 'Discounts on the check.', applied)),
  appliedServiceCharges: orAbsent(
    list(
      AppliedServiceChargeRequest,
      'Service charges. The platform adds none by itself.',
      applied,
    ),
  ),
  payments: orAbsent(
    list(OrderPaymentRequest, 'Payments of the check.', { maxItems: orderLimits.payments }),
  ),
  taxExempt: orAbsent(flag('Whether no tax is due. Default: false.')),
  tabName: orAbsent(personText('Name of the tab.')),
  displayNumber: orAbsent(line('Number of the check. Default: the next number.')),
  appliedLoyaltyInfo: refused('appliedLoyaltyInfo'),
});
export type CheckRequest = Static<typeof CheckRequest>;

export const OrderRequest = request(
  'An order. Fields that only responses have are ignored, so you can send a response back.',
  {
    externalId: externalId('order'),
    diningOption: reference('The dining option. Required.'),
    // More than an order may have, because too many checks are a 413 (ORD-11).
    checks: orAbsent(list(CheckRequest, 'From 1 to 50 checks. Required.', limits.parts)),
    openedDate: time('When the order was opened. Default: now.'),
    promisedDate: time('When the guest gets the order. Default: as soon as possible.'),
    requiredPrepTime: orAbsent(
      text('How long the kitchen needs: a multiple of five minutes, for example PT15M.', {
        format: 'duration',
      }),
    ),
    numberOfGuests: orAbsent(whole('Number of guests. Default: 1.', { minimum: 1, maximum: 999 })),
    table: reference('The table.'),
    serviceArea: reference('The service area. Default: that of the table.'),
    revenueCenter: reference('The revenue center. Default: that of the table.'),
    restaurantService: reference('The restaurant service.'),
    server: reference('The server of the order. Stored as sent.'),
    deliveryInfo: orAbsent(DeliveryInfoRequest, 'Where a delivery goes.'),
    curbsidePickupInfo: orAbsent(CurbsidePickupRequest, 'The vehicle that waits outside.'),
    marketplaceFacilitatorTaxInfo: refused('marketplaceFacilitatorTaxInfo'),
  },
);
export type OrderRequest = Static<typeof OrderRequest>;

export const ApplicableDiscountsRequest = request('Which discounts to look for.', {
  order: OrderRequest,
  promoCode: orAbsent(
    line('Only discounts with this code. Default: only discounts that need no code.'),
  ),
});
export type ApplicableDiscountsRequest = Static<typeof ApplicableDiscountsRequest>;

export const PaymentTipRequest = request('The new tip of a payment. Send no other field.', {
  tipAmount: decimal('The new tip. It replaces the old one.'),
});
export type PaymentTipRequest = Static<typeof PaymentTipRequest>;

export const DeliveryInfoUpdate = request('The progress of a delivery. Other fields are ignored.', {
  deliveredDate: time('When it was delivered.'),
  dispatchedDate: time('When it was dispatched. Default: now, if the state leaves PENDING.'),
  deliveryState: orAbsent(
    choice('Progress of the delivery.', ['PENDING', 'IN_PROGRESS', 'PICKED_UP', 'DELIVERED']),
  ),
  deliveryEmployee: reference('Who delivers it.'),
  notes: orAbsent(personText('What the courier should know.', 1_000)),
});
export type DeliveryInfoUpdate = Static<typeof DeliveryInfoUpdate>;

export const VoidAll = request('What to void.', { voidAll: flag('Must be true.') });
export type VoidAll = Static<typeof VoidAll>;

export const VoidOrderRequest = request('Voids a whole order.', {
  selections: VoidAll,
  payments: VoidAll,
});
export type VoidOrderRequest = Static<typeof VoidOrderRequest>;
