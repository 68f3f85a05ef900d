import type {
  AppliedDiscount,
  AppliedServiceCharge,
  AppliedTaxRate,
  Check,
  MenuItemSelection,
  Order,
  OrderConfigReference,
  OrderPayment,
  OrderReference,
} from '@servery/contract';
import { amountOnWire } from '../payments/life/money.ts';
import type {
  GuestData,
  MenuReference,
  NamedReference,
  OrderCharge,
  OrderCheck,
  OrderDiscount,
  OrderModifier,
  OrderPaymentRow,
  OrderRow,
  OrderSelection,
  OrderTax,
} from './order.ts';
import type { ShownPayment } from './order-store.ts';
import { asPaid, settleCheck } from './settle-check.ts';
import { timeOnWire } from './times.ts';

const NEVER = '1970-01-01T00:00:00.000+0000';
const device = { id: null };

export interface Showing {
  readonly currencyCode: string;
  /** What the caller may see of the guest (ORD-9). */
  readonly guests: GuestData;
  readonly payments: readonly ShownPayment[];
  /** False for prices alone: nothing has a GUID yet (ORD-43). */
  readonly isStored: boolean;
}

type ShownOrder = Pick<OrderRow, 'content'> & {
  readonly [Name in keyof OrderRow]?: OrderRow[Name] | null;
};

class Wire {
  readonly #showing: Showing;
  readonly #externalIds = new Map<string, string>();

  constructor(showing: Showing) {
    this.#showing = showing;
  }

  guid(guid: string): string | null {
    return this.#showing.isStored ? guid : null;
  }

  stored(atMs: number | null): string | null {
    return atMs === null || !this.#showing.isStored ? null : timeOnWire(atMs);
  }

  amount(minor: number): number {
    return amountOnWire(minor, this.#showing.currencyCode);
  }

  /** So that selections of an order that isn't stored can be told apart. */
  remember(guid: string, externalId: string | null): void {
    if (externalId !== null) this.#externalIds.set(guid, externalId);
  }

  selection(guid: string): OrderReference {
    return {
      guid: this.guid(guid),
      entityType: 'MenuItemSelection',
      externalId: this.#externalIds.get(guid) ?? null,
    };
  }

  order(order: ShownOrder): Order {
    const { content } = order;
    for (const { selections } of content.checks) {
      for (const { guid, externalId } of selections) this.remember(guid, externalId);
    }
    const { delivery, curbside } = this.#showing.guests;
    const checks = content.checks.map((check) => this.check(check, order.guid ?? ''));
    const paidAtMs = latest(content.checks.map((check) => check.paidAtMs));
    const closedAtMs = latest(content.checks.map((check) => check.closedAtMs));
    const createdAtMs = order.createdAt?.getTime() ?? null;
    return {
      guid: order.guid ?? null,
      entityType: 'Order',
      externalId: order.externalId ?? null,
      displayNumber: order.displayNumber ?? null,
      businessDate: order.businessDate ?? null,
      diningOption: reference('DiningOption', content.diningOption),
      checks,
      openedDate: dateOnWire(order.openedAt),
      createdDate: dateOnWire(order.createdAt),
      modifiedDate: dateOnWire(order.modifiedAt),
      promisedDate: dateOnWire(order.promisedAt),
      requiredPrepTime: content.requiredPrepTime ?? 'PT0S',
      estimatedFulfillmentDate:
        content.estimatedAtMs === null ? null : timeOnWire(content.estimatedAtMs),
      paidDate: this.stored(paidAtMs),
      closedDate: this.stored(closedAtMs),
      ...voiding(order.voidedAt?.getTime() ?? null, content.voidBusinessDate),
      deleted: false,
      deletedDate: NEVER,
      duration: secondsBetween(createdAtMs, paidAtMs),
      numberOfGuests: content.numberOfGuests,
      table: orNone('Table', content.table),
      serviceArea: orNone('ServiceArea', content.serviceArea),
      revenueCenter: orNone('RevenueCenter', content.revenueCenter),
      restaurantService: orNone('RestaurantService', content.restaurantService),
      server: byGuid('RestaurantUser', content.serverGuid),
      deliveryInfo: content.delivery &&
        delivery && {
          ...delivery,
          deliveredDate: timeOrNull(content.delivery.deliveredAtMs),
          dispatchedDate: timeOrNull(content.delivery.dispatchedAtMs),
          deliveryEmployee: byGuid('RestaurantUser', content.delivery.employeeGuid),
          deliveryState: content.delivery.state,
        },
      curbsidePickupInfo: curbside && { entityType: 'CurbsidePickup', ...curbside },
      source: 'API',
      approvalStatus: order.approvalStatus ?? null,
      guestOrderStatus: order.guestStatus ?? null,
      pricingFeatures: ['TAXESV2'],
      createdInTestMode: false,
      excessFood: false,
      channelGuid: null,
      createdDevice: device,
      lastModifiedDevice: device,
      appliedPackagingInfo: null,
    };
  }

  check(check: OrderCheck, orderGuid: string): Check {
    const { guests, payments, isStored } = this.#showing;
    const customer = guests.customers[check.guid];
    const { createdAtMs, paidAtMs } = check;
    return {
      guid: this.guid(check.guid),
      entityType: 'Check',
      externalId: check.externalId,
      displayNumber: isStored ? check.displayNumber : null,
      openedDate: this.stored(check.openedAtMs),
      createdDate: this.stored(createdAtMs),
      modifiedDate: this.stored(check.modifiedAtMs),
      paidDate: this.stored(paidAtMs),
      closedDate: this.stored(check.closedAtMs),
      ...voiding(check.voidedAtMs, check.voidBusinessDate),
      deleted: false,
      deletedDate: NEVER,
      duration: secondsBetween(createdAtMs, paidAtMs),
      selections: check.selections.map((selection) => this.topLevel(selection)),
      customer: customer
        ? {
            guid: check.customerGuid && this.guid(check.customerGuid),
            entityType: 'Customer',
            ...customer,
          }
        : null,
      appliedDiscounts: check.appliedDiscounts.map((each) => this.discount(each)),
      appliedServiceCharges: check.appliedServiceCharges.map((each) => this.charge(each)),
      payments: payments
        .filter(({ checkGuid, orderGuid: of }) => checkGuid === check.guid && of === orderGuid)
        .map((payment) => paymentOnWire(payment, this.#showing.currencyCode)),
      taxExempt: check.taxExempt,
      tabName: guests.tabNames[check.guid] ?? null,
      amount: this.amount(check.amountMinor),
      taxAmount: this.amount(check.taxMinor),
      totalAmount: this.amount(check.totalMinor),
      paymentStatus: check.paymentStatus,
      openedBy: null,
      appliedLoyaltyInfo: null,
      createdDevice: device,
      lastModifiedDevice: device,
    };
  }

  topLevel(selection: OrderSelection): MenuItemSelection {
    const { splitOriginGuid, appliedDiscounts } = selection;
    return {
      ...this.modifier(selection),
      appliedDiscounts: appliedDiscounts.map((each) => this.discount(each)),
      splitOrigin: splitOriginGuid === null ? null : this.selection(splitOriginGuid),
    };
  }

  modifier(one: OrderModifier): MenuItemSelection {
    return {
      guid: this.guid(one.guid),
      entityType: 'MenuItemSelection',
      externalId: one.externalId,
      item: menuReference('MenuItem', one.item),
      itemGroup: menuReference('MenuGroup', one.itemGroup),
      optionGroup: menuReference('MenuOptionGroup', one.optionGroup),
      preModifier: menuReference('PreModifier', one.preModifier),
      quantity: one.quantity,
      selectionType: one.selectionType,
      displayName: one.displayName ?? this.#showing.guests.requests[one.guid] ?? '',
      diningOption: one.diningOption && reference('DiningOption', one.diningOption),
      deferred: one.deferred,
      appliedDiscounts: [],
      unitOfMeasure: one.unitOfMeasure,
      plu: one.plu,
      premodifierPlu: one.premodifierPlu,
      salesCategory:
        one.salesCategoryGuid === null
          ? null
          : menuReference('SalesCategory', {
              guid: one.salesCategoryGuid,
              externalId: null,
              multiLocationId: null,
            }),
      receiptLinePrice: this.amount(one.receiptLinePriceMinor),
      preDiscountPrice: this.amount(one.preDiscountPriceMinor),
      price: this.amount(one.priceMinor),
      tax: this.amount(one.taxMinor),
      appliedTaxes: one.appliedTaxes.map((each) => this.tax(each)),
      taxInclusion: one.taxInclusion,
      optionGroupPricingMode: one.optionGroupPricingMode,
      fulfillmentStatus: one.fulfillmentStatus,
      createdDate: this.stored(one.createdAtMs),
      modifiedDate: this.stored(one.modifiedAtMs),
      ...voiding(one.voidedAtMs, one.voidBusinessDate),
      voidReason: byGuid('VoidReason', one.voidReasonGuid),
      seatNumber: -1,
      fulfillment: null,
      refundDetails: null,
      splitOrigin: null,
      modifiers: one.modifiers.map((each) => this.modifier(each)),
    };
  }

  tax({ guid, taxRateGuid, name, rate, taxMinor, type }: OrderTax): AppliedTaxRate {
    return {
      guid: this.guid(guid),
      entityType: 'AppliedTaxRate',
      taxRate: reference('TaxRate', { guid: taxRateGuid, externalId: null }),
      name,
      displayName: name,
      rate,
      taxAmount: this.amount(taxMinor),
      type,
      facilitatorCollectAndRemitTax: null,
      jurisdiction: null,
      jurisdictionType: null,
    };
  }

  discount(one: OrderDiscount): AppliedDiscount {
    return {
      guid: this.guid(one.guid),
      entityType: 'AppliedCustomDiscount',
      externalId: one.externalId,
      discount: reference('Discount', { guid: one.discountGuid, externalId: null }),
      name: one.name,
      discountType: one.type,
      discountPercent: one.percentage,
      discountAmount: this.amount(one.discountMinor),
      nonTaxDiscountAmount: this.amount(one.nonTaxDiscountMinor),
      appliedPromoCode: one.promoCode,
      triggers: one.triggers.map(({ selectionGuid, quantity }) => ({
        selection: this.selection(selectionGuid),
        quantity,
      })),
      processingState: one.isVoided ? 'VOID' : null,
      approver: null,
      loyaltyDetails: null,
      appliedDiscountReason: null,
      comboItems: [],
    };
  }

  charge(one: OrderCharge): AppliedServiceCharge {
    return {
      guid: this.guid(one.guid),
      entityType: 'AppliedServiceCharge',
      externalId: one.externalId,
      serviceCharge: reference('ServiceCharge', one.serviceCharge),
      name: one.name,
      chargeAmount: this.amount(one.chargeMinor),
      chargeType: one.type,
      delivery: one.delivery,
      takeout: one.takeout,
      dineIn: one.dineIn,
      gratuity: one.gratuity,
      taxable: one.taxable,
      appliedTaxes: one.appliedTaxes.map((each) => this.tax(each)),
      serviceChargeCalculation: one.calculation,
      serviceChargeCategory: 'SERVICE_CHARGE',
      refundDetails: null,
      paymentGuid: null,
    };
  }
}

export function orderOnWire(order: ShownOrder, showing: Showing): Order {
  return new Wire(showing).order(showing.isStored ? asItIs(order, showing.payments) : order);
}

/** The payments may have been read a moment after the order, which follows them (PAY-I10). */
function asItIs(order: ShownOrder, payments: readonly ShownPayment[]): ShownOrder {
  const paid = payments.filter(({ orderGuid }) => orderGuid === order.guid).map(asPaid);
  const when = { isFulfilled: Boolean(order.fulfilledAt), nowMs: order.modifiedAt?.getTime() ?? 0 };
  const checks = order.content.checks.map((check) =>
    check.voidedAtMs === null ? settleCheck(check, paid, when) : check,
  );
  return { ...order, content: { ...order.content, checks } };
}

export function paymentOnWire(payment: ShownPayment, currencyCode: string): OrderPayment {
  const amount = (minor: number) => amountOnWire(minor, currencyCode);
  const { voidedAt, voidBusinessDate } = payment;
  return {
    guid: payment.paymentUuid,
    entityType: 'OrderPayment',
    externalId: payment.externalId,
    type: payment.type,
    amount: amount(payment.amountMinor),
    tipAmount: amount(payment.tipMinor),
    amountTendered: amount(payment.tenderedMinor),
    otherPayment: byGuid('AlternatePaymentType', payment.otherPaymentGuid),
    paidDate: timeOnWire(payment.paidAt.getTime()),
    paidBusinessDate: payment.paidBusinessDate,
    paymentStatus: statusOf(payment),
    cardType: payment.type === 'CREDIT' ? brandOf(payment.cardBrand) : null,
    last4Digits: payment.cardLast4,
    cardEntryMode: payment.entryMode,
    voidInfo:
      voidedAt && voidBusinessDate !== null
        ? {
            voidUser: null,
            voidApprover: null,
            voidDate: timeOnWire(voidedAt.getTime()),
            voidBusinessDate,
            voidReason: null,
          }
        : null,
    refundStatus: 'NONE',
    orderGuid: payment.orderGuid,
    checkGuid: payment.checkGuid,
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
  };
}

/** ORD-48. */
function statusOf({
  type,
  state,
  voidedAt,
}: Pick<OrderPaymentRow, 'type' | 'voidedAt'> & {
  readonly state: string | null;
}): OrderPayment['paymentStatus'] {
  if (type !== 'CREDIT') return voidedAt ? 'VOIDED' : 'CAPTURED';
  switch (state) {
    case 'APPLIED':
    case 'CAPTURE_SCHEDULED':
      return 'AUTHORIZED';
    case 'CAPTURE_PENDING':
      return 'CAPTURE_IN_PROGRESS';
    case 'CAPTURED':
      return 'CAPTURED';
    case 'VOID_PENDING':
      return 'PROCESSING_VOID';
    case 'VOIDED':
      return 'VOIDED';
    default:
      return 'ERROR';
  }
}

const brands = ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'JCB', 'DINERS', 'MAESTRO'];

function brandOf(brand: string | null): string {
  const capitals = (brand ?? '').toUpperCase();
  return brands.includes(capitals) ? capitals : 'UNKNOWN';
}

const voiding = (voidedAtMs: number | null, voidBusinessDate: number | null) => ({
  voided: voidedAtMs !== null,
  voidDate: timeOrNull(voidedAtMs),
  voidBusinessDate,
});

const timeOrNull = (atMs: number | null) => (atMs === null ? null : timeOnWire(atMs));

const dateOnWire = (date: Date | null | undefined) => (date ? timeOnWire(date.getTime()) : null);

const reference = (entityType: string, { guid, externalId }: NamedReference): OrderReference => ({
  guid,
  entityType,
  externalId,
});

const orNone = (entityType: string, named: NamedReference | null) =>
  named && reference(entityType, named);

const byGuid = (entityType: string, guid: string | null) =>
  guid === null ? null : reference(entityType, { guid, externalId: null });

function menuReference(
  entityType: string,
  named: MenuReference | null,
): OrderConfigReference | null {
  return named && { ...reference(entityType, named), multiLocationId: named.multiLocationId };
}

/** Null unless all are there. */
function latest(all: readonly (number | null)[]): number | null {
  const known = all.filter((one) => one !== null);
  return known.length === all.length && known.length > 0 ? Math.max(...known) : null;
}

function secondsBetween(fromMs: number | null, toMs: number | null): number | null {
  return fromMs === null || toMs === null ? null : Math.max(0, Math.round((toMs - fromMs) / 1_000));
}
