/**
 * What goes into the pricing and what comes out. Amounts that go in are numbers in currency units,
 * as the interfaces write them. Amounts that come out are integers, named `…Minor`, in minor units.
 */

// ---- The menus document: the part of `GET /menus` that has to do with prices

export interface MenusDocument {
  readonly restaurantTimeZone: string;
  readonly menus: readonly Menu[];
  /** Keys are reference ids, which may differ in each document; orders never name them. */
  readonly modifierGroupReferences: Readonly<Record<string, ModifierGroup>>;
  readonly modifierOptionReferences: Readonly<Record<string, ModifierOption>>;
  readonly preModifierGroupReferences: Readonly<Record<string, PreModifierGroup>>;
}

export interface Menu {
  readonly menuGroups: readonly MenuGroup[];
}

export interface Identified {
  readonly guid: string;
  readonly multiLocationId: string;
}

export interface MenuGroup extends Identified {
  readonly menuGroups: readonly MenuGroup[];
  readonly menuItems: readonly MenuItem[];
}

/** What menu items and modifier options have in common. */
interface Priced extends Identified {
  readonly price: number | null;
  readonly pricingStrategy:
    | 'BASE_PRICE'
    | 'MENU_SPECIFIC_PRICE'
    | 'TIME_SPECIFIC_PRICE'
    | 'SIZE_PRICE'
    | 'OPEN_PRICE'
    | 'GROUP_PRICE';
  readonly pricingRules: PricingRules | null;
  readonly modifierGroupReferences: readonly number[];
  readonly portions: readonly Portion[];
}

export interface MenuItem extends Priced {
  readonly isDiscountable: boolean;
  /** `NONE`, or the unit that the price is for: then the quantity may be a fraction. */
  readonly unitOfMeasure: string;
  readonly taxInfo: readonly string[];
  /** `SMART_TAX` counts as not included. */
  readonly taxInclusion: 'TAX_INCLUDED' | 'TAX_NOT_INCLUDED' | 'SMART_TAX';
}

export interface ModifierOption extends Priced {
  readonly name: string;
  readonly isDefault: boolean;
  readonly modifierOptionTaxInfo: {
    readonly taxRateGuids: readonly string[];
    /** The rates are for what the option is put on, too. */
    readonly overrideItemTaxRates: boolean;
  };
}

export interface ModifierGroup extends Identified {
  readonly pricingStrategy: 'NONE' | 'SIZE_PRICE' | 'SEQUENCE_PRICE' | 'SIZE_SEQUENCE_PRICE';
  readonly pricingRules: PricingRules | null;
  readonly defaultOptionsChargePrice: 'YES' | 'NO';
  readonly defaultOptionsSubstitutionPricing: 'YES' | 'NO';
  readonly preModifierGroupReference: number | null;
  readonly modifierOptionReferences: readonly number[];
}

export interface PreModifierGroup {
  readonly preModifiers: readonly PreModifier[];
}

export interface PreModifier extends Identified {
  readonly fixedPrice: number | null;
  readonly multiplicationFactor: number | null;
  readonly chargeAsExtra: boolean | null;
}

export interface Portion {
  readonly guid: string;
  readonly modifierGroupReferences: readonly number[];
  /** Null means 1. */
  readonly priceScaleFactor: number | null;
}

export interface PricingRules {
  readonly timeSpecificPricingRules: readonly {
    readonly timeSpecificPrice: number;
    readonly schedule: readonly Schedule[];
  }[];
  /** The modifier group whose options are the sizes. */
  readonly sizeSpecificPricingGuid: string | null;
  readonly sizeSequencePricingRules: readonly {
    /** The option of the item's size group; null if the price does not depend on the size. */
    readonly sizeGuid: string | null;
    readonly sequencePrices: readonly { readonly sequence: number; readonly price: number }[];
  }[];
}

export interface Schedule {
  readonly days: readonly string[];
  readonly timeRanges: readonly TimeRange[];
}

/** Local times `HH:mm`. The minute of the end belongs to the range. */
export interface TimeRange {
  readonly start: string;
  readonly end: string;
}

/** What prices depend on and the menus document does not tell. */
export interface MenuSupplement {
  /**
   * Options of `NO_CHARGE` groups are free in the document, but a pre-modifier that charges an
   * extra portion charges the price that they would have.
   */
  readonly noChargePrices: readonly {
    readonly optionGroup: string;
    readonly item: string;
    readonly price: number;
  }[];
  /**
   * GUIDs of items that are taxed by themselves as modifiers (`UNIQUE`). The document shows it
   * only if their rates differ from those of the item, but they are rounded apart in any case.
   */
  readonly uniquelyTaxedItems: readonly string[];
}

// ---- The configuration

export type Rounding = 'HALF_UP' | 'HALF_EVEN' | 'ALWAYS_UP' | 'ALWAYS_DOWN';

export interface Configuration {
  readonly taxRates: readonly TaxRate[];
  readonly discounts: readonly Discount[];
  readonly serviceCharges: readonly ServiceCharge[];
  readonly diningOptions: readonly DiningOption[];
}

export interface DiningOption {
  readonly guid: string;
  readonly behavior: 'DINE_IN' | 'TAKE_OUT' | 'DELIVERY';
  readonly curbside: boolean;
}

export interface TaxRate {
  readonly guid: string;
  readonly name: string;
  readonly type: 'PERCENT' | 'FIXED' | 'TABLE' | 'NONE' | 'EXTERNAL';
  /** `PERCENT`: a fraction, 0.07 is seven percent. `FIXED`: an amount for one. */
  readonly rate: number | null;
  /** Null counts as `HALF_UP`. */
  readonly roundingType: Rounding | null;
  readonly taxTable: readonly TaxTableRow[];
  /** Only the condition `TAKE_OUT` is known. */
  readonly conditionalTaxRates: readonly { readonly condition: string; readonly rate: number }[];
}

export interface TaxTableRow {
  readonly start: number;
  readonly end: number;
  readonly tax: number;
  /** The row belongs to the pattern that goes on above the table. */
  readonly pattern: boolean;
}

export interface Discount {
  readonly guid: string;
  readonly name: string;
  readonly type: 'PERCENT' | 'FIXED' | 'OPEN_PERCENT' | 'OPEN_FIXED' | 'BOGO' | 'FIXED_TOTAL';
  readonly percentage: number | null;
  readonly amount: number | null;
  readonly selectionType: 'CHECK' | 'ITEM' | 'BOGO';
  readonly nonExclusive: boolean;
  /** Null counts as `FIRST`. */
  readonly itemPickingPriority: 'FIRST' | 'LEAST_EXPENSIVE' | 'MOST_EXPENSIVE' | null;
  readonly rule: DiscountRule | null;
}

/** When and where a discount may be used (ORD-31). Null and empty lists limit nothing. */
export interface DiscountRule {
  readonly items: readonly string[];
  /** Menu groups, with all groups below them; the same in all lists of groups here. */
  readonly groups: readonly string[];
  readonly excludedItems: readonly string[];
  readonly excludedGroups: readonly string[];
  readonly requiredItems: readonly string[];
  readonly requiredGroups: readonly string[];
  /** The check must be worth more than this, before discounts. */
  readonly minCheckAmount: number | null;
  /** The check must be worth less than this, before discounts. */
  readonly maxCheckAmount: number | null;
  readonly diningOptions: readonly string[];
  /** The first local date, `yyyy-MM-dd`. */
  readonly startDate: string | null;
  /** The last local date. */
  readonly endDate: string | null;
  readonly days: readonly string[];
  readonly times: readonly TimeRange[];
  readonly buy: BogoSide | null;
  readonly get:
    | (BogoSide & { readonly amountType: 'PERCENT' | 'FIXED'; readonly value: number })
    | null;
}

export interface BogoSide {
  readonly items: readonly string[];
  readonly groups: readonly string[];
  readonly quantity: number;
}

export interface ServiceCharge {
  readonly guid: string;
  readonly name: string;
  readonly amountType: 'FIXED' | 'PERCENT' | 'OPEN';
  readonly amount: number | null;
  readonly percent: number | null;
  readonly gratuity: boolean;
  readonly taxable: boolean;
  readonly applicableTaxes: readonly { readonly guid: string }[];
  readonly serviceChargeCalculation: 'PRE_DISCOUNT' | 'POST_DISCOUNT' | null;
}

// ---- The order

/** Names an object by one of the two. */
export interface Reference {
  readonly guid?: string | null;
  readonly multiLocationId?: string | null;
}

export interface OrderRequest {
  readonly diningOption: Reference;
  readonly checks: readonly CheckRequest[];
}

export interface CheckRequest {
  readonly selections: readonly SelectionRequest[];
  readonly appliedDiscounts?: readonly DiscountRequest[];
  readonly appliedServiceCharges?: readonly ChargeRequest[];
  readonly taxExempt?: boolean;
}

export interface SelectionRequest {
  readonly item?: Reference | null;
  readonly itemGroup?: Reference | null;
  readonly optionGroup?: Reference | null;
  readonly preModifier?: Reference | null;
  readonly quantity?: number;
  readonly selectionType?: 'NONE' | 'SPECIAL_REQUEST' | 'PORTION' | null;
  readonly modifiers?: readonly SelectionRequest[];
  readonly diningOption?: Reference | null;
  readonly openPriceAmount?: number | null;
  readonly appliedDiscounts?: readonly DiscountRequest[];
  /**
   * Only an echo of an answer has it: this was split from the selection before it by a BOGO
   * discount. The two are joined, and the discount is applied anew.
   */
  readonly splitOrigin?: unknown;
}

export interface DiscountRequest {
  readonly discount: Reference;
  readonly discountAmount?: number | null;
}

export interface ChargeRequest {
  readonly serviceCharge: Reference;
  readonly chargeAmount?: number | null;
}

// ---- Arguments

export interface PricingContext {
  readonly menus: MenusDocument;
  readonly supplement: MenuSupplement;
  readonly configuration: Configuration;
  readonly settings: PricingSettings;
  /** Milliseconds since 1970. All schedules of one request go by it, also for scheduled orders. */
  readonly instant: number;
}

export interface PricingSettings {
  /** How many decimals the currency has: 2 for dollars. */
  readonly currencyExponent: number;
  /** Whether percent taxes are rounded for each selection or once for the check. */
  readonly percentTaxBasis: 'selection' | 'check';
}

// ---- In between: what the menu said about a selection

/**
 * A selection with all that the menu has to do with its price. It can be stored as JSON: when
 * something is added to an order later, the prices of what stood there stay.
 */
export interface ResolvedSelection {
  /** Null for a special request. */
  readonly itemGuid: string | null;
  /** The menu group and all groups above it. */
  readonly groupGuids: readonly string[];
  readonly quantity: number;
  readonly isMeasured: boolean;
  readonly isDiscountable: boolean;
  readonly isTaxIncluded: boolean;
  /** Whether tax rates for take-out apply. */
  readonly isTakeOut: boolean;
  /** The price of the item alone, for one. */
  readonly receiptLinePriceMinor: number;
  /** The price with modifiers, for one. */
  readonly unitMinor: number;
  /** What is taxed together. Their units add up to `unitMinor`; the first has the item. */
  readonly taxLines: readonly TaxLine[];
  readonly modifiers: readonly ResolvedModifier[];
  /** A voided selection stays in the order and counts for nothing. */
  readonly isVoided: boolean;
}

export interface TaxLine {
  readonly unitMinor: number;
  readonly taxRates: readonly string[];
}

export interface ResolvedModifier {
  /** Its own price for one. */
  readonly receiptLinePriceMinor: number;
  /** With its own modifiers. */
  readonly unitMinor: number;
  readonly modifiers: readonly ResolvedModifier[];
}

export interface ResolvedCheck {
  readonly selections: readonly {
    /** The position in the request. */
    readonly requestIndex: number;
    readonly resolved: ResolvedSelection;
    readonly appliedDiscounts: readonly DiscountRequest[];
  }[];
  readonly appliedDiscounts: readonly DiscountRequest[];
  readonly appliedServiceCharges: readonly ChargeRequest[];
  readonly taxExempt: boolean;
}

// ---- Results

export type Result<T> =
  | { readonly priced: T; readonly faults: null }
  | { readonly priced: null; readonly faults: readonly PriceFault[] };

export interface PriceFault {
  /** The place in the request: `checks[0].selections[2].modifiers[0]`. */
  readonly place: string;
  readonly reason: FaultReason;
}

export type FaultReason =
  /** The item, modifier group, option, portion or pre-modifier is not there in the menu. */
  | 'NOT_IN_MENU'
  /** Nobody priced the item. */
  | 'UNPRICED'
  /** The price depends on a size, and no size was chosen. */
  | 'SIZE_MISSING'
  /** A selection costs less than nothing before discounts. */
  | 'BELOW_ZERO'
  /** An amount is beyond the integers that JSON numbers can hold. */
  | 'TOO_LARGE'
  | 'UNKNOWN_DINING_OPTION'
  | 'UNKNOWN_TAX_RATE'
  /** A table has no rate that could be taken out of a price that includes it. */
  | 'TABLE_TAX_INCLUDED'
  | 'UNKNOWN_DISCOUNT'
  /** A discount of a kind that orders can't have, or in the wrong place. */
  | 'DISCOUNT_NOT_APPLICABLE'
  | 'DISCOUNT_WITHOUT_AMOUNT'
  | 'DISCOUNT_RULE_NOT_MET'
  /** It can't be combined with another discount of the check. */
  | 'DISCOUNT_EXCLUSIVE'
  | 'BOGO_WITHOUT_BUY_ITEMS'
  | 'BOGO_WITHOUT_GET_ITEMS'
  | 'UNKNOWN_SERVICE_CHARGE'
  | 'CHARGE_WITHOUT_AMOUNT';

export interface PricedOrder {
  readonly checks: readonly PricedCheck[];
}

export interface PricedCheck {
  /** Top-level selections include their modifiers. More than requested if a BOGO split some. */
  readonly selections: readonly PricedSelection[];
  /** Check-level discounts. BOGO ones stand at the selections that they gave. */
  readonly appliedDiscounts: readonly PricedDiscount[];
  readonly appliedServiceCharges: readonly PricedCharge[];
  /** Of all selections before discounts: what limits of discounts and charges compare. */
  readonly preDiscountMinor: number;
  readonly amountMinor: number;
  readonly taxMinor: number;
  readonly totalMinor: number;
  /** Gratuity charges: in no total, because they are owed as tip. */
  readonly gratuityMinor: number;
}

export interface PricedSelection {
  /** The position in the request; for a split part, that of its origin. */
  readonly requestIndex: number;
  /** Split off by a BOGO discount from the same `requestIndex`. */
  readonly isSplit: boolean;
  readonly quantity: number;
  /** What it was priced by: that of the whole, also for a split part. */
  readonly resolved: ResolvedSelection;
  readonly receiptLinePriceMinor: number;
  /** For the quantity, less included tax; so is `priceMinor`. */
  readonly preDiscountPriceMinor: number;
  readonly priceMinor: number;
  readonly taxMinor: number;
  readonly appliedTaxes: readonly AppliedTax[];
  readonly appliedDiscounts: readonly PricedDiscount[];
  readonly modifiers: readonly PricedModifier[];
}

/** For information: the top-level selection includes it. */
export interface PricedModifier {
  readonly receiptLinePriceMinor: number;
  /** With its own modifiers, for the quantity, as the menu says it. */
  readonly priceMinor: number;
  readonly modifiers: readonly PricedModifier[];
}

export interface AppliedTax {
  readonly taxRate: string;
  readonly name: string;
  readonly type: TaxRate['type'];
  /** The one used, which may be the conditional one; null for tables. */
  readonly rate: number | null;
  readonly taxMinor: number;
}

export interface PricedDiscount {
  readonly discount: string;
  readonly name: string;
  readonly type: Discount['type'];
  readonly percentage: number | null;
  /** The object of the request, which may have more fields than the pricing reads. */
  readonly request: DiscountRequest;
  readonly discountMinor: number;
  /** Without the included tax that goes away with the discount. */
  readonly nonTaxDiscountMinor: number;
  /** BOGO: the selections that were bought, by position in the priced check. */
  readonly triggers: readonly { readonly selection: number; readonly quantity: number }[];
}

export interface PricedCharge {
  readonly serviceCharge: string;
  readonly request: ChargeRequest;
  readonly chargeMinor: number;
  readonly taxMinor: number;
  readonly appliedTaxes: readonly AppliedTax[];
}
