import type {
  ModifierGroup,
  ModifierOption,
  OrderConfigReferenceRequest,
  ResolvedMenuItem,
  ResolvedPreModifier,
  SelectionRequest,
} from '@servery/contract';
import { orderLimits } from '@servery/contract';
import { amountOnWire } from '../../payments/life/money.ts';
import {
  type Finder,
  indexOf,
  modifierGroupsOf,
  optionsOf,
  type PublishedMenus,
  preModifiersOf,
} from './menu-index.ts';
import type { Part } from './part.ts';
import { type ReadDiscount, readDiscounts } from './read-discounts.ts';
import { readPersonText } from './read-guests.ts';
import { readMoney } from './read-money.ts';
import type { ReadSelection } from './read-selection.ts';
import { type ReadingContext, readNamed, readText, refuseUnsupported } from './reading.ts';
import { refuseWrongNumbers } from './refuse-wrong-numbers.ts';

type Entry = ResolvedMenuItem | ModifierOption;

/** What modifiers are put on: the whole of an entry, or a portion of it. */
interface Host {
  readonly entry: Entry;
  readonly groups: readonly ModifierGroup[];
  readonly isPortion: boolean;
  readonly level: number;
  /** Of the top-level selection. */
  readonly quantity: number;
}

/** ORD-12 to ORD-18. */
export function readSelections(
  parts: readonly Part<SelectionRequest>[],
  context: ReadingContext,
): ReadSelection[] {
  return parts.flatMap((part) => readSelection(part, context) ?? []);
}

function readSelection(
  part: Part<SelectionRequest>,
  context: ReadingContext,
): ReadSelection | null {
  const common = readCommon(part, context);
  const { selectionType, quantity } = common;
  if (part.get('preModifier')) part.fault('can be only on modifiers: leave it out', 'preModifier');
  if (selectionType === 'PORTION') {
    part.fault('can be PORTION only in modifiers: send NONE', 'selectionType');
    return null;
  }
  if (selectionType === 'SPECIAL_REQUEST') return readRequest(part, common);
  const found = readItem(part, context);
  if (!found || !context.menus) return null;
  const { entry, itemGroup } = found;
  if (entry.unitOfMeasure === 'NONE' && !Number.isInteger(quantity)) {
    part.fault('must be a whole number, because this item is not sold by measure', 'quantity');
  }
  const appliedDiscounts = readOwnDiscounts(part, context);
  const groups = modifierGroupsOf(context.menus.document, entry.modifierGroupReferences);
  const host = { entry, groups, isPortion: false, level: 1, quantity };
  const modifiers = readModifiers(part, host, context);
  return {
    ...common,
    entry,
    itemGroup,
    deferred: part.get('deferred') ?? entry.isDeferred,
    openPriceAmount: readOpenPrice(part, entry, context),
    appliedDiscounts,
    modifiers,
  };
}

/** ORD-22. An echoed BOGO names what triggered it (ORD-33). */
function readOwnDiscounts(part: Part<SelectionRequest>, context: ReadingContext): ReadDiscount[] {
  const discounts = readDiscounts(part.parts('appliedDiscounts'), context);
  if (discounts.length > 1) {
    part.fault('can have only one discount: send one', 'appliedDiscounts');
  }
  for (const { discount, part: applied } of discounts) {
    const { type } = context.configuration.discounts.get(discount.guid ?? '') ?? {};
    if (type === 'BOGO' && !applied.get('triggers')) {
      applied.fault('is a BOGO: send it in appliedDiscounts of the check', 'discount');
    }
  }
  return discounts;
}

function readCommon(part: Part<SelectionRequest>, context: ReadingContext) {
  refuseUnsupported(part, 'externalPriceAmount');
  const quantity = part.get('quantity') ?? 1;
  if (!hasFourDecimals(quantity)) part.fault('must have at most four decimals', 'quantity');
  return {
    part,
    externalId: context.isPlaced ? readText(part, 'externalId') : null,
    selectionType: part.get('selectionType') ?? 'NONE',
    quantity,
    entry: null,
    portion: null,
    itemGroup: null,
    optionGroup: null,
    preModifier: null,
    displayName: null,
    diningOption: readNamed(part, 'diningOption', context.configuration.diningOptions),
    openPriceAmount: null,
    deferred: part.get('deferred') ?? false,
    appliedDiscounts: [],
    splitOrigin: part.get('splitOrigin') ?? null,
    modifiers: [],
  } satisfies ReadSelection;
}

function hasFourDecimals(quantity: number): boolean {
  return Math.abs(quantity * 10_000 - Math.round(quantity * 10_000)) < 1e-6;
}

/** ORD-12. */
function readItem(part: Part<SelectionRequest>, { menus }: ReadingContext) {
  const of = menus && indexOf(menus.document);
  part.require('item', 'is required and missing: send {"guid": …} of a menu item');
  part.require('itemGroup', 'is required and missing: send {"guid": …} of its menu group');
  const itemGroup = find(part, 'itemGroup', of?.groups, 'menu group of a published menu');
  const item = find(part, 'item', of?.items, 'item of a published menu');
  if (!itemGroup || !item) return null;
  const entry = itemGroup.menuItems.find(({ guid }) => guid === item.guid);
  if (entry) return { entry, itemGroup };
  part.fault('is not in the menu group of itemGroup: send the group that lists it', 'item');
  return null;
}

/** ORD-14. */
function readOpenPrice(
  part: Part<SelectionRequest>,
  entry: Entry,
  { restaurant: { currencyCode } }: ReadingContext,
): number | null {
  if (entry.pricingStrategy !== 'OPEN_PRICE') return null;
  const name = isEchoOfOpenPrice(part) ? 'receiptLinePrice' : 'openPriceAmount';
  const amountMinor = readMoney(part, name, currencyCode);
  return amountMinor === null ? null : amountOnWire(amountMinor, currencyCode);
}

/** ORD-4: answers have an open price as the price of the line, but a pre-modifier changes that. */
function isEchoOfOpenPrice(part: Part<SelectionRequest>): boolean {
  const isAbsent = part.isSound('openPriceAmount') && part.get('openPriceAmount') === undefined;
  return isAbsent && !part.get('preModifier') && typeof part.get('receiptLinePrice') === 'number';
}

/** ORD-18. Its text belongs to the guest. */
function readRequest(part: Part<SelectionRequest>, common: ReadSelection): ReadSelection {
  if (part.get('item')) part.fault('must be absent on a SPECIAL_REQUEST', 'item');
  if (part.count('modifiers') > 0) {
    part.fault('must be empty on a SPECIAL_REQUEST', 'modifiers');
  }
  const displayName = readPersonText(part, 'displayName');
  if (displayName === null && part.isSound('displayName')) {
    part.fault('is required for a SPECIAL_REQUEST: send its text', 'displayName');
  }
  return { ...common, displayName };
}

function readModifiers(
  part: Part<SelectionRequest>,
  host: Host,
  context: ReadingContext,
): ReadSelection[] {
  const parts = part.parts('modifiers');
  if (host.level > orderLimits.modifierLevels && parts.length > 0) {
    part.fault(`are nested deeper than ${orderLimits.modifierLevels} levels`, 'modifiers');
    return [];
  }
  const modifiers = parts.flatMap((each) => readModifier(each, host, context) ?? []);
  // Of faulty modifiers, nobody can say how many they are.
  const isWhole = modifiers.length === part.count('modifiers') && part.isSound('modifiers');
  if (isWhole && !host.isPortion) refuseWrongNumbers(part, host.groups, modifiers);
  return modifiers;
}

function readModifier(
  part: Part<SelectionRequest>,
  host: Host,
  context: ReadingContext,
): ReadSelection | null {
  const read = readCommon(part, context);
  if (part.count('appliedDiscounts') > 0) {
    part.fault('can be only on top-level selections: discount those', 'appliedDiscounts');
  }
  if (part.get('quantity') !== undefined && read.quantity !== host.quantity) {
    part.fault('must equal that of the top-level selection: leave it out', 'quantity');
  }
  const common = { ...read, quantity: host.quantity };
  if (common.selectionType === 'SPECIAL_REQUEST') return readRequest(part, common);
  if (common.selectionType === 'PORTION') return readPortion(part, common, host, context);
  return readOption(part, common, host, context);
}

function readPortion(
  part: Part<SelectionRequest>,
  common: ReadSelection,
  host: Host,
  context: ReadingContext,
): ReadSelection | null {
  const guid = part.get('item')?.guid?.toLowerCase();
  if (guid === undefined && part.isSound('item')) {
    part.fault('is required and missing: send {"guid": …} of a portion', 'item');
  }
  if (guid === undefined || !context.menus) return null;
  const portion = host.isPortion ? undefined : host.entry.portions.find((one) => one.guid === guid);
  if (!portion) {
    part.fault('is not a portion of the item that it is on: send one of its portions', 'item');
    return null;
  }
  const groups = modifierGroupsOf(context.menus.document, portion.modifierGroupReferences);
  const inner = { ...host, groups, isPortion: true, level: host.level + 1 };
  return { ...common, portion, modifiers: readModifiers(part, inner, context) };
}

/** ORD-16. */
function readOption(
  part: Part<SelectionRequest>,
  common: ReadSelection,
  host: Host,
  context: ReadingContext,
): ReadSelection | null {
  const { menus } = context;
  if (!menus) return null;
  const { document } = menus;
  const of = indexOf(document);
  part.require('item', 'is required and missing: send {"guid": …} of an option');
  part.require('optionGroup', 'is required and missing: send {"guid": …} of a modifier group');
  const named = find(part, 'optionGroup', of.modifierGroups, 'modifier group of a published menu');
  const item = find(part, 'item', of.items, 'item of a published menu');
  if (!named || !item) return null;
  const group = host.groups.find(({ guid }) => guid === named.guid);
  if (!group) {
    part.fault(
      'does not apply to the item or modifier that it is on: send one that does',
      'optionGroup',
    );
    return null;
  }
  const entry = optionsOf(document, group).find(({ guid }) => guid === item.guid);
  if (!entry) {
    part.fault(
      'is not an option of the modifier group in optionGroup: send one of its options',
      'item',
    );
    return null;
  }
  const preModifier = readPreModifier(part, group, menus);
  const groups = modifierGroupsOf(document, entry.modifierGroupReferences);
  const inner = { ...host, entry, groups, isPortion: false, level: host.level + 1 };
  return {
    ...common,
    entry,
    optionGroup: group,
    preModifier,
    openPriceAmount: readOpenPrice(part, entry, context),
    modifiers: readModifiers(part, inner, context),
  };
}

function readPreModifier(
  part: Part<SelectionRequest>,
  group: ModifierGroup,
  { document }: PublishedMenus,
): ResolvedPreModifier | null {
  const { preModifiers } = indexOf(document);
  const named = find(part, 'preModifier', preModifiers, 'pre-modifier of a published menu');
  if (!named) return null;
  const found = preModifiersOf(document, group).find(({ guid }) => guid === named.guid);
  if (!found)
    part.fault(
      'is not a pre-modifier of the modifier group: send one of its pre-modifiers',
      'preModifier',
    );
  return found ?? null;
}

type Named = 'item' | 'itemGroup' | 'optionGroup' | 'preModifier';

/** ORD-5. Notes a fault unless the reference names something. */
function find<T extends { readonly guid: string; readonly multiLocationId: string }>(
  part: Part<SelectionRequest>,
  name: Named,
  finder: Finder<T> | null | undefined,
  what: string,
): T | null {
  const sent: OrderConfigReferenceRequest | undefined = part.get(name);
  if (!sent) return null;
  const { guid, multiLocationId } = sent;
  if (!guid && !multiLocationId) {
    part.fault('has no guid and no multiLocationId: send one of them', name);
    return null;
  }
  const found = guid
    ? finder?.byGuid(guid.toLowerCase())
    : finder?.byMultiLocationId(multiLocationId ?? '');
  if (!found) {
    part.notThere(`is unknown: this restaurant has no such ${what}`, name);
    return null;
  }
  if (guid && multiLocationId && found.multiLocationId !== multiLocationId) {
    part.fault(
      'has the guid of one object and the multiLocationId of another: send only one of them',
      name,
    );
    return null;
  }
  return found;
}
