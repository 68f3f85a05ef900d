import { type Examples, exampleGuid, exampleMultiLocationId, serials } from './example.ts';

const at = '2026-01-31T18:30:00.000+0000';
const never = '1970-01-01T00:00:00.000+0000';
const today = 20260131;
const orderGuid = exampleGuid(80);
const checkGuid = exampleGuid(81);
const paymentUuid = exampleGuid(82);
const taxRate = exampleGuid(serials.taxRate);
const diningOption = exampleGuid(83);

const ref = (entityType: string, guid: string) => ({ guid, entityType, externalId: null });
const configRef = (entityType: string, serial: number, multiLocationId: string | null = null) => ({
  ...ref(entityType, exampleGuid(serial)),
  multiLocationId,
});

const device = { id: null };
const notVoided = { voided: false, voidDate: null, voidBusinessDate: null };
const notDeleted = { deleted: false, deletedDate: never };

const appliedTax = {
  guid: exampleGuid(84),
  entityType: 'AppliedTaxRate',
  taxRate: ref('TaxRate', taxRate),
  name: 'State sales tax',
  displayName: 'State sales tax',
  rate: 0.0625,
  taxAmount: 1.5,
  type: 'PERCENT',
  facilitatorCollectAndRemitTax: null,
  jurisdiction: null,
  jurisdictionType: null,
} as const satisfies Examples<'AppliedTaxRate'>['AppliedTaxRate'];

const payment = {
  guid: paymentUuid,
  entityType: 'OrderPayment',
  externalId: null,
  type: 'CREDIT',
  amount: 25.5,
  tipAmount: 4,
  amountTendered: 0,
  otherPayment: null,
  paidDate: at,
  paidBusinessDate: today,
  paymentStatus: 'AUTHORIZED',
  cardType: 'VISA',
  last4Digits: '1111',
  cardEntryMode: 'ONLINE',
  voidInfo: null,
  refundStatus: 'NONE',
  orderGuid,
  checkGuid,
  server: null,
  cashDrawer: null,
  refund: null,
  houseAccount: null,
  originalProcessingFee: null,
  mcaRepaymentAmount: null,
  cardPaymentId: null,
  first6Digits: null,
  createdDevice: null,
  lastModifiedDevice: null,
} as const satisfies Examples<'OrderPayment'>['OrderPayment'];

const selection: Examples<'MenuItemSelection'>['MenuItemSelection'] = {
  guid: exampleGuid(85),
  entityType: 'MenuItemSelection',
  externalId: null,
  item: configRef('MenuItem', serials.menuItem, exampleMultiLocationId),
  itemGroup: configRef('MenuGroup', serials.menuGroup),
  optionGroup: null,
  preModifier: null,
  quantity: 2,
  selectionType: 'NONE',
  displayName: 'Fish tacos',
  diningOption: null,
  deferred: false,
  appliedDiscounts: [],
  unitOfMeasure: 'NONE',
  plu: '',
  premodifierPlu: null,
  salesCategory: null,
  receiptLinePrice: 12,
  preDiscountPrice: 24,
  price: 24,
  tax: 1.5,
  appliedTaxes: [appliedTax],
  taxInclusion: 'NOT_INCLUDED',
  optionGroupPricingMode: null,
  fulfillmentStatus: 'NEW',
  createdDate: at,
  modifiedDate: at,
  ...notVoided,
  voidReason: null,
  seatNumber: -1,
  fulfillment: null,
  refundDetails: null,
  splitOrigin: null,
  modifiers: [],
};

const check: Examples<'Check'>['Check'] = {
  guid: checkGuid,
  entityType: 'Check',
  externalId: null,
  displayNumber: '42',
  openedDate: at,
  createdDate: at,
  modifiedDate: at,
  paidDate: at,
  closedDate: at,
  ...notVoided,
  ...notDeleted,
  duration: 0,
  selections: [selection],
  customer: {
    guid: exampleGuid(86),
    entityType: 'Customer',
    firstName: 'Ada',
    lastName: 'Lovelace',
    phone: '6175550123',
    phoneCountryCode: null,
    email: 'ada@example.com',
  },
  appliedDiscounts: [],
  appliedServiceCharges: [],
  payments: [payment],
  taxExempt: false,
  tabName: null,
  amount: 24,
  taxAmount: 1.5,
  totalAmount: 25.5,
  paymentStatus: 'CLOSED',
  openedBy: null,
  appliedLoyaltyInfo: null,
  createdDevice: device,
  lastModifiedDevice: device,
};

const selectionRequest = {
  item: { guid: exampleGuid(serials.menuItem) },
  itemGroup: { guid: exampleGuid(serials.menuGroup) },
  quantity: 2,
};

const paymentRequest = { guid: paymentUuid, type: 'CREDIT', amount: 25.5, tipAmount: 4 } as const;

const orderRequest = {
  externalId: 'shop:1001',
  diningOption: { guid: diningOption },
  checks: [
    {
      selections: [selectionRequest],
      customer: { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' },
      payments: [paymentRequest],
    },
  ],
} satisfies Examples<'OrderRequest'>['OrderRequest'];

export const orderExamples: Examples<
  | 'ApplicableDiscount'
  | 'ApplicableDiscountsRequest'
  | 'AppliedDiscountRequest'
  | 'DeliveryInfoUpdate'
  | 'Order'
  | 'OrderGuid'
  | 'OrderPayment'
  | 'OrderPaymentRequest'
  | 'OrderRequest'
  | 'PaymentTipRequest'
  | 'SelectionRequest'
  | 'VoidOrderRequest'
> = {
  Order: {
    guid: orderGuid,
    entityType: 'Order',
    externalId: 'shop:1001',
    displayNumber: '42',
    businessDate: today,
    diningOption: ref('DiningOption', diningOption),
    checks: [check],
    openedDate: at,
    createdDate: at,
    modifiedDate: at,
    promisedDate: null,
    requiredPrepTime: 'PT0S',
    estimatedFulfillmentDate: '2026-01-31T18:45:00.000+0000',
    paidDate: at,
    closedDate: at,
    ...notVoided,
    ...notDeleted,
    duration: 0,
    numberOfGuests: 1,
    table: null,
    serviceArea: null,
    revenueCenter: null,
    restaurantService: null,
    server: null,
    deliveryInfo: null,
    curbsidePickupInfo: null,
    source: 'API',
    approvalStatus: 'APPROVED',
    guestOrderStatus: 'RECEIVED',
    pricingFeatures: ['TAXESV2'],
    createdInTestMode: false,
    excessFood: false,
    channelGuid: null,
    createdDevice: device,
    lastModifiedDevice: device,
    appliedPackagingInfo: null,
  },
  OrderPayment: payment,
  OrderGuid: orderGuid,
  ApplicableDiscount: {
    discount: ref('Discount', exampleGuid(87)),
    applicableChecks: [{ guid: null, entityType: 'Check', externalId: 'shop:1001-1' }],
    applicableSelections: [],
  },
  OrderRequest: orderRequest,
  ApplicableDiscountsRequest: { order: orderRequest, promoCode: 'WELCOME' },
  SelectionRequest: selectionRequest,
  AppliedDiscountRequest: { discount: { guid: exampleGuid(87) } },
  OrderPaymentRequest: paymentRequest,
  PaymentTipRequest: { tipAmount: 3 },
  DeliveryInfoUpdate: { deliveryState: 'PICKED_UP', dispatchedDate: at },
  VoidOrderRequest: { selections: { voidAll: true }, payments: { voidAll: true } },
};
