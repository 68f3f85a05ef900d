import type {
  DiscountRequest,
  FaultReason,
  Identified,
  MenuGroup,
  MenuItem,
  ModifierGroup,
  ModifierOption,
  Portion,
  PreModifier,
  PricingContext,
  Reference,
  SelectionRequest,
} from '../../src/index.ts';
import { decimalOf, type Exact, minor, product, rounded, whole } from './exact.ts';
import type { Feature } from './features.ts';
import { holds, localTime } from './time.ts';

export type Meet = (feature: Feature) => void;

/** A selection as the menu prices it. */
export interface ModelSelection {
  readonly requestIndex: number;
  readonly itemGuid: string | null;
  readonly groupGuids: readonly string[];
  readonly quantity: Exact;
  readonly isMeasured: boolean;
  readonly isDiscountable: boolean;
  readonly isTaxIncluded: boolean;
  readonly isTakeOut: boolean;
  readonly isVoided: boolean;
  readonly ownPrice: bigint;
  readonly lines: readonly ModelLine[];
  readonly modifiers: readonly ModelModifier[];
  readonly appliedDiscounts: readonly DiscountRequest[];
}

/** What is taxed together, for one. */
interface ModelLine {
  readonly unit: bigint;
  readonly rates: readonly string[];
}

export interface ModelModifier {
  readonly ownPrice: bigint;
  readonly unit: bigint;
  readonly modifiers: readonly ModelModifier[];
}

/** Thrown for an order that pricing refuses, with the reasons. */
export class Refusal extends Error {
  readonly reasons: readonly FaultReason[];

  constructor(...reasons: readonly FaultReason[]) {
    super(reasons.join(', '));
    this.reasons = reasons;
  }
}

type Modifier = OptionModifier | PortionModifier | RequestModifier;

interface RequestModifier {
  readonly kind: 'request';
  readonly modifiers: readonly Modifier[];
}

interface PortionModifier {
  readonly kind: 'portion';
  readonly portion: Portion;
  readonly modifiers: readonly Modifier[];
}

interface OptionModifier {
  readonly kind: 'option';
  readonly request: SelectionRequest;
  readonly group: ModifierGroup;
  readonly option: ModifierOption;
  readonly preModifier: PreModifier | null;
  readonly modifiers: readonly Modifier[];
  price: bigint;
}

/** What modifiers are put on. */
interface Host {
  readonly entry: MenuItem | ModifierOption;
  readonly modifiers: readonly Modifier[];
}

export function modelSelection(
  request: SelectionRequest,
  requestIndex: number,
  orderDiningOption: Reference,
  context: PricingContext,
  meet: Meet,
): ModelSelection {
  const { configuration } = context;
  const quantity = decimalOf(request.quantity ?? 1);
  const dining = request.diningOption ?? orderDiningOption;
  const option = configuration.diningOptions.find(({ guid }) => guid === dining.guid);
  if (!option) throw new Refusal('UNKNOWN_DINING_OPTION');
  if (request.diningOption) meet('selection: dining option of its own');
  if (option.behavior === 'TAKE_OUT' && option.curbside) meet('tax: curbside');
  const isTakeOut = option.behavior === 'TAKE_OUT' && !option.curbside;
  const appliedDiscounts = request.appliedDiscounts ?? [];
  const always = { requestIndex, quantity, isTakeOut, isVoided: false, appliedDiscounts };
  if (request.selectionType === 'SPECIAL_REQUEST') {
    meet('selection: special request');
    const free = { ownPrice: 0n, lines: [{ unit: 0n, rates: [] }], modifiers: [] };
    const nothing = { itemGuid: null, groupGuids: [], isMeasured: false };
    return { ...always, ...nothing, ...free, isDiscountable: true, isTaxIncluded: false };
  }
  const found = findItem(request, context);
  const modifiers = (request.modifiers ?? []).map((modifier) =>
    findModifier(modifier, found.item, null, context),
  );
  const pricing = new SelectionPrices({ entry: found.item, modifiers }, context, meet);
  const ownPrice = pricing.ofItem(request);
  pricing.ofModifiers();
  const lines = linesOf(found.item, ownPrice, modifiers, context, meet);
  const unit = lines.reduce((total, line) => total + line.unit, 0n);
  if (unit < 0n) throw new Refusal('BELOW_ZERO');
  for (const guid of lines.flatMap(({ rates }) => rates)) {
    const rate = configuration.taxRates.find((one) => one.guid === guid);
    if (!rate) throw new Refusal('UNKNOWN_TAX_RATE');
    if (rate.type === 'TABLE' && found.item.taxInclusion === 'TAX_INCLUDED') {
      throw new Refusal('TABLE_TAX_INCLUDED');
    }
  }
  const isMeasured = found.item.unitOfMeasure !== 'NONE';
  if (isMeasured) meet('quantity: measured');
  if (!isMeasured && quantity.over > quantity.under) meet('quantity: above one');
  if (found.item.taxInclusion === 'SMART_TAX') meet('tax: smart');
  return {
    ...always,
    itemGuid: found.item.guid,
    groupGuids: found.groupGuids,
    isMeasured,
    isDiscountable: found.item.isDiscountable,
    isTaxIncluded: found.item.taxInclusion === 'TAX_INCLUDED',
    ownPrice,
    lines,
    modifiers: modifiers.map(shownModifier),
  };
}

// ---- What the request names

function isNamed(named: Identified, reference: Reference | null | undefined): boolean {
  const { guid = null, multiLocationId = null } = reference ?? {};
  if (guid === null && multiLocationId === null) return false;
  return (
    (guid === null || guid === named.guid) &&
    (multiLocationId === null || multiLocationId === named.multiLocationId)
  );
}

function findItem({ item, itemGroup }: SelectionRequest, { menus }: PricingContext) {
  const search = (groups: readonly MenuGroup[], above: readonly string[]): Found | null => {
    for (const group of groups) {
      const groupGuids = [group.guid, ...above];
      const found = group.menuItems.find((one) => isNamed(one, item));
      if (found && isNamed(group, itemGroup)) return { item: found, groupGuids };
      const below = search(group.menuGroups, groupGuids);
      if (below) return below;
    }
    return null;
  };
  for (const menu of menus.menus) {
    const found = search(menu.menuGroups, []);
    if (found) return found;
  }
  throw new Refusal('NOT_IN_MENU');
}

interface Found {
  readonly item: MenuItem;
  readonly groupGuids: readonly string[];
}

/** A modifier of `on`, or of a portion of `on`. */
function findModifier(
  request: SelectionRequest,
  on: MenuItem | ModifierOption,
  portion: Portion | null,
  context: PricingContext,
): Modifier {
  const below = (entry: MenuItem | ModifierOption, part: Portion | null) =>
    (request.modifiers ?? []).map((one) => findModifier(one, entry, part, context));
  if (request.selectionType === 'SPECIAL_REQUEST') return { kind: 'request', modifiers: [] };
  if (request.selectionType === 'PORTION') {
    const named = on.portions.find(({ guid }) => guid === request.item?.guid);
    if (!named) throw new Refusal('NOT_IN_MENU');
    return { kind: 'portion', portion: named, modifiers: below(on, named) };
  }
  const { menus } = context;
  const group = (portion ?? on).modifierGroupReferences
    .map((reference) => menus.modifierGroupReferences[reference])
    .find((one) => one && isNamed(one, request.optionGroup));
  const option = group?.modifierOptionReferences
    .map((reference) => menus.modifierOptionReferences[reference])
    .find((one) => one && isNamed(one, request.item));
  if (!group || !option) throw new Refusal('NOT_IN_MENU');
  let preModifier: PreModifier | null = null;
  if (request.preModifier) {
    const offered = menus.preModifierGroupReferences[group.preModifierGroupReference ?? -1];
    const named = offered?.preModifiers.find((one) => isNamed(one, request.preModifier));
    if (!named) throw new Refusal('NOT_IN_MENU');
    preModifier = named;
  }
  const modifiers = below(option, null);
  return { kind: 'option', request, group, option, preModifier, modifiers, price: 0n };
}

/** ORD-28: "NO bacon". */
function isLeftOut({ preModifier }: OptionModifier): boolean {
  return preModifier?.multiplicationFactor === 0 && preModifier.chargeAsExtra !== true;
}

/** The options put on something, those of its portions too, in the order of the request. */
function optionsOn(modifiers: readonly Modifier[]): OptionModifier[] {
  return modifiers.flatMap((one) =>
    one.kind === 'option' ? [one] : one.kind === 'portion' ? optionsOn(one.modifiers) : [],
  );
}

/** What the default options of a host come to, by the GUIDs of groups and options. */
interface Defaults {
  readonly takenFree: Set<string>;
  readonly credits: Map<string, bigint>;
}

// ---- ORD-26 to 29

class SelectionPrices {
  readonly top: Host;
  readonly context: PricingContext;
  readonly meet: Meet;
  readonly nextPlace = new Map<string, number>();

  constructor(top: Host, context: PricingContext, meet: Meet) {
    this.top = top;
    this.context = context;
    this.meet = meet;
  }

  ofItem(request: SelectionRequest): bigint {
    const { entry, modifiers } = this.top;
    if (entry.pricingStrategy !== 'SIZE_PRICE') return this.ofEntry(entry, request);
    const size = chosenIn(entry.pricingRules?.sizeSpecificPricingGuid, modifiers);
    if (!size) throw new Refusal('SIZE_MISSING');
    this.meet('price: by size');
    return this.minor(size.option.price ?? 0);
  }

  /** Prices that depend on no size. */
  ofEntry(entry: MenuItem | ModifierOption, request: SelectionRequest | null): bigint {
    const { price, pricingStrategy, pricingRules } = entry;
    if (pricingStrategy === 'OPEN_PRICE') {
      const amount = request?.openPriceAmount ?? null;
      this.meet(amount === null ? 'price: open without an amount' : 'price: open');
      return this.minor(amount ?? 0);
    }
    if (pricingStrategy === 'TIME_SPECIFIC_PRICE') {
      const now = localTime(this.context.instant, this.context.menus.restaurantTimeZone);
      const rule = pricingRules?.timeSpecificPricingRules.find(({ schedule }) =>
        schedule.some(({ days, timeRanges }) => timeRanges.some((one) => holds(one, days, now))),
      );
      this.meet(rule ? 'price: time rule holds' : 'price: no time rule holds');
      const ranges = rule?.schedule.flatMap(({ timeRanges }) => timeRanges) ?? [];
      if (ranges.some(({ start, end }) => end < start)) this.meet('price: over midnight');
      if (rule) return this.minor(rule.timeSpecificPrice);
    }
    if (price === null) {
      if (entry === this.top.entry) throw new Refusal('UNPRICED');
      return 0n;
    }
    if (pricingStrategy === 'BASE_PRICE') this.meet('price: base');
    if (pricingStrategy === 'MENU_SPECIFIC_PRICE') this.meet('price: for the menu');
    return this.minor(price);
  }

  ofModifiers(): void {
    this.ofHost(this.top, whole(1n));
  }

  /** Prices what is put on a host, depth first. */
  ofHost(host: Host, scale: Exact): void {
    const defaults = { takenFree: new Set<string>(), credits: this.creditsOf(host) };
    this.ofList(host, host.modifiers, scale, defaults);
  }

  ofList(host: Host, modifiers: readonly Modifier[], scale: Exact, defaults: Defaults): void {
    for (const modifier of modifiers) {
      if (modifier.kind === 'portion') {
        const factor = modifier.portion.priceScaleFactor;
        this.meet(factor === null ? 'portion: not scaled' : 'portion: scaled');
        const scaled = factor === null ? scale : product(scale, decimalOf(factor));
        this.ofList(host, modifier.modifiers, scaled, defaults);
      }
      if (modifier.kind === 'option') {
        const price = this.ofOption(host, modifier, defaults);
        modifier.price = rounded(product(whole(price), scale), 'HALF_UP');
        if (modifier.modifiers.length > 0) this.meet('option: nested');
        this.ofHost({ entry: modifier.option, modifiers: modifier.modifiers }, scale);
      }
    }
  }

  /** ORD-27 and ORD-28. */
  ofOption(host: Host, modifier: OptionModifier, { takenFree, credits }: Defaults): bigint {
    const { group, option, preModifier } = modifier;
    if (isSizeOf(host.entry, group)) return 0n;
    if (isLeftOut(modifier)) {
      this.meet('pre-modifier: left out');
      return 0n;
    }
    const key = `${group.guid} ${option.guid}`;
    const isDefault = option.isDefault && group.defaultOptionsChargePrice === 'NO';
    const isFree = isDefault && !takenFree.has(key);
    if (isFree) this.meet('option: free default');
    else if (isDefault) this.meet('option: default taken twice');
    takenFree.add(key);
    let base = isFree ? 0n : this.ofPortion(modifier);
    const credit = credits.get(group.guid) ?? 0n;
    if (base > 0n && credit > 0n) {
      const paid = credit < base ? credit : base;
      this.meet('option: substituted');
      credits.set(group.guid, credit - paid);
      base -= paid;
    }
    if (!preModifier) return base;
    if (preModifier.chargeAsExtra === true) {
      this.meet('pre-modifier: extra');
      if (group.pricingStrategy.includes('SEQUENCE'))
        this.meet('pre-modifier: extra in a sequence');
      if (isFree) this.meet('pre-modifier: extra of a free default');
      return base + (this.ofFreeOption(modifier) ?? this.ofPortion(modifier));
    }
    const { fixedPrice, multiplicationFactor } = preModifier;
    if (multiplicationFactor === null) {
      this.meet('pre-modifier: fixed');
      return base + this.minor(fixedPrice ?? 0);
    }
    this.meet('pre-modifier: factor');
    return rounded(product(whole(base), decimalOf(multiplicationFactor)), 'HALF_UP');
  }

  /** What an option of a group without charge would cost. */
  ofFreeOption({ group, option }: OptionModifier): bigint | null {
    const priced = this.context.supplement.noChargePrices.find(
      ({ optionGroup, item }) => optionGroup === group.guid && item === option.guid,
    );
    if (!priced) return null;
    this.meet('pre-modifier: extra of a free option');
    return this.minor(priced.price);
  }

  /** One portion of a modifier, which takes a place of a sequence. */
  ofPortion({ group, option, request, modifiers }: OptionModifier): bigint {
    if (!group.pricingStrategy.includes('SEQUENCE')) {
      return this.ofChoice(group, option, request, modifiers);
    }
    const place = this.nextPlace.get(group.guid) ?? 1;
    this.nextPlace.set(group.guid, place + 1);
    const isBySize = group.pricingStrategy === 'SIZE_SEQUENCE_PRICE';
    this.meet(isBySize ? 'option: by size and sequence' : 'option: by sequence');
    const prices = this.groupPrices(group);
    const price = prices.find(({ sequence }) => sequence === place) ?? prices.at(-1);
    if (place > prices.length) this.meet('option: beyond the last place');
    return this.minor(price?.price ?? 0);
  }

  /** One portion of an option that is priced without a sequence. */
  ofChoice(
    group: ModifierGroup,
    option: ModifierOption,
    request: SelectionRequest | null,
    modifiers: readonly Modifier[],
  ): bigint {
    if (group.pricingStrategy === 'SIZE_PRICE') {
      this.meet('option: by size of the item');
      return this.minor(this.groupPrices(group)[0]?.price ?? 0);
    }
    if (option.pricingStrategy === 'GROUP_PRICE') {
      this.meet(option.price === 0 ? 'option: free' : 'option: fixed by its group');
      return this.minor(option.price ?? 0);
    }
    if (option.pricingStrategy === 'SIZE_PRICE') return this.ofSizedOption(option, modifiers);
    if (option.pricingStrategy === 'BASE_PRICE') this.meet('option: individual');
    else this.meet('option: by time or menu');
    if ((option.price ?? 0) < 0) this.meet('option: below zero');
    return this.ofEntry(option, request);
  }

  ofSizedOption(option: ModifierOption, modifiers: readonly Modifier[]): bigint {
    const sizes = option.pricingRules?.sizeSpecificPricingGuid;
    const own = chosenIn(sizes, modifiers);
    if (own) {
      this.meet('option: of a size of its own');
      return this.minor(own.option.price ?? 0);
    }
    const chosen = chosenIn(
      this.top.entry.pricingRules?.sizeSpecificPricingGuid,
      this.top.modifiers,
    );
    const { modifierGroupReferences, modifierOptionReferences } = this.context.menus;
    const group = option.modifierGroupReferences
      .map((reference) => modifierGroupReferences[reference])
      .find((one) => one?.guid === sizes);
    const size = group?.modifierOptionReferences
      .map((reference) => modifierOptionReferences[reference])
      .find((one) => chosen && one?.name === chosen.option.name);
    if (!size) throw new Refusal('SIZE_MISSING');
    this.meet('option: of the item’s size by name');
    return this.minor(size.price ?? 0);
  }

  /** The prices of a group for the chosen size, or for all. */
  groupPrices(group: ModifierGroup) {
    const rules = group.pricingRules?.sizeSequencePricingRules ?? [];
    if (group.pricingStrategy === 'SEQUENCE_PRICE') return rules[0]?.sequencePrices ?? [];
    const size = chosenIn(group.pricingRules?.sizeSpecificPricingGuid, this.top.modifiers);
    const rule = rules.find(({ sizeGuid }) => sizeGuid === size?.option.guid);
    if (!size || !rule) throw new Refusal('SIZE_MISSING');
    return rule.sequencePrices;
  }

  /** What the default options that are left out pay for others of their group. */
  creditsOf(host: Host): Map<string, bigint> {
    const credits = new Map<string, bigint>();
    const chosen = optionsOn(host.modifiers);
    const groups = new Map(chosen.map(({ group }) => [group.guid, group]));
    for (const group of groups.values()) {
      const isPaid =
        group.defaultOptionsChargePrice === 'NO' &&
        group.defaultOptionsSubstitutionPricing === 'YES' &&
        !group.pricingStrategy.includes('SEQUENCE');
      if (!isPaid) continue;
      const kept = chosen
        .filter((one) => one.group.guid === group.guid && !isLeftOut(one))
        .map(({ option }) => option.guid);
      const credit = group.modifierOptionReferences
        .map((reference) => this.context.menus.modifierOptionReferences[reference])
        .filter((option) => option !== undefined)
        .filter(({ isDefault, guid }) => isDefault && !kept.includes(guid))
        .reduce((total, option) => total + this.ofChoice(group, option, null, []), 0n);
      credits.set(group.guid, credit);
    }
    return credits;
  }

  minor(amount: number): bigint {
    return minor(amount, this.context.settings.currencyExponent);
  }
}

function isSizeOf(entry: MenuItem | ModifierOption, group: ModifierGroup): boolean {
  return (
    entry.pricingStrategy === 'SIZE_PRICE' &&
    entry.pricingRules?.sizeSpecificPricingGuid === group.guid
  );
}

function chosenIn(groupGuid: string | null | undefined, modifiers: readonly Modifier[]) {
  return optionsOn(modifiers).find((one) => one.group.guid === groupGuid && !isLeftOut(one));
}

function shownModifier(modifier: Modifier): ModelModifier {
  const modifiers = modifier.modifiers.map(shownModifier);
  const ownPrice = modifier.kind === 'option' ? modifier.price : 0n;
  const unit = modifiers.reduce((total, one) => total + one.unit, ownPrice);
  return { ownPrice, unit, modifiers };
}

// ---- ORD-37

function linesOf(
  item: MenuItem,
  ownPrice: bigint,
  modifiers: readonly Modifier[],
  { supplement }: PricingContext,
  meet: Meet,
): ModelLine[] {
  const lines: { unit: bigint; rates: readonly string[] }[] = [];
  const taxOf = ({ option }: OptionModifier) => option.modifierOptionTaxInfo;
  const isUnique = (one: OptionModifier) =>
    !taxOf(one).overrideItemTaxRates && supplement.uniquelyTaxedItems.includes(one.option.guid);
  /** What is put on something, and the rates that it gives to it. */
  const judge = (entry: MenuItem | ModifierOption, below: readonly Modifier[]) => {
    const put = optionsOn(below).filter((one) => !isLeftOut(one));
    const isSize = (one: OptionModifier) => isSizeOf(entry, one.group);
    const overriding = put.filter((one) => taxOf(one).overrideItemTaxRates && !isSize(one));
    const size = put.find(isSize);
    const doesSizeGive = size && (isUnique(size) || taxOf(size).overrideItemTaxRates);
    if (overriding.length > 1) meet('tax: several overriding modifiers');
    if (doesSizeGive) meet('tax: rates of the size');
    const giver = overriding.length === 1 ? overriding[0] : doesSizeGive ? size : null;
    return { put, size, rates: giver ? taxOf(giver).taxRateGuids : null };
  };
  const add = (
    entry: MenuItem | ModifierOption,
    price: bigint,
    below: readonly Modifier[],
    line: number,
  ) => {
    const mine = lines[line];
    if (mine) mine.unit += price;
    const { put, size } = judge(entry, below);
    for (const one of put) {
      const given = one === size ? null : judge(one.option, one.modifiers).rates;
      const apart = isUnique(one) && one !== size ? taxOf(one).taxRateGuids : null;
      const rates = given ?? apart;
      if (apart) meet('tax: unique modifier');
      if (given) meet('tax: overriding nested modifier');
      let its = line;
      if (rates) its = lines.push({ unit: 0n, rates }) - 1;
      add(one.option, one.price, one.modifiers, its);
    }
  };
  const { rates } = judge(item, modifiers);
  if (rates) meet('tax: overriding modifier');
  lines.push({ unit: 0n, rates: rates ?? item.taxInfo });
  add(item, ownPrice, modifiers, 0);
  return lines;
}
