import { findReferenced, groupsOf, optionsOf, preModifiersOf } from './find-in-menu.ts';
import { decimal, type Fraction, ONE, times } from './fraction.ts';
import { type ChosenSizes, type Circumstances, sizeGroupOf } from './item-price.ts';
import { applyPreModifier, isSequencePriced, portionPrice, takesAway } from './modifier-price.ts';
import { scale, toMinor } from './round.ts';
import type { TaxedModifier } from './tax-lines.ts';
import type {
  FaultReason,
  MenuItem,
  MenuSupplement,
  ModifierGroup,
  ModifierOption,
  PreModifier,
  SelectionRequest,
} from './types.ts';

/** What all modifiers of a top-level selection share. */
export interface Selecting {
  readonly circumstances: Circumstances;
  readonly supplement: MenuSupplement;
  /** How many places of each sequence are taken, by the GUID of the modifier group. */
  readonly places: Map<string, number>;
  readonly fault: (place: string, reason: FaultReason) => void;
}

/** What modifiers are put on: the item or an option, with its portions. */
interface Host {
  readonly entry: MenuItem | ModifierOption;
  readonly taxRates: readonly string[];
  readonly sizes: ChosenSizes;
  readonly sizeGroupGuid: string | undefined;
  /** The default options that were included free of charge already. */
  readonly usedDefaults: Set<string>;
  /** What default options that were left out still pay for, by the GUID of their group. */
  readonly credits: Map<string, bigint>;
}

/** Where modifiers are put: on the whole of something or on a portion of it. */
interface Target {
  readonly host: Host;
  readonly groups: readonly ModifierGroup[];
  readonly factor: Fraction;
}

interface Choice {
  readonly group: ModifierGroup;
  readonly option: ModifierOption;
  readonly preModifier: PreModifier | null;
}

/** Prices the modifiers of an item, in their order. `sizes` starts with the item's own. */
export function resolveModifiers(
  entry: MenuItem,
  requests: readonly SelectionRequest[],
  sizes: ChosenSizes,
  place: string,
  selecting: Selecting,
): TaxedModifier[] {
  return resolveOn(entry, entry.taxInfo, requests, sizes, ONE, place, selecting);
}

/** The size that was chosen for an entry, if it has sizes. */
export function chosenSize(
  entry: MenuItem | ModifierOption,
  requests: readonly SelectionRequest[],
  { menus }: Circumstances,
): ChosenSizes {
  const group = sizeGroupOf(entry, menus);
  if (!group) return [];
  return requests
    .filter(({ optionGroup }) => findReferenced([group], optionGroup))
    .flatMap(({ item }) => findReferenced(optionsOf(menus, group), item) ?? [])
    .map((option) => ({ groupGuid: group.guid, option }))
    .slice(0, 1);
}

function resolveOn(
  entry: MenuItem | ModifierOption,
  taxRates: readonly string[],
  requests: readonly SelectionRequest[],
  sizes: ChosenSizes,
  factor: Fraction,
  place: string,
  selecting: Selecting,
): TaxedModifier[] {
  const { circumstances } = selecting;
  const groups = groupsOf(circumstances.menus, entry.modifierGroupReferences);
  const host = {
    entry,
    taxRates,
    sizes,
    usedDefaults: new Set<string>(),
    sizeGroupGuid: sizeGroupOf(entry, circumstances.menus)?.guid,
    credits: creditsOf(groups, requests, sizes, circumstances),
  };
  return resolveAll(requests, { host, groups, factor }, place, selecting);
}

function resolveAll(
  requests: readonly SelectionRequest[],
  target: Target,
  place: string,
  selecting: Selecting,
): TaxedModifier[] {
  return requests.map((request, index) =>
    resolveModifier(request, target, `${place}.modifiers[${index}]`, selecting),
  );
}

function resolveModifier(
  request: SelectionRequest,
  target: Target,
  place: string,
  selecting: Selecting,
): TaxedModifier {
  if (request.selectionType === 'SPECIAL_REQUEST') return free;
  if (request.selectionType === 'PORTION') return resolvePortion(request, target, place, selecting);
  const choice = findChoice(request, target.groups, selecting.circumstances);
  if (!choice) {
    selecting.fault(place, 'NOT_IN_MENU');
    return free;
  }
  const { group, option, preModifier } = choice;
  const { host, factor } = target;
  const modifiers = request.modifiers ?? [];
  const sizes = [...chosenSize(option, modifiers, selecting.circumstances), ...host.sizes];
  // Its own place in a sequence comes before those of its modifiers.
  const price = priceOf(choice, request, sizes, target, place, selecting);
  const taxRates = option.modifierOptionTaxInfo.taxRateGuids;
  const inner = resolveOn(option, taxRates, modifiers, sizes, factor, place, selecting);
  return {
    receiptLinePriceMinor: price,
    unitMinor: price + sumOfUnits(inner),
    taxRates,
    taxBehavior: taxBehaviorOf(option, host.taxRates, selecting.supplement),
    isSize: group.guid === host.sizeGroupGuid,
    isPortion: false,
    isTakenAway: takesAway(preModifier),
    modifiers: inner,
  };
}

/** ORD-29: everything on a portion, at whatever depth, costs the portion's share. */
function resolvePortion(
  request: SelectionRequest,
  { host, factor }: Target,
  place: string,
  selecting: Selecting,
): TaxedModifier {
  const portion = findReferenced(host.entry.portions, request.item);
  if (!portion) {
    selecting.fault(place, 'NOT_IN_MENU');
    return free;
  }
  const target = {
    host,
    groups: groupsOf(selecting.circumstances.menus, portion.modifierGroupReferences),
    factor: times(factor, decimal(portion.priceScaleFactor ?? 1)),
  };
  const modifiers = resolveAll(request.modifiers ?? [], target, place, selecting);
  return { ...free, unitMinor: sumOfUnits(modifiers), isPortion: true, modifiers };
}

function priceOf(
  { group, option, preModifier }: Choice,
  { openPriceAmount }: SelectionRequest,
  sizes: ChosenSizes,
  { host, factor }: Target,
  place: string,
  { circumstances, supplement, places, fault }: Selecting,
): number {
  if (group.guid === host.sizeGroupGuid || takesAway(preModifier)) return 0;
  const nextPortion = (): bigint => {
    let sequence = 1;
    if (isSequencePriced(group)) {
      sequence = (places.get(group.guid) ?? 0) + 1;
      places.set(group.guid, sequence);
    }
    const price = portionPrice({ group, option }, sequence, openPriceAmount, sizes, circumstances);
    if (typeof price === 'bigint') return price;
    fault(place, price);
    return 0n;
  };
  const extraPortion = (): bigint => {
    const listed = supplement.noChargePrices.find(
      ({ optionGroup, item }) => optionGroup === group.guid && item === option.guid,
    );
    return listed ? toMinor(listed.price, circumstances.currencyExponent) : nextPortion();
  };
  let price = 0n;
  // A portion has entries of its own for the same group, so GUIDs decide.
  const key = `${group.guid} ${option.guid}`;
  if (option.isDefault && isFreeByDefault(group) && !host.usedDefaults.has(key)) {
    host.usedDefaults.add(key);
  } else {
    price = payFrom(host.credits, group.guid, nextPortion());
  }
  if (preModifier) {
    price = applyPreModifier(price, preModifier, extraPortion, circumstances.currencyExponent);
  }
  return Number(scale(price, factor));
}

/** What is left of a price after the credit of its group has paid for it. */
function payFrom(credits: Map<string, bigint>, groupGuid: string, price: bigint): bigint {
  const credit = credits.get(groupGuid) ?? 0n;
  const paid = price < 0n ? 0n : credit < price ? credit : price;
  credits.set(groupGuid, credit - paid);
  return price - paid;
}

function isFreeByDefault({ defaultOptionsChargePrice }: ModifierGroup): boolean {
  return defaultOptionsChargePrice === 'NO';
}

/** The prices of default options that were left out, where they pay for substitutes. */
function creditsOf(
  groups: readonly ModifierGroup[],
  requests: readonly SelectionRequest[],
  sizes: ChosenSizes,
  circumstances: Circumstances,
): Map<string, bigint> {
  const credits = new Map<string, bigint>();
  const direct = requests.flatMap((one) =>
    one.selectionType === 'PORTION' ? (one.modifiers ?? []) : one,
  );
  for (const group of groups) {
    if (group.defaultOptionsSubstitutionPricing === 'NO' || !isFreeByDefault(group)) continue;
    if (isSequencePriced(group)) continue;
    const chosen = direct.flatMap((one) => findChoice(one, [group], circumstances) ?? []);
    const kept = new Set(
      chosen.filter((one) => !takesAway(one.preModifier)).map(({ option }) => option.guid),
    );
    for (const option of optionsOf(circumstances.menus, group)) {
      if (!option.isDefault || kept.has(option.guid)) continue;
      const price = portionPrice({ group, option }, 1, null, sizes, circumstances);
      if (typeof price !== 'bigint') continue;
      credits.set(group.guid, (credits.get(group.guid) ?? 0n) + price);
    }
  }
  return credits;
}

function findChoice(
  { optionGroup, item, preModifier }: SelectionRequest,
  groups: readonly ModifierGroup[],
  { menus }: Circumstances,
): Choice | undefined {
  const group = findReferenced(groups, optionGroup);
  const option = group && findReferenced(optionsOf(menus, group), item);
  if (!option) return undefined;
  if (!preModifier) return { group, option, preModifier: null };
  const found = findReferenced(preModifiersOf(menus, group), preModifier);
  return found && { group, option, preModifier: found };
}

function taxBehaviorOf(
  { guid, modifierOptionTaxInfo: { taxRateGuids, overrideItemTaxRates } }: ModifierOption,
  hostRates: readonly string[],
  { uniquelyTaxedItems }: MenuSupplement,
): TaxedModifier['taxBehavior'] {
  if (overrideItemTaxRates) return 'OVERRIDE';
  const isOfHost =
    taxRateGuids.every((rate) => hostRates.includes(rate)) &&
    hostRates.every((rate) => taxRateGuids.includes(rate));
  return !isOfHost || uniquelyTaxedItems.includes(guid) ? 'UNIQUE' : 'INHERIT';
}

function sumOfUnits(modifiers: readonly TaxedModifier[]): number {
  return modifiers.reduce((sum, { unitMinor }) => sum + unitMinor, 0);
}

/** A special request, and the form of a portion. */
const free: TaxedModifier = {
  receiptLinePriceMinor: 0,
  unitMinor: 0,
  taxRates: [],
  taxBehavior: 'INHERIT',
  modifiers: [],
  isSize: false,
  isPortion: false,
  isTakenAway: false,
};
