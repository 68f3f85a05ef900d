import type {
  Configuration,
  Discount,
  DiscountRule,
  MenuItem,
  MenuSupplement,
  ModifierGroup,
  ModifierOption,
  PreModifier,
  PricingContext,
  PricingRules,
  PricingSettings,
  SelectionRequest,
  ServiceCharge,
  TaxRate,
} from '../src/index.ts';

/** A restaurant in a test. GUIDs are names, so that a test reads like an order. */
export interface TestRestaurant {
  readonly items: readonly MenuItem[];
  /** By reference id, as in the menus document. */
  readonly groups?: Readonly<Record<number, ModifierGroup>>;
  readonly options?: Readonly<Record<number, ModifierOption>>;
  readonly preModifiers?: Readonly<Record<number, readonly PreModifier[]>>;
  readonly configuration?: Partial<Configuration>;
  readonly supplement?: Partial<MenuSupplement>;
  readonly settings?: Partial<PricingSettings>;
  /** A local time of New York, with its offset. */
  readonly now?: string;
}

const identity = (name: string) => ({ guid: name, multiLocationId: `id of ${name}` });

const priced = {
  pricingStrategy: 'BASE_PRICE',
  pricingRules: null,
  modifierGroupReferences: [],
  portions: [],
} as const;

export function item(name: string, price: number | null, fields: Partial<MenuItem> = {}): MenuItem {
  return {
    ...identity(name),
    ...priced,
    price,
    isDiscountable: true,
    unitOfMeasure: 'NONE',
    taxInfo: [],
    taxInclusion: 'TAX_NOT_INCLUDED',
    ...fields,
  };
}

export function option(
  name: string,
  price: number | null,
  fields: Partial<ModifierOption> = {},
): ModifierOption {
  return {
    ...identity(name),
    ...priced,
    name,
    price,
    isDefault: false,
    modifierOptionTaxInfo: { taxRateGuids: [], overrideItemTaxRates: false },
    ...fields,
  };
}

/** How an option is taxed, if it is not with its item. */
export function taxedBy(rates: readonly string[], overrideItemTaxRates = false) {
  return { modifierOptionTaxInfo: { taxRateGuids: rates, overrideItemTaxRates } };
}

export function group(
  name: string,
  options: readonly number[],
  fields: Partial<ModifierGroup> = {},
): ModifierGroup {
  return {
    ...identity(name),
    pricingStrategy: 'NONE',
    pricingRules: null,
    defaultOptionsChargePrice: 'YES',
    defaultOptionsSubstitutionPricing: 'NO',
    preModifierGroupReference: null,
    modifierOptionReferences: options,
    ...fields,
  };
}

export function rules(fields: Partial<PricingRules>): PricingRules {
  return {
    timeSpecificPricingRules: [],
    sizeSpecificPricingGuid: null,
    sizeSequencePricingRules: [],
    ...fields,
  };
}

export function sequence(sizeGuid: string | null, prices: readonly number[]) {
  const sequencePrices = prices.map((price, index) => ({ sequence: index + 1, price }));
  return { sizeGuid, sequencePrices };
}

export function preModifier(name: string, fields: Partial<PreModifier>): PreModifier {
  const none = { fixedPrice: null, multiplicationFactor: null, chargeAsExtra: null };
  return { ...identity(name), ...none, ...fields };
}

export function percentTax(name: string, rate: number, fields: Partial<TaxRate> = {}): TaxRate {
  return {
    guid: name,
    name,
    type: 'PERCENT',
    rate,
    roundingType: 'HALF_UP',
    taxTable: [],
    conditionalTaxRates: [],
    ...fields,
  };
}

export function discount(name: string, fields: Partial<Discount>): Discount {
  return {
    guid: name,
    name,
    type: 'PERCENT',
    percentage: null,
    amount: null,
    selectionType: 'CHECK',
    nonExclusive: true,
    itemPickingPriority: null,
    rule: null,
    ...fields,
  };
}

export function rule(fields: Partial<DiscountRule>): DiscountRule {
  return {
    items: [],
    groups: [],
    excludedItems: [],
    excludedGroups: [],
    requiredItems: [],
    requiredGroups: [],
    minCheckAmount: null,
    maxCheckAmount: null,
    diningOptions: [],
    startDate: null,
    endDate: null,
    days: [],
    times: [],
    buy: null,
    get: null,
    ...fields,
  };
}

/** Buy one, get one free. */
export const buyOneGetOne = discount('buy one, get one', {
  type: 'BOGO',
  selectionType: 'BOGO',
  rule: rule({
    buy: { items: [], groups: [], quantity: 1 },
    get: { items: [], groups: [], quantity: 1, amountType: 'PERCENT', value: 100 },
  }),
});

export function charge(name: string, fields: Partial<ServiceCharge>): ServiceCharge {
  return {
    guid: name,
    name,
    amountType: 'FIXED',
    amount: null,
    percent: null,
    gratuity: false,
    taxable: false,
    applicableTaxes: [],
    serviceChargeCalculation: null,
    ...fields,
  };
}

export function contextOf(restaurant: TestRestaurant): PricingContext {
  const { items, groups = {}, options = {}, preModifiers = {} } = restaurant;
  const food = { ...identity('Food'), menuItems: items, menuGroups: [] };
  const all = { ...identity('All'), menuItems: [], menuGroups: [food] };
  return {
    menus: {
      restaurantTimeZone: 'America/New_York',
      menus: [{ menuGroups: [all] }],
      modifierGroupReferences: groups,
      modifierOptionReferences: options,
      preModifierGroupReferences: Object.fromEntries(
        Object.entries(preModifiers).map(([id, one]) => [id, { preModifiers: one }]),
      ),
    },
    supplement: { noChargePrices: [], uniquelyTaxedItems: [], ...restaurant.supplement },
    configuration: {
      taxRates: [],
      discounts: [],
      serviceCharges: [],
      diningOptions: [
        { guid: 'dine-in', behavior: 'DINE_IN', curbside: false },
        { guid: 'take-out', behavior: 'TAKE_OUT', curbside: false },
        { guid: 'curbside', behavior: 'TAKE_OUT', curbside: true },
        { guid: 'delivery', behavior: 'DELIVERY', curbside: false },
      ],
      ...restaurant.configuration,
    },
    settings: { currencyExponent: 2, percentTaxBasis: 'selection', ...restaurant.settings },
    instant: Date.parse(restaurant.now ?? '2026-03-04T12:00:00-05:00'),
  };
}

/** Orders an item of the menu. */
export function select(name: string, fields: SelectionRequest = {}): SelectionRequest {
  return { itemGroup: { guid: 'Food' }, item: { guid: name }, ...fields };
}

/** Orders an option of a modifier group. */
export function modify(
  groupName: string,
  name: string,
  fields: SelectionRequest = {},
): SelectionRequest {
  return { optionGroup: { guid: groupName }, item: { guid: name }, ...fields };
}
