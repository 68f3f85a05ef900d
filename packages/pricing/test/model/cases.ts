import fc from 'fast-check';
import type {
  ChargeRequest,
  CheckRequest,
  Configuration,
  DiningOption,
  Discount,
  DiscountRequest,
  DiscountRule,
  FaultReason,
  MenuItem,
  ModifierGroup,
  ModifierOption,
  OrderRequest,
  Portion,
  PreModifier,
  PreModifierGroup,
  PricingContext,
  PricingRules,
  Rounding,
  SelectionRequest,
  ServiceCharge,
  TaxRate,
  TaxTableRow,
  TimeRange,
} from '../../src/index.ts';
import { type LocalTime, localTime } from './time.ts';

/** An order with the menu and the configuration that it is priced with. */
export interface Case {
  readonly order: OrderRequest;
  readonly context: PricingContext;
  readonly addition: Addition | null;
}

/** What happens to the first check of an order later (ORD-42). */
export interface Addition {
  readonly selections: readonly SelectionRequest[];
  readonly voided: readonly number[];
  readonly instant: number;
  readonly configuration: Configuration;
}

/**
 * A case is written from a list of numbers, each of which makes one choice. It is faster than
 * nested arbitraries, and shrinks well: a smaller number is a simpler choice, and where the list
 * ends everything is simple.
 */
export const cases: fc.Arbitrary<Case> = fc
  .noBias(fc.array(fc.nat({ max: 0xffff }), { minLength: 0, maxLength: 400, size: 'max' }))
  .map((choices) => new CaseWriter(choices).write());

/** Orders that pricing refuses are written with one of these in mind. */
const wrongs: readonly FaultReason[] = [
  'NOT_IN_MENU',
  'UNPRICED',
  'SIZE_MISSING',
  'BELOW_ZERO',
  'TABLE_TAX_INCLUDED',
  'UNKNOWN_TAX_RATE',
  'UNKNOWN_DINING_OPTION',
  'UNKNOWN_DISCOUNT',
  'DISCOUNT_NOT_APPLICABLE',
  'DISCOUNT_WITHOUT_AMOUNT',
  'DISCOUNT_RULE_NOT_MET',
  'UNKNOWN_SERVICE_CHARGE',
  'CHARGE_WITHOUT_AMOUNT',
];

const roundings: readonly Rounding[] = ['HALF_UP', 'HALF_EVEN', 'ALWAYS_UP', 'ALWAYS_DOWN'];
const rates = [0.05, 0.07, 0.0875, 0.0625, 0.08875, 0.1, 0.25, 0.005];
const instants = [
  '2026-03-04T17:00:00.000Z',
  '2026-03-04T20:59:59.999Z',
  '2026-03-07T23:30:00.000Z',
  '2026-03-08T06:59:59.999Z',
  '2026-03-08T07:00:00.000Z',
  '2026-11-01T05:30:00.000Z',
  '2026-12-31T23:59:59.999Z',
].map((instant) => Date.parse(instant));
const zones = ['America/New_York', 'UTC', 'Asia/Tokyo'];
const diningOptions: readonly DiningOption[] = [
  { guid: 'dine-in', behavior: 'DINE_IN', curbside: false },
  { guid: 'take-out', behavior: 'TAKE_OUT', curbside: false },
  { guid: 'curbside', behavior: 'TAKE_OUT', curbside: true },
  { guid: 'delivery', behavior: 'DELIVERY', curbside: false },
];
const DAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];

interface WrittenItem {
  readonly item: MenuItem;
  readonly menuGroup: string;
}

/** Where a modifier group hangs. */
interface Place {
  readonly depth: number;
  readonly rates: readonly string[];
  /** The sizes of the item, if it has some. */
  readonly sizes: ModifierGroup | null;
  readonly hasTables: boolean;
}

class CaseWriter {
  readonly choices: readonly number[];
  next = 0;
  ids = 0;
  readonly exponent: number;
  readonly now: LocalTime;
  readonly instant: number;
  readonly zone: string;
  readonly wrong: FaultReason | null;
  readonly modifierGroups: Record<string, ModifierGroup> = {};
  readonly modifierOptions: Record<string, ModifierOption> = {};
  readonly preModifierGroups: Record<string, PreModifierGroup> = {};
  readonly uniquelyTaxedItems: string[] = [];
  readonly noChargePrices: { optionGroup: string; item: string; price: number }[] = [];
  readonly taxRates: TaxRate[] = [];
  readonly discounts: Discount[] = [];
  readonly serviceCharges: ServiceCharge[] = [];
  items: WrittenItem[] = [];
  /** Whether the item that is being ordered has sizes. */
  hasSizes = false;

  constructor(choices: readonly number[]) {
    this.choices = choices;
    this.exponent = this.oneOf([2, 2, 0, 3]);
    this.instant = this.oneOf(instants);
    this.zone = this.oneOf(zones);
    this.now = localTime(this.instant, this.zone);
    this.wrong = this.chance(10) ? this.oneOf(wrongs) : null;
  }

  write(): Case {
    const count = 1 + this.upTo(3);
    for (let index = 0; index < count; index += 1) this.taxRates.push(this.taxRate(index));
    const itemCount = 1 + this.upTo(2);
    this.items = Array.from({ length: itemCount }, (_, index) => this.item(index));
    const menus = this.menus();
    const diningOption = { guid: this.dining() };
    const checkCount = this.chance(10) ? 2 : 1;
    const checks = Array.from({ length: checkCount }, () => this.check(diningOption.guid));
    const { exponent, instant } = this;
    const percentTaxBasis = this.chance(25) ? 'check' : 'selection';
    const addition = this.chance(25) ? this.addition(checks[0]) : null;
    const context: PricingContext = {
      ...{ menus, configuration: this.configuration(), instant },
      supplement: {
        noChargePrices: this.noChargePrices,
        uniquelyTaxedItems: this.uniquelyTaxedItems,
      },
      settings: { currencyExponent: exponent, percentTaxBasis },
    };
    return { order: { diningOption, checks }, context, addition };
  }

  // ---- Choices

  /** From 0 to `max`. */
  upTo(max: number): number {
    const choice = this.choices[this.next] ?? 0;
    this.next += 1;
    return choice % (max + 1);
  }

  chance(percent: number): boolean {
    return this.upTo(99) >= 100 - percent;
  }

  oneOf<T>(all: readonly T[]): T {
    return all[this.upTo(all.length - 1)] as T;
  }

  isWrong(reason: FaultReason): boolean {
    return this.wrong === reason;
  }

  money(maxMinor: number): number {
    return this.upTo(maxMinor) / 10 ** this.exponent;
  }

  identity(kind: string) {
    this.ids += 1;
    const guid = `${kind} ${this.ids}`;
    return { guid, multiLocationId: `id of ${guid}` };
  }

  named({ guid, multiLocationId }: { guid: string; multiLocationId: string }) {
    return this.oneOf([{ guid }, { guid }, { multiLocationId }, { guid, multiLocationId }]);
  }

  dining(): string {
    return this.oneOf(['dine-in', 'dine-in', 'take-out', 'curbside', 'delivery']);
  }

  /** A range of local time that mostly holds now. */
  range(mustHold: boolean): TimeRange {
    const { time } = this.now;
    const hour = Number(time.slice(0, 2));
    const at = (shift: number) =>
      `${String((hour + shift + 24) % 24).padStart(2, '0')}${time.slice(2)}`;
    const held = [
      { start: '00:00', end: '00:00' },
      { start: time, end: time },
      { start: at(-1), end: at(1) },
      { start: at(-2), end: time },
      { start: time, end: at(20) },
    ];
    return this.oneOf(
      mustHold ? held : [...held, { start: at(1), end: at(2) }, { start: at(-3), end: at(-1) }],
    );
  }

  days(mustHold: boolean): readonly string[] {
    const { day, dayBefore } = this.now;
    return this.oneOf(
      mustHold
        ? [DAYS, [dayBefore, day]]
        : [DAYS, [day], [dayBefore], [dayBefore, day], ['FRIDAY']],
    );
  }

  // ---- Taxes

  taxRate(index: number): TaxRate {
    const type = this.oneOf([
      'PERCENT',
      'PERCENT',
      'PERCENT',
      'FIXED',
      'TABLE',
      'NONE',
      'EXTERNAL',
    ] as const);
    const rate = () => (type === 'FIXED' ? this.money(30) : this.percentRate());
    const hasRate = type === 'PERCENT' || type === 'FIXED';
    return {
      ...{ guid: `rate ${index}`, name: `Rate ${index}`, type },
      rate: hasRate ? rate() : null,
      roundingType: this.chance(10) ? null : this.oneOf(roundings),
      taxTable: type === 'TABLE' ? this.taxTable() : [],
      conditionalTaxRates:
        hasRate && this.chance(30) ? [{ condition: 'TAKE_OUT', rate: rate() }] : [],
    };
  }

  percentRate(): number {
    return this.chance(50) ? (1 + this.upTo(2499)) / 10_000 : this.oneOf(rates);
  }

  taxTable(): TaxTableRow[] {
    const scale = 10 ** this.exponent;
    const count = 2 + this.upTo(4);
    const firstInPattern = this.chance(60) ? 1 + this.upTo(count - 2) : count;
    let start = 0;
    let tax = 0;
    return Array.from({ length: count }, (_, index) => {
      const end = start + 3 + this.upTo(this.chance(50) ? 900 : 30);
      const row = { start: start / scale, end: end / scale, tax: tax / scale };
      start = end + 1;
      tax += 1 + this.upTo(3);
      return { ...row, pattern: index >= firstInPattern };
    });
  }

  /** Some rates; a price that includes its taxes has no table. */
  someRates(hasTables: boolean): string[] {
    const some = this.taxRates.filter(({ type }) => hasTables || type !== 'TABLE');
    return some.filter(() => !this.chance(45)).map(({ guid }) => guid);
  }

  // ---- The menu

  item(index: number): WrittenItem {
    const identity = this.identity('item');
    const isFirst = index === 0;
    const taxInclusion = this.oneOf([
      'TAX_NOT_INCLUDED',
      'TAX_NOT_INCLUDED',
      'TAX_INCLUDED',
      'SMART_TAX',
    ] as const);
    const isIncluded = taxInclusion === 'TAX_INCLUDED';
    const hasTables = !isIncluded || this.isWrong('TABLE_TAX_INCLUDED');
    const taxInfo = this.someRates(hasTables);
    if (isFirst && this.isWrong('UNKNOWN_TAX_RATE')) taxInfo.push('unknown rate');
    const hasSizes = this.chance(30) || (isFirst && this.isWrong('SIZE_MISSING'));
    const place = { depth: 0, rates: taxInfo, sizes: null, hasTables };
    const sizes = hasSizes ? this.sizeGroup(place) : null;
    const groups = Array.from({ length: this.upTo(3) }, () =>
      this.modifierGroup({ ...place, sizes: sizes?.group ?? null }),
    );
    const references = [...(sizes ? [sizes.reference] : []), ...groups];
    const isUnpriced = isFirst && this.isWrong('UNPRICED');
    return {
      menuGroup: this.oneOf(['group', 'subgroup', 'other group']),
      item: {
        ...identity,
        ...(sizes ? this.sized(sizes.group) : isUnpriced ? this.basePrice(null) : this.itemPrice()),
        modifierGroupReferences: references,
        portions: this.chance(30) ? this.portions(groups) : [],
        isDiscountable: !this.chance(12),
        unitOfMeasure: this.chance(12) ? 'LB' : 'NONE',
        taxInfo,
        taxInclusion,
      },
    };
  }

  basePrice(price: number | null) {
    return { price, pricingStrategy: 'BASE_PRICE', pricingRules: null } as const;
  }

  sized(sizes: ModifierGroup) {
    const pricingRules = { ...this.noRules(), sizeSpecificPricingGuid: sizes.guid };
    return { price: null, pricingStrategy: 'SIZE_PRICE', pricingRules } as const;
  }

  noRules(): PricingRules {
    return {
      timeSpecificPricingRules: [],
      sizeSpecificPricingGuid: null,
      sizeSequencePricingRules: [],
    };
  }

  itemPrice() {
    const price = this.money(2500);
    const kind = this.upTo(9);
    if (kind < 6) return this.basePrice(price);
    if (kind === 6)
      return { ...this.basePrice(price), pricingStrategy: 'MENU_SPECIFIC_PRICE' } as const;
    if (kind === 7) return { ...this.basePrice(null), pricingStrategy: 'OPEN_PRICE' } as const;
    const timeSpecificPricingRules = Array.from({ length: 1 + this.upTo(1) }, () => ({
      timeSpecificPrice: this.money(2500),
      schedule: [{ days: this.days(false), timeRanges: [this.range(false)] }],
    }));
    const pricingRules = { ...this.noRules(), timeSpecificPricingRules };
    return { price, pricingStrategy: 'TIME_SPECIFIC_PRICE', pricingRules } as const;
  }

  portions(groups: readonly number[]): Portion[] {
    const modifierGroupReferences = groups.filter(() => !this.chance(20));
    return ['1st half', '2nd half'].map((half) => ({
      ...{ guid: half, modifierGroupReferences },
      priceScaleFactor: this.oneOf([0.5, null, 0.25, 0.33]),
    }));
  }

  sizeGroup(place: Place) {
    const options = ['Small', 'Large'].map((name) => {
      const reference = this.option({ ...place, depth: 9 }, this.basePrice(this.money(2500)), {
        isSize: true,
      });
      const option = this.modifierOptions[reference];
      if (option) this.modifierOptions[reference] = { ...option, name };
      return reference;
    });
    return this.addGroup({ modifierOptionReferences: options });
  }

  addGroup(fields: Partial<ModifierGroup>) {
    this.ids += 1;
    const reference = this.ids;
    const group: ModifierGroup = {
      ...this.identity('modifiers'),
      pricingStrategy: 'NONE',
      pricingRules: null,
      defaultOptionsChargePrice: 'YES',
      defaultOptionsSubstitutionPricing: 'NO',
      preModifierGroupReference: null,
      modifierOptionReferences: [],
      ...fields,
    };
    this.modifierGroups[reference] = group;
    return { reference, group };
  }

  modifierGroup(place: Place): number {
    const bySize = ['SIZE_PRICE', 'SIZE_SEQUENCE_PRICE'] as const;
    const kinds = ['individual', 'individual', 'fixed', 'free', 'SEQUENCE_PRICE'] as const;
    const kind = this.oneOf(place.sizes ? [...kinds, ...bySize] : kinds);
    const isByGroup = kind !== 'individual';
    const hasDefaults = this.chance(40);
    const fixed = kind === 'fixed' ? this.money(400) : kind === 'free' ? 0 : null;
    const grouped = { price: fixed, pricingStrategy: 'GROUP_PRICE', pricingRules: null } as const;
    const options = Array.from({ length: 1 + this.upTo(2) }, () =>
      this.option(place, isByGroup ? grouped : this.optionPrice(place, hasDefaults), {
        hasDefaults,
      }),
    );
    const isPricedByRules = kind !== 'individual' && kind !== 'fixed' && kind !== 'free';
    const { reference, group } = this.addGroup({
      modifierOptionReferences: options,
      pricingStrategy: isPricedByRules ? kind : 'NONE',
      pricingRules: isPricedByRules ? this.groupRules(kind, place.sizes) : null,
      preModifierGroupReference: this.chance(60) ? this.preModifierGroup() : null,
      ...(hasDefaults && {
        defaultOptionsChargePrice: this.oneOf(['NO', 'NO', 'YES'] as const),
        defaultOptionsSubstitutionPricing: this.oneOf(['YES', 'NO'] as const),
      }),
    });
    if (kind === 'free') {
      for (const option of options) {
        const item = this.modifierOptions[option]?.guid ?? '';
        this.noChargePrices.push({ optionGroup: group.guid, item, price: this.money(400) });
      }
    }
    return reference;
  }

  groupRules(kind: string, sizes: ModifierGroup | null): PricingRules {
    const count = kind === 'SIZE_PRICE' ? 1 : 1 + this.upTo(3);
    const sequencePrices = () =>
      Array.from({ length: count }, (_, index) => ({
        sequence: index + 1,
        price: this.money(300),
      }));
    if (kind === 'SEQUENCE_PRICE') {
      const rule = { sizeGuid: null, sequencePrices: sequencePrices() };
      return { ...this.noRules(), sizeSequencePricingRules: [rule] };
    }
    const sizeSequencePricingRules = (sizes?.modifierOptionReferences ?? []).map((reference) => ({
      sizeGuid: this.modifierOptions[reference]?.guid ?? null,
      sequencePrices: sequencePrices(),
    }));
    return {
      ...this.noRules(),
      ...{ sizeSpecificPricingGuid: sizes?.guid ?? null, sizeSequencePricingRules },
    };
  }

  /** The price of an option in a group of individual prices; null if it has sizes of its own. */
  optionPrice(place: Place, hasDefaults: boolean) {
    const kind = this.upTo(19);
    if (kind < 13) return this.basePrice(this.money(600));
    if (kind === 13 && place.depth === 0 && !hasDefaults) {
      return this.basePrice(this.isWrong('BELOW_ZERO') ? -100 : -this.money(200));
    }
    if (kind < 17 || hasDefaults || place.depth > 0) return this.itemPrice();
    return null;
  }

  option(
    place: Place,
    price: Pick<ModifierOption, 'price' | 'pricingStrategy' | 'pricingRules'> | null,
    { isSize = false, hasDefaults = false },
  ): number {
    this.ids += 1;
    const reference = this.ids;
    const identity = this.identity('option');
    const isBelowZero = (price?.price ?? 0) < 0;
    const isBySize = price === null;
    const behavior =
      isBelowZero || !this.chance(isSize ? 15 : 30)
        ? 'INHERIT'
        : this.oneOf(['UNIQUE', 'UNIQUE', 'OVERRIDE']);
    const rates = behavior === 'INHERIT' ? place.rates : this.someRates(place.hasTables);
    if (behavior === 'UNIQUE') this.uniquelyTaxedItems.push(identity.guid);
    const below = { ...place, rates, depth: place.depth + 1 };
    const sizes = isBySize ? this.sizeGroup({ ...below, depth: 9 }) : null;
    const groups =
      place.depth < 2 && !isSize && !isBelowZero && this.chance(15)
        ? [this.modifierGroup(below)]
        : [];
    this.modifierOptions[reference] = {
      ...identity,
      name: identity.guid,
      ...(sizes ? this.sized(sizes.group) : (price ?? this.basePrice(0))),
      modifierGroupReferences: [...(sizes ? [sizes.reference] : []), ...groups],
      portions: [],
      isDefault: hasDefaults && this.chance(50),
      modifierOptionTaxInfo: { taxRateGuids: rates, overrideItemTaxRates: behavior === 'OVERRIDE' },
    };
    return reference;
  }

  preModifierGroup(): number {
    this.ids += 1;
    const reference = this.ids;
    const none = { fixedPrice: null, multiplicationFactor: null, chargeAsExtra: null };
    const preModifier = (fields: Partial<PreModifier>): PreModifier => ({
      ...this.identity('pre-modifier'),
      ...none,
      ...fields,
    });
    const preModifiers = [
      preModifier({ multiplicationFactor: this.oneOf([1.5, 0.5, 2, 0.33]) }),
      preModifier({ multiplicationFactor: 0, chargeAsExtra: this.oneOf([null, false]) }),
      preModifier({ fixedPrice: this.money(150) }),
      preModifier({ fixedPrice: this.money(150), chargeAsExtra: true }),
      preModifier({ multiplicationFactor: this.oneOf([2, 0]), chargeAsExtra: true }),
    ];
    this.preModifierGroups[reference] = { preModifiers };
    return reference;
  }

  menus() {
    const inGroup = (group: string) =>
      this.items.filter(({ menuGroup }) => menuGroup === group).map(({ item }) => item);
    const group = (guid: string, menuGroups: readonly ReturnType<typeof plain>[] = []) => ({
      ...plain(guid),
      menuGroups,
    });
    const plain = (guid: string) => ({
      ...{ guid, multiLocationId: `id of ${guid}`, menuGroups: [], menuItems: inGroup(guid) },
    });
    return {
      restaurantTimeZone: this.zone,
      menus: [
        { menuGroups: [group('group', [plain('subgroup')])] },
        { menuGroups: [group('other group')] },
      ],
      modifierGroupReferences: this.modifierGroups,
      modifierOptionReferences: this.modifierOptions,
      preModifierGroupReferences: this.preModifierGroups,
    };
  }

  // ---- The order

  check(diningOption: string): CheckRequest {
    const count = 1 + this.upTo(3);
    const selections = Array.from({ length: count }, (_, index) => this.selection(index === 0));
    const hasCharges = this.chance(30);
    return {
      selections,
      ...this.chosenDiscounts(selections, diningOption),
      ...(this.chance(6) && { taxExempt: true }),
      appliedServiceCharges: hasCharges
        ? [this.charge(), ...(this.chance(30) ? [this.charge()] : [])]
        : [],
    };
  }

  selection(isFirst: boolean): SelectionRequest {
    if (!isFirst && this.chance(4)) return { selectionType: 'SPECIAL_REQUEST' };
    const { item, menuGroup } = isFirst ? (this.items[0] as WrittenItem) : this.oneOf(this.items);
    this.hasSizes = item.pricingStrategy === 'SIZE_PRICE';
    const modifiers = [
      ...item.modifierGroupReferences.flatMap((reference) =>
        this.modifiers(item, reference, isFirst),
      ),
      ...item.portions.flatMap((portion) => this.portion(item, portion)),
      ...(this.chance(5) ? [{ selectionType: 'SPECIAL_REQUEST' } as const] : []),
    ];
    const isMeasured = item.unitOfMeasure !== 'NONE';
    const isUnknown = isFirst && this.isWrong('NOT_IN_MENU');
    return {
      item: isUnknown ? { guid: '?' } : this.named(item),
      itemGroup: this.named({ guid: menuGroup, multiLocationId: `id of ${menuGroup}` }),
      quantity: isMeasured ? (1 + this.upTo(40_000)) / 10_000 : this.oneOf([1, 1, 2, 3, 5]),
      modifiers,
      ...(this.chance(8) && { diningOption: { guid: this.dining() } }),
      ...(isFirst && this.isWrong('UNKNOWN_DINING_OPTION') && { diningOption: { guid: '?' } }),
      ...(this.chance(60) && { openPriceAmount: this.money(2000) }),
    };
  }

  portion(item: MenuItem, portion: Portion): SelectionRequest[] {
    const modifiers = portion.modifierGroupReferences.flatMap((reference) =>
      this.modifiers(item, reference, false),
    );
    if (modifiers.length === 0) return [];
    return [{ selectionType: 'PORTION', item: { guid: portion.guid }, modifiers }];
  }

  /** Chosen options of a group. */
  modifiers(
    on: MenuItem | ModifierOption,
    reference: number,
    isFirst: boolean,
  ): SelectionRequest[] {
    const group = this.modifierGroups[reference];
    if (!group) return [];
    const isSize = on.pricingRules?.sizeSpecificPricingGuid === group.guid;
    const isOfOption = 'isDefault' in on;
    const count = isSize ? (isOfOption && this.hasSizes ? this.upTo(1) : 1) : this.upTo(3);
    if (isSize && isFirst && this.isWrong('SIZE_MISSING')) return [];
    return Array.from({ length: count }, () => this.modifier(group, isSize));
  }

  modifier(group: ModifierGroup, isSize: boolean): SelectionRequest {
    const option = this.modifierOptions[
      this.oneOf(group.modifierOptionReferences)
    ] as ModifierOption;
    const offered = this.preModifierGroups[group.preModifierGroupReference ?? -1]?.preModifiers;
    const preModifier = offered && !isSize && this.chance(40) ? this.oneOf(offered) : null;
    const isLeftOut = preModifier?.multiplicationFactor === 0 && preModifier.chargeAsExtra !== true;
    const modifiers = isLeftOut
      ? []
      : option.modifierGroupReferences.flatMap((reference) =>
          this.modifiers(option, reference, false),
        );
    return {
      optionGroup: this.named(group),
      item: this.named(option),
      ...(preModifier && { preModifier: this.named(preModifier) }),
      ...(modifiers.length > 0 && { modifiers }),
      ...(this.chance(20) && { openPriceAmount: this.money(500) }),
    };
  }

  charge(): ChargeRequest {
    const amountType = this.oneOf(['PERCENT', 'FIXED', 'OPEN'] as const);
    const charge: ServiceCharge = {
      guid: `charge ${this.serviceCharges.length}`,
      name: 'Charge',
      amountType,
      amount: amountType === 'FIXED' ? this.money(500) : null,
      percent: amountType === 'PERCENT' ? (1 + this.upTo(2999)) / 100 : null,
      gratuity: this.chance(30),
      taxable: this.chance(50),
      applicableTaxes: this.someRates(true).map((guid) => ({ guid })),
      serviceChargeCalculation: this.oneOf(['PRE_DISCOUNT', 'POST_DISCOUNT'] as const),
    };
    this.serviceCharges.push(charge);
    const isUnknown = this.isWrong('UNKNOWN_SERVICE_CHARGE');
    const hasAmount = amountType === 'OPEN' && !this.isWrong('CHARGE_WITHOUT_AMOUNT');
    return {
      serviceCharge: { guid: isUnknown ? '?' : charge.guid },
      ...(hasAmount && { chargeAmount: this.money(500) }),
    };
  }

  // ---- Discounts

  /** Discounts of a check and, written into its selections, of those. */
  chosenDiscounts(selections: SelectionRequest[], diningOption: string) {
    if (!this.chance(60)) return {};
    const applied: DiscountRequest[] = [];
    const isExclusive = this.chance(10);
    if (!isExclusive || this.chance(10)) {
      selections.forEach((selection, index) => {
        if (!selection.item || !this.chance(25)) return;
        const appliedDiscounts = [this.itemDiscount(diningOption)];
        selections[index] = { ...selection, appliedDiscounts };
      });
      const count = this.chance(35) ? 1 + this.upTo(1) : 0;
      for (let index = 0; index < count; index += 1) applied.push(this.bogo(diningOption));
    }
    const count = isExclusive ? 1 : this.upTo(2);
    for (let index = 0; index < count; index += 1) {
      applied.push(this.checkDiscount(diningOption, isExclusive));
    }
    return { appliedDiscounts: applied };
  }

  amountDiscount(
    fields: Pick<Discount, 'selectionType' | 'rule' | 'nonExclusive'>,
  ): DiscountRequest {
    const type = this.isWrong('DISCOUNT_NOT_APPLICABLE')
      ? this.oneOf(['OPEN_PERCENT', 'FIXED_TOTAL'] as const)
      : this.oneOf(['PERCENT', 'FIXED', 'OPEN_FIXED'] as const);
    const discount = this.addDiscount({
      ...fields,
      type,
      percentage: type === 'PERCENT' ? this.oneOf([10, 50, 100, 12.5, 33.33, 2.5]) : null,
      amount: type === 'FIXED' ? 1 / 10 ** this.exponent + this.money(1500) : null,
    });
    if (type !== 'OPEN_FIXED') return discount;
    if (this.isWrong('DISCOUNT_WITHOUT_AMOUNT'))
      return { ...discount, ...this.oneOf([{}, { discountAmount: 0 }]) };
    return { ...discount, discountAmount: (1 + this.upTo(1000)) / 10 ** this.exponent };
  }

  addDiscount(fields: Partial<Discount>): DiscountRequest {
    const guid = `discount ${this.discounts.length}`;
    const none = { percentage: null, amount: null, itemPickingPriority: null, rule: null };
    this.discounts.push({
      ...{ guid, name: guid, type: 'PERCENT', selectionType: 'CHECK', nonExclusive: true },
      ...none,
      ...fields,
    });
    return { discount: { guid: this.isWrong('UNKNOWN_DISCOUNT') ? '?' : guid } };
  }

  itemDiscount(diningOption: string): DiscountRequest {
    const rule = this.chance(25) ? this.rule(diningOption, {}) : null;
    const nonExclusive = !this.chance(10);
    return this.amountDiscount({ selectionType: 'ITEM', rule, nonExclusive });
  }

  checkDiscount(diningOption: string, isExclusive: boolean): DiscountRequest {
    const excluded = this.someTargets();
    const required = this.someTargets();
    const rule = this.chance(40)
      ? this.rule(diningOption, {
          ...{ excludedItems: excluded.items, excludedGroups: excluded.groups },
          ...(this.chance(20) && {
            requiredItems: required.items,
            requiredGroups: required.groups,
          }),
        })
      : null;
    return this.amountDiscount({ selectionType: 'CHECK', rule, nonExclusive: !isExclusive });
  }

  bogo(diningOption: string): DiscountRequest {
    const side = () => ({
      ...(this.chance(25) ? this.someTargets() : { items: [], groups: [] }),
      quantity: 1 + this.upTo(1),
    });
    const isPercent = this.chance(60);
    const value = isPercent ? this.oneOf([100, 50, 33.33]) : this.money(600);
    const amountType = isPercent ? 'PERCENT' : 'FIXED';
    const sides = { buy: side(), get: { ...side(), amountType, value } } as const;
    return this.addDiscount({
      ...{ type: 'BOGO', selectionType: 'BOGO', nonExclusive: !this.chance(10) },
      itemPickingPriority: this.oneOf([
        null,
        'LEAST_EXPENSIVE',
        'MOST_EXPENSIVE',
        'FIRST',
      ] as const),
      rule: this.chance(80) ? { ...this.rule(null, {}), ...sides } : this.rule(diningOption, sides),
    });
  }

  someTargets() {
    const kind = this.upTo(2);
    const { item } = this.oneOf(this.items);
    return {
      items: kind > 0 ? [item.guid] : [],
      groups: kind !== 1 ? [this.oneOf(['subgroup', 'group', 'other group'])] : [],
    };
  }

  /** A rule that limits nothing without a dining option, and is met mostly. */
  rule(diningOption: string | null, fields: Partial<DiscountRule>): DiscountRule {
    const isMet = !this.isWrong('DISCOUNT_RULE_NOT_MET');
    const limits = diningOption !== null;
    const has = () => limits && this.chance(25);
    return {
      ...{ items: [], groups: [], excludedItems: [], excludedGroups: [] },
      ...{ requiredItems: [], requiredGroups: [], buy: null, get: null },
      minCheckAmount: has() ? this.money(isMet ? 300 : 20_000) : null,
      maxCheckAmount: has()
        ? 30_000 / 10 ** this.exponent - this.money(isMet ? 300 : 29_000)
        : null,
      diningOptions: has()
        ? this.oneOf([[diningOption ?? '', 'delivery'], isMet ? [] : ['?']])
        : [],
      startDate: has() ? this.oneOf([this.now.date, '2026-01-01']) : null,
      endDate: has()
        ? this.oneOf([this.now.date, '2027-01-01', isMet ? '2027-02-01' : '2026-01-01'])
        : null,
      days: has() ? this.days(isMet) : [],
      times: has() ? [this.range(isMet)] : [],
      ...fields,
    };
  }

  configuration(): Configuration {
    const { taxRates, discounts, serviceCharges } = this;
    return { taxRates, discounts, serviceCharges, diningOptions };
  }

  addition(check: CheckRequest | undefined): Addition {
    const count = 1 + this.upTo(1);
    const selections = Array.from({ length: count }, () => this.selection(false));
    const voided = (check?.selections ?? []).flatMap((_, index) =>
      this.chance(25) ? [index] : [],
    );
    const configuration = this.configuration();
    const taxRates = this.taxRates.map((rate) =>
      rate.type === 'PERCENT' && this.chance(50) ? { ...rate, rate: this.percentRate() } : rate,
    );
    const instant = this.instant + this.oneOf([60_000, 3_600_000, 7_200_001]);
    return { ...{ selections, voided, instant }, configuration: { ...configuration, taxRates } };
  }
}
