import type { Static, TObject } from 'typebox';
import { answer, choice, decimal, flag, list, orNull, text, uuid, whole } from './field.ts';
import { CurbsidePickupInfo, Customer, DeliveryInfo } from './orders-guests.ts';
import {
  businessDate,
  device,
  entityType,
  guestOrderStatuses,
  noTime,
  nothing,
  OrderConfigReference,
  OrderReference,
  time,
} from './orders-parts.ts';
import { OrderPayment } from './orders-payments.ts';
import { Type } from './type.ts';

const amount = (description: string) => decimal(`${description}, in currency units.`);

const storedGuid = (what: string) =>
  orNull(uuid(`Identifier of the ${what}. Null until the order is placed.`));

const externalId = (what: string) =>
  orNull(text(`Your identifier of the ${what}. Null if there is none.`));

const createdAndModified = {
  createdDate: orNull(time('When it was stored.')),
  modifiedDate: orNull(time('When it last changed.')),
};

const voiding = {
  voided: flag('Whether it was voided.'),
  voidDate: orNull(time('When it was voided.')),
  voidBusinessDate: orNull(businessDate('Business date of the void.')),
};

const noDeletion = {
  deleted: flag('Always false: nothing deletes orders.'),
  deletedDate: noTime,
};

const devices = {
  createdDevice: device,
  lastModifiedDevice: device,
};

export const AppliedTaxRate = answer('A tax rate that was applied, and the resulting tax.', {
  guid: storedGuid('applied tax'),
  entityType: entityType('AppliedTaxRate'),
  taxRate: OrderReference,
  name: text('Name of the tax rate.'),
  displayName: text('The same as name.'),
  rate: orNull(decimal('The rate that was used; null for a tax table.')),
  taxAmount: amount('The tax'),
  type: choice('How the tax is calculated.', ['PERCENT', 'FIXED', 'TABLE', 'NONE', 'EXTERNAL']),
  facilitatorCollectAndRemitTax: nothing,
  jurisdiction: nothing,
  jurisdictionType: nothing,
});
export type AppliedTaxRate = Static<typeof AppliedTaxRate>;

export const DiscountTrigger = answer('A purchase that triggered a discount.', {
  selection: OrderReference,
  quantity: decimal('How many were bought.'),
});
export type DiscountTrigger = Static<typeof DiscountTrigger>;

export const AppliedDiscount = answer('A discount on a check or a selection.', {
  guid: storedGuid('applied discount'),
  entityType: entityType('AppliedCustomDiscount'),
  externalId: externalId('applied discount'),
  discount: OrderReference,
  name: text('Name of the discount.'),
  discountType: choice('The kind of the discount.', ['PERCENT', 'FIXED', 'OPEN_FIXED', 'BOGO']),
  discountPercent: orNull(decimal('Percentage from 0 to 100; null for other kinds.')),
  discountAmount: amount('How much it takes off, as the guest sees it'),
  nonTaxDiscountAmount: amount('The same without its share of an included tax'),
  appliedPromoCode: orNull(text('The code that the guest entered.')),
  triggers: list(
    DiscountTrigger,
    'For buy-one-get-one (BOGO) discounts: what was bought. Otherwise empty.',
  ),
  processingState: orNull(choice('VOID after a void; otherwise null.', ['VOID'])),
  approver: nothing,
  loyaltyDetails: nothing,
  appliedDiscountReason: nothing,
  comboItems: list(nothing, 'Always empty.'),
});
export type AppliedDiscount = Static<typeof AppliedDiscount>;

export const AppliedServiceCharge = answer('A service charge on a check.', {
  guid: storedGuid('applied service charge'),
  entityType: entityType('AppliedServiceCharge'),
  externalId: externalId('applied service charge'),
  serviceCharge: OrderReference,
  name: text('Name of the service charge.'),
  chargeAmount: amount('The charge'),
  chargeType: choice('How the charge is calculated.', ['FIXED', 'PERCENT', 'OPEN']),
  delivery: flag('Whether it is for delivery orders.'),
  takeout: flag('Whether it is for takeout orders.'),
  dineIn: flag('Whether it is for dine-in orders.'),
  gratuity: flag('Whether it is owed as a tip. If so, no total includes it.'),
  taxable: flag('Whether it is taxed.'),
  appliedTaxes: list(AppliedTaxRate, 'Its taxes.'),
  serviceChargeCalculation: orNull(
    choice('Whether a percentage applies to the prices before or after discounts.', [
      'PRE_DISCOUNT',
      'POST_DISCOUNT',
    ]),
  ),
  serviceChargeCategory: choice('Always SERVICE_CHARGE.', ['SERVICE_CHARGE']),
  refundDetails: nothing,
  paymentGuid: nothing,
});
export type AppliedServiceCharge = Static<typeof AppliedServiceCharge>;

const selectionFields = {
  guid: storedGuid('selection'),
  entityType: entityType('MenuItemSelection'),
  externalId: externalId('selection'),
  item: orNull(OrderConfigReference, 'The menu item; null for a special request.'),
  itemGroup: orNull(OrderConfigReference, 'The menu group that it was ordered from.'),
  optionGroup: orNull(OrderConfigReference, 'For modifiers: the modifier group.'),
  preModifier: orNull(OrderConfigReference, 'For modifiers: the pre-modifier.'),
  quantity: decimal('How many.'),
  selectionType: choice(
    'NONE: an item or a modifier. SPECIAL_REQUEST: a text. PORTION: a part of an item.',
    ['NONE', 'SPECIAL_REQUEST', 'PORTION'],
  ),
  displayName: text('Name that guests and staff see.'),
  diningOption: orNull(OrderReference, 'Null if it is the dining option of the order.'),
  deferred: flag('Whether the revenue is recognized later.'),
  appliedDiscounts: list(AppliedDiscount, 'Discounts on this selection.'),
  unitOfMeasure: text('The unit of quantity; NONE for items that are sold by the piece.'),
  plu: text('Price look-up code; empty if there is none.'),
  premodifierPlu: orNull(text('Price look-up code of the pre-modifier.')),
  salesCategory: orNull(OrderConfigReference, 'The sales category of the item.'),
  receiptLinePrice: amount('The price of one item without modifiers'),
  preDiscountPrice: amount('The price with modifiers, before discounts and without included tax'),
  price: amount('The price with modifiers, after discounts and without included tax'),
  tax: amount('The tax, including that of modifiers'),
  appliedTaxes: list(AppliedTaxRate, 'The tax by rate.'),
  taxInclusion: choice('Whether the menu price includes tax. INHERITED for modifiers.', [
    'INCLUDED',
    'NOT_INCLUDED',
    'INHERITED',
  ]),
  optionGroupPricingMode: orNull(
    choice('For modifiers: how the modifier group prices it.', [
      'INCLUDED',
      'FIXED_PRICE',
      'ADJUSTS_PRICE',
      'REPLACES_PRICE',
    ]),
  ),
  fulfillmentStatus: choice('Progress in the kitchen.', ['NEW', 'HOLD', 'SENT', 'READY']),
  ...createdAndModified,
  ...voiding,
  voidReason: orNull(OrderReference, 'Why it was voided.'),
  seatNumber: whole('Always -1.', { minimum: -1 }),
  fulfillment: nothing,
  refundDetails: nothing,
  splitOrigin: orNull(OrderReference, 'The selection that a discount split this one from.'),
};

export type MenuItemSelection = Static<TObject<typeof selectionFields>> & {
  modifiers: MenuItemSelection[];
};

/** A top-level selection includes its modifiers in all amounts but `receiptLinePrice`. */
export const MenuItemSelection = answer('An ordered item, or a modifier if it is in modifiers.', {
  ...selectionFields,
  modifiers: list(
    Type.Unsafe<MenuItemSelection>(Type.Ref('MenuItemSelection')),
    'Its modifiers, portions, and special requests.',
  ),
});

export const Check = answer('A check of an order.', {
  guid: storedGuid('check'),
  entityType: entityType('Check'),
  externalId: externalId('check'),
  displayNumber: orNull(text('Number of the check. Null until the order is placed.')),
  openedDate: orNull(time('When the check was opened.')),
  ...createdAndModified,
  paidDate: orNull(time('When the last payment was made.')),
  closedDate: orNull(time('When paymentStatus became CLOSED.')),
  ...voiding,
  ...noDeletion,
  duration: orNull(whole('Seconds from creation to payment in full.')),
  selections: list(MenuItemSelection, 'What was ordered.'),
  customer: orNull(Customer, 'The guest. Null without the scope guest.pi:read.'),
  appliedDiscounts: list(AppliedDiscount, 'Discounts on the check.'),
  appliedServiceCharges: list(AppliedServiceCharge, 'Service charges of the check.'),
  payments: list(OrderPayment, 'Payments of the check.'),
  taxExempt: flag('Whether no tax is due.'),
  tabName: orNull(text('Name of the tab.')),
  amount: amount('Prices and charges without tax'),
  taxAmount: amount('All taxes'),
  totalAmount: amount('Sum of amount and taxAmount, without gratuity and tips'),
  paymentStatus: choice(
    'OPEN: money is due, or nothing was paid. PAID: nothing is due, but the tip of a card payment ' +
      'is 0 and can still change. CLOSED: nothing is due.',
    ['OPEN', 'PAID', 'CLOSED'],
  ),
  openedBy: nothing,
  appliedLoyaltyInfo: nothing,
  ...devices,
});
export type Check = Static<typeof Check>;

export const Order = answer('An order.', {
  guid: storedGuid('order'),
  entityType: entityType('Order'),
  externalId: externalId('order'),
  displayNumber: orNull(text('Number of the order. Null until it is placed.')),
  businessDate: orNull(businessDate('The business date of openedDate.')),
  diningOption: OrderReference,
  checks: list(Check, 'The checks of the order.'),
  openedDate: orNull(time('When the order was opened.')),
  ...createdAndModified,
  promisedDate: orNull(time('When the guest gets the order; null for as soon as possible.')),
  requiredPrepTime: text('How long the kitchen needs, for example PT15M. PT0S if it was not sent.'),
  estimatedFulfillmentDate: orNull(time('For takeout and delivery: when the order will be ready.')),
  paidDate: orNull(time('When all checks were paid.')),
  closedDate: orNull(time('When the last check was closed.')),
  ...voiding,
  ...noDeletion,
  duration: orNull(whole('Seconds from creation to payment in full.')),
  numberOfGuests: whole('Number of guests.'),
  table: orNull(OrderReference, 'The table.'),
  serviceArea: orNull(OrderReference, 'The service area.'),
  revenueCenter: orNull(OrderReference, 'The revenue center.'),
  restaurantService: orNull(OrderReference, 'The restaurant service.'),
  server: orNull(OrderReference, 'The server, as sent.'),
  deliveryInfo: orNull(
    DeliveryInfo,
    'Where a delivery goes. Null without the scope delivery_info.address:read.',
  ),
  curbsidePickupInfo: orNull(
    CurbsidePickupInfo,
    'The vehicle of the guest. Null without the scope guest.pi:read.',
  ),
  source: choice('Always API.', ['API']),
  approvalStatus: orNull(
    choice('Whether the order can go to the kitchen. FUTURE: approved for later.', [
      'NEEDS_APPROVAL',
      'APPROVED',
      'FUTURE',
      'NOT_APPROVED',
    ]),
  ),
  guestOrderStatus: orNull(choice('The status to show to the guest.', guestOrderStatuses)),
  pricingFeatures: list(choice('Always TAXESV2.', ['TAXESV2']), 'How the order is priced.'),
  createdInTestMode: flag('Always false.'),
  excessFood: flag('Always false.'),
  channelGuid: nothing,
  ...devices,
  appliedPackagingInfo: nothing,
});
export type Order = Static<typeof Order>;

export const ApplicableDiscount = answer('A discount that can be added to an order.', {
  discount: OrderReference,
  applicableChecks: list(OrderReference, 'The checks that it can be added to.'),
  applicableSelections: list(OrderReference, 'The selections that it can be added to.'),
});
export type ApplicableDiscount = Static<typeof ApplicableDiscount>;

export const OrderGuid = uuid('The GUID of an order or a payment.');
export type OrderGuid = Static<typeof OrderGuid>;
