import type {
  CheckRequest,
  DiningOption,
  Discount,
  MenusDocument,
  OrderRequest,
  SelectionRequest,
  ServiceCharge,
  TaxRate,
} from '@servery/contract';
import {
  type FaultReason,
  type MenuSupplement,
  minorUnitDecimals,
  type PricedCheck,
  type PricedModifier,
  type PricedSelection,
  type OrderRequest as PricingOrder,
  type SelectionRequest as PricingSelection,
  priceOrder,
  type Discount as RuledDiscount,
} from '@servery/pricing';
import { InvalidInput } from './errors.ts';
import { presentMs } from './present.ts';

/** What prices depend on, as `syncMenus` returns it. */
export interface PriceSource {
  readonly document: MenusDocument | null;
  /** ISO 4217. */
  readonly currency: string;
  readonly configuration: {
    readonly taxRates: readonly TaxRate[];
    readonly discounts: readonly Discount[];
    readonly serviceCharges: readonly ServiceCharge[];
    readonly diningOptions: readonly DiningOption[];
  };
}

export interface PriceOptions {
  /** The instant. Default: now. */
  readonly at?: Date;
  /** How the platform rounds percentage taxes. Default: `selection`. */
  readonly percentTaxBasis?: 'selection' | 'check';
  /** What the restaurant has told you about its menus beyond what the platform publishes. */
  readonly supplement?: Partial<MenuSupplement>;
  /** The same for the rules of its discounts, by the GUID of the discount. */
  readonly discountRules?: Readonly<Record<string, NonNullable<RuledDiscount['rule']>>>;
}

/** The price of a cart, or every reason why it has none. */
export type CartPrice =
  | {
      readonly isPriced: true;
      /** In the same order as the checks of the cart. Amounts are in currency units. */
      readonly checks: readonly CheckPrice[];
      /** Where only the platform knows the price. If empty, its price is the same to the cent. */
      readonly unsure: readonly Unsure[];
    }
  | { readonly isPriced: false; readonly faults: readonly CartFault[] };

export interface CheckPrice {
  /** Prices and charges without tax. */
  readonly amount: number;
  readonly taxAmount: number;
  /** What the guest pays, without gratuity or tip. */
  readonly totalAmount: number;
  /** Service charges that go to the staff as a tip. */
  readonly gratuity: number;
  readonly selections: readonly SelectionPrice[];
  readonly appliedDiscounts: readonly { readonly discount: string; readonly amount: number }[];
  readonly appliedServiceCharges: readonly ChargePrice[];
}

export interface ChargePrice {
  readonly serviceCharge: string;
  readonly chargeAmount: number;
  readonly tax: number;
}

/** A selection. All its amounts include its modifiers, except `receiptLinePrice`. */
export interface SelectionPrice {
  /** Its position in the cart. A BOGO discount can split a selection into two. */
  readonly index: number;
  readonly quantity: number;
  readonly receiptLinePrice: number;
  readonly preDiscountPrice: number;
  readonly price: number;
  readonly tax: number;
  readonly modifiers: readonly ModifierPrice[];
}

export interface ModifierPrice {
  readonly receiptLinePrice: number;
  readonly price: number;
  readonly modifiers: readonly ModifierPrice[];
}

export interface CartFault {
  /** For example `checks[0].selections[2]`. */
  readonly place: string;
  readonly reason: FaultReason | 'DISCOUNT_RULE_UNKNOWN';
}

export interface Unsure {
  readonly place: string;
  readonly why: string;
}

/**
 * Prices a cart with the platform's own pricing module, without a request. `orders.price` still has
 * the last word: it also checks choices and stock.
 */
export function priceOf(
  order: Pick<OrderRequest, 'diningOption' | 'checks'>,
  source: PriceSource,
  options: PriceOptions = {},
): CartPrice {
  const { document, currency, configuration } = source;
  const { at, supplement, discountRules = {}, percentTaxBasis = 'selection' } = options;
  if (!order.diningOption) throw new InvalidInput('diningOption', 'is missing.');
  if (!document) throw new InvalidInput('document', 'is missing: no menu is published.');
  const discounts = configuration.discounts.filter(({ active }) => active);
  const checks = order.checks ?? [];
  const unknown = unknownRules(checks, discounts, discountRules);
  if (unknown.length > 0) return { isPriced: false, faults: unknown };
  const request: PricingOrder = {
    diningOption: order.diningOption,
    checks: checks.map((check) => ({
      selections: (check.selections ?? []).map(forPricing),
      appliedDiscounts: (check.appliedDiscounts ??
        []) as PricingOrder['checks'][number]['appliedDiscounts'] & {},
      appliedServiceCharges: (check.appliedServiceCharges ??
        []) as PricingOrder['checks'][number]['appliedServiceCharges'] & {},
      taxExempt: check.taxExempt ?? false,
    })),
  };
  const currencyExponent = minorUnitDecimals(currency);
  const { priced, faults } = priceOrder(request, {
    menus: document,
    supplement: { noChargePrices: [], uniquelyTaxedItems: [], ...supplement },
    configuration: {
      ...configuration,
      discounts: discounts.map((one) => ({ ...one, rule: discountRules[one.guid] ?? null })),
    },
    settings: { currencyExponent, percentTaxBasis },
    instant: at?.getTime() ?? presentMs(),
  });
  if (faults) return { isPriced: false, faults };
  const amountOf = (minor: number) => minor / 10 ** currencyExponent;
  return {
    isPriced: true,
    checks: priced.checks.map((check) => checkPrice(check, amountOf)),
    unsure: checks.flatMap((check, index) =>
      unsureOf(check, `checks[${index}]`, { document, discounts, discountRules, supplement }),
    ),
  };
}

type AmountOf = (minor: number) => number;

function checkPrice(check: PricedCheck, amountOf: AmountOf): CheckPrice {
  return {
    amount: amountOf(check.amountMinor),
    taxAmount: amountOf(check.taxMinor),
    totalAmount: amountOf(check.totalMinor),
    gratuity: amountOf(check.gratuityMinor),
    selections: check.selections.map((one) => selectionPrice(one, amountOf)),
    appliedDiscounts: check.appliedDiscounts.map(({ discount, discountMinor }) => {
      return { discount, amount: amountOf(discountMinor) };
    }),
    appliedServiceCharges: check.appliedServiceCharges.map((charge) => ({
      serviceCharge: charge.serviceCharge,
      chargeAmount: amountOf(charge.chargeMinor),
      tax: amountOf(charge.taxMinor),
    })),
  };
}

function selectionPrice(selection: PricedSelection, amountOf: AmountOf): SelectionPrice {
  return {
    index: selection.requestIndex,
    quantity: selection.quantity,
    receiptLinePrice: amountOf(selection.receiptLinePriceMinor),
    preDiscountPrice: amountOf(selection.preDiscountPriceMinor),
    price: amountOf(selection.priceMinor),
    tax: amountOf(selection.taxMinor),
    modifiers: selection.modifiers.map((one) => modifierPrice(one, amountOf)),
  };
}

function modifierPrice(modifier: PricedModifier, amountOf: AmountOf): ModifierPrice {
  return {
    receiptLinePrice: amountOf(modifier.receiptLinePriceMinor),
    price: amountOf(modifier.priceMinor),
    modifiers: modifier.modifiers.map((one) => modifierPrice(one, amountOf)),
  };
}

/** Null counts as absent, as it does for the platform. */
function forPricing(selection: SelectionRequest): PricingSelection {
  const { quantity, modifiers, appliedDiscounts, ...rest } = selection;
  return {
    ...(rest as PricingSelection),
    quantity: quantity ?? 1,
    modifiers: (modifiers ?? []).map(forPricing),
    appliedDiscounts: (appliedDiscounts ?? []) as NonNullable<PricingSelection['appliedDiscounts']>,
  };
}

interface Known {
  readonly document: MenusDocument;
  readonly discounts: readonly Discount[];
  readonly discountRules: Readonly<Record<string, unknown>>;
  readonly supplement: Partial<MenuSupplement> | undefined;
}

/** Every discount of a check, with its place. */
function discountsOf(check: CheckRequest, place: string, discounts: readonly Discount[]) {
  const lists = [
    { list: check.appliedDiscounts, at: place },
    ...(check.selections ?? []).map(({ appliedDiscounts }, index) => {
      return { list: appliedDiscounts, at: `${place}.selections[${index}]` };
    }),
  ];
  return lists.flatMap(({ list, at }) =>
    (list ?? []).flatMap(({ discount: reference }, index) => {
      const discount = discounts.find(({ guid }) => guid === reference?.guid);
      return discount ? [{ discount, place: `${at}.appliedDiscounts[${index}]` }] : [];
    }),
  );
}

/** What a BOGO discount gives is in its rule, which the platform does not publish. */
function unknownRules(
  checks: readonly CheckRequest[],
  discounts: readonly Discount[],
  rules: Readonly<Record<string, unknown>>,
): CartFault[] {
  return checks
    .flatMap((check, index) => discountsOf(check, `checks[${index}]`, discounts))
    .filter(({ discount }) => discount.type === 'BOGO' && !(discount.guid in rules))
    .map(({ place }) => ({ place, reason: 'DISCOUNT_RULE_UNKNOWN' }));
}

function unsureOf(
  check: CheckRequest,
  place: string,
  { document, discounts, discountRules, supplement }: Known,
): Unsure[] {
  const ruled = discountsOf(check, place, discounts)
    .filter(({ discount }) => !(discount.guid in discountRules))
    .map(({ place }) => ({ place, why: 'The discount may have a rule that the order must meet.' }));
  if (supplement?.noChargePrices) return ruled;
  const extras = (check.selections ?? []).flatMap((selection, index) =>
    extrasOf(selection, `${place}.selections[${index}]`, document),
  );
  return [...ruled, ...extras];
}

/** An extra portion of an option that is free costs what the platform does not publish. */
function extrasOf(selection: SelectionRequest, place: string, document: MenusDocument): Unsure[] {
  return (selection.modifiers ?? []).flatMap((modifier, index) => {
    const at = `${place}.modifiers[${index}]`;
    const isIt = chargesExtra(modifier, document) && isFree(modifier, document);
    const why = 'An extra portion of a free option has a price that is not published.';
    return [...(isIt ? [{ place: at, why }] : []), ...extrasOf(modifier, at, document)];
  });
}

interface Reference {
  readonly guid?: string | null;
  readonly multiLocationId?: string | null;
}

function isNamed(one: Reference, reference: Reference | null | undefined): boolean {
  const { guid, multiLocationId } = reference ?? {};
  return guid ? one.guid === guid : one.multiLocationId === multiLocationId;
}

function chargesExtra({ preModifier }: SelectionRequest, document: MenusDocument): boolean {
  if (!preModifier) return false;
  return Object.values(document.preModifierGroupReferences).some(({ preModifiers }) =>
    preModifiers.some((one) => one.chargeAsExtra === true && isNamed(one, preModifier)),
  );
}

function isFree({ item, optionGroup }: SelectionRequest, document: MenusDocument): boolean {
  return Object.values(document.modifierGroupReferences)
    .filter((group) => group.pricingStrategy === 'NONE' && isNamed(group, optionGroup))
    .flatMap(({ modifierOptionReferences: references }) =>
      references.flatMap((reference) => document.modifierOptionReferences[reference] ?? []),
    )
    .some((one) => one.pricingStrategy === 'GROUP_PRICE' && one.price === 0 && isNamed(one, item));
}
