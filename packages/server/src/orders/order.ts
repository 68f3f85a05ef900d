import type { Check, MenuItemSelection, Order } from '@servery/contract';
import type { ResolvedSelection } from '@servery/pricing';

/** What is stored of an order in `content`. Amounts are minor units; times are milliseconds. */
export interface OrderContent {
  readonly diningOption: NamedReference;
  /** Decides what else an order needs. */
  readonly behavior: Behavior;
  readonly checks: readonly OrderCheck[];
  readonly requiredPrepTime: string | null;
  readonly estimatedAtMs: number | null;
  readonly numberOfGuests: number;
  readonly table: NamedReference | null;
  readonly serviceArea: NamedReference | null;
  readonly revenueCenter: NamedReference | null;
  readonly restaurantService: NamedReference | null;
  readonly serverGuid: string | null;
  readonly delivery: DeliveryProgress | null;
  readonly isCurbsidePickup: boolean;
  readonly voidBusinessDate: number | null;
  readonly prepMinutes: number;
  /** When a closeout captured what was applied, without waiting for staff (ORD-49). */
  readonly closedOutAtMs: number | null;
}

export type Behavior = 'DINE_IN' | 'TAKE_OUT' | 'DELIVERY';

export interface NamedReference {
  readonly guid: string;
  readonly externalId: string | null;
}

export interface MenuReference extends NamedReference {
  readonly multiLocationId: string | null;
}

export interface DeliveryProgress {
  readonly state: 'PENDING' | 'IN_PROGRESS' | 'PICKED_UP' | 'DELIVERED';
  readonly dispatchedAtMs: number | null;
  readonly deliveredAtMs: number | null;
  readonly employeeGuid: string | null;
}

interface Voidable {
  readonly voidedAtMs: number | null;
  readonly voidBusinessDate: number | null;
}

export interface OrderCheck extends Voidable {
  readonly guid: string;
  readonly externalId: string | null;
  readonly displayNumber: string;
  readonly openedAtMs: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  readonly paidAtMs: number | null;
  readonly closedAtMs: number | null;
  readonly customerGuid: string | null;
  readonly taxExempt: boolean;
  readonly selections: readonly OrderSelection[];
  readonly appliedDiscounts: readonly OrderDiscount[];
  readonly appliedServiceCharges: readonly OrderCharge[];
  readonly amountMinor: number;
  readonly taxMinor: number;
  readonly totalMinor: number;
  /** Owed as tip. */
  readonly gratuityMinor: number;
  readonly paymentStatus: Check['paymentStatus'];
}

/** What selections and modifiers have in common. */
export interface OrderModifier extends Voidable {
  readonly guid: string;
  readonly externalId: string | null;
  readonly item: MenuReference | null;
  readonly itemGroup: MenuReference | null;
  readonly optionGroup: MenuReference | null;
  readonly preModifier: MenuReference | null;
  readonly quantity: number;
  readonly selectionType: MenuItemSelection['selectionType'];
  /** Null for a special request, whose text is with the guest data. */
  readonly displayName: string | null;
  readonly diningOption: NamedReference | null;
  readonly deferred: boolean;
  readonly unitOfMeasure: string;
  readonly plu: string;
  readonly premodifierPlu: string | null;
  readonly salesCategoryGuid: string | null;
  readonly taxInclusion: MenuItemSelection['taxInclusion'];
  readonly optionGroupPricingMode: MenuItemSelection['optionGroupPricingMode'];
  readonly fulfillmentStatus: MenuItemSelection['fulfillmentStatus'];
  readonly voidReasonGuid: string | null;
  /** What it took from stock: a modifier that was left out took nothing. */
  readonly stockItemGuid: string | null;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  readonly receiptLinePriceMinor: number;
  readonly preDiscountPriceMinor: number;
  readonly priceMinor: number;
  readonly taxMinor: number;
  readonly appliedTaxes: readonly OrderTax[];
  readonly modifiers: readonly OrderModifier[];
}

export interface OrderSelection extends OrderModifier {
  /** What the menu said: the order can grow without changing what was agreed (ORD-42). */
  readonly resolved: ResolvedSelection;
  readonly appliedDiscounts: readonly OrderDiscount[];
  /** The selection that a discount split this one from. */
  readonly splitOriginGuid: string | null;
}

export interface OrderTax {
  readonly guid: string;
  readonly taxRateGuid: string;
  readonly name: string;
  readonly rate: number | null;
  readonly taxMinor: number;
  readonly type: 'PERCENT' | 'FIXED' | 'TABLE' | 'NONE' | 'EXTERNAL';
}

export interface OrderDiscount {
  readonly guid: string;
  readonly externalId: string | null;
  readonly discountGuid: string;
  readonly name: string;
  readonly type: 'PERCENT' | 'FIXED' | 'OPEN_FIXED' | 'BOGO';
  readonly percentage: number | null;
  /** Of an OPEN_FIXED discount, as it was sent. */
  readonly openAmount: number | null;
  readonly promoCode: string | null;
  readonly discountMinor: number;
  readonly nonTaxDiscountMinor: number;
  readonly triggers: readonly { readonly selectionGuid: string; readonly quantity: number }[];
  readonly isVoided: boolean;
}

export interface OrderCharge {
  readonly guid: string;
  readonly externalId: string | null;
  readonly serviceCharge: NamedReference;
  readonly name: string;
  readonly type: 'FIXED' | 'PERCENT' | 'OPEN';
  /** Of an OPEN charge, as it was sent. */
  readonly openAmount: number | null;
  readonly delivery: boolean;
  readonly takeout: boolean;
  readonly dineIn: boolean;
  readonly gratuity: boolean;
  readonly taxable: boolean;
  readonly calculation: 'PRE_DISCOUNT' | 'POST_DISCOUNT' | null;
  readonly chargeMinor: number;
  readonly appliedTaxes: readonly OrderTax[];
}

/** What guests wrote (ORD-67): stored apart, so that it can be erased. */
export interface GuestData {
  readonly customers: Readonly<Record<string, GuestCustomer>>;
  readonly tabNames: Readonly<Record<string, string>>;
  /** Texts of special requests, by selection. */
  readonly requests: Readonly<Record<string, string>>;
  readonly delivery: GuestAddress | null;
  readonly curbside: {
    readonly transportDescription: string | null;
    readonly transportColor: string | null;
    readonly notes: string | null;
  } | null;
}

export interface GuestCustomer {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phone: string | null;
  readonly phoneCountryCode: string | null;
  readonly email: string | null;
}

export interface GuestAddress {
  readonly address1: string | null;
  readonly address2: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly administrativeArea: string | null;
  readonly zipCode: string | null;
  readonly country: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly notes: string | null;
}

export const noGuestData: GuestData = {
  customers: {},
  tabNames: {},
  requests: {},
  delivery: null,
  curbside: null,
};

export interface OrderRow {
  readonly restaurantGuid: string;
  readonly guid: string;
  readonly ownerGuid: string;
  readonly clientId: string;
  readonly externalId: string | null;
  readonly requestDigest: Buffer;
  readonly businessDate: number;
  readonly displayNumber: string;
  readonly openedAt: Date;
  readonly promisedAt: Date | null;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
  readonly approvalStatus: NonNullable<Order['approvalStatus']>;
  readonly guestStatus: NonNullable<Order['guestOrderStatus']>;
  readonly fulfilledAt: Date | null;
  readonly voidedAt: Date | null;
  readonly fireAt: Date;
  readonly dueAt: Date | null;
  readonly version: number;
  readonly content: OrderContent;
}

export interface OrderPaymentRow {
  readonly restaurantGuid: string;
  readonly paymentUuid: string;
  readonly orderGuid: string;
  readonly checkGuid: string;
  readonly externalId: string | null;
  /** Null if it was taken at the counter. */
  readonly clientId: string | null;
  readonly type: 'CREDIT' | 'OTHER' | 'CASH';
  readonly amountMinor: number;
  readonly tipMinor: number;
  readonly tenderedMinor: number;
  readonly otherPaymentGuid: string | null;
  readonly entryMode: 'ONLINE' | 'PARTNER_ECOM_COF' | 'FUTURE_ORDER' | null;
  readonly paidAt: Date;
  readonly paidBusinessDate: number;
  readonly voidedAt: Date | null;
  readonly voidBusinessDate: number | null;
  readonly position: number;
}
