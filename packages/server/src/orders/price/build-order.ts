import type { MenuItemSelection, ModifierGroup } from '@servery/contract';
import type {
  AppliedTax,
  PricedCheck,
  PricedDiscount,
  PricedModifier,
  PricedOrder,
  PricedSelection,
} from '@servery/pricing';
import { newGuid } from '@servery/support/ids.ts';
import type {
  GuestData,
  MenuReference,
  NamedReference,
  OrderCharge,
  OrderCheck,
  OrderContent,
  OrderDiscount,
  OrderModifier,
  OrderSelection,
  OrderTax,
} from '../order.ts';
import type { ExternalId } from '../order-store.ts';
import type { ReadCharge } from '../read-order/read-charges.ts';
import type { ReadDiscount } from '../read-order/read-discounts.ts';
import type { ReadCheck, ReadOrder } from '../read-order/read-order.ts';
import type { ReadSelection } from '../read-order/read-selection.ts';
import type { ReadingContext } from '../read-order/reading.ts';
import { takesAway } from '../read-order/refuse-wrong-numbers.ts';
import type { StoredCharge, StoredDiscount } from './stored-check.ts';

export interface BuiltOrder {
  readonly content: OrderContent;
  readonly guests: GuestData;
  readonly externalIds: readonly ExternalId[];
}

export interface BuildingContext extends ReadingContext {
  /** Gives the next number to a check without one of its own (ORD-55). */
  readonly nextCheckNumber: () => string;
}

/** Gathers what is told apart from the order: guest data and external ids. */
export interface Gathered {
  readonly customers: Record<string, GuestData['customers'][string]>;
  readonly tabNames: Record<string, string>;
  readonly requests: Record<string, string>;
  readonly externalIds: ExternalId[];
}

export const gatherNothing = (): Gathered => ({
  customers: {},
  tabNames: {},
  requests: {},
  externalIds: [],
});

/** An order without faults, as it is stored and shown. */
export function buildOrder(
  read: ReadOrder & { readonly diningOption: NonNullable<ReadOrder['diningOption']> },
  priced: PricedOrder,
  context: BuildingContext,
): BuiltOrder {
  const { behavior } = read;
  if (!behavior) throw new Error('an order without faults has a dining option');
  const gathered = gatherNothing();
  const checks = read.checks.map((check, index) => {
    const pricedCheck = priced.checks[index];
    if (!pricedCheck) throw new Error('a check without faults was not priced');
    return buildCheck(check, pricedCheck, read, gathered, context);
  });
  const { delivery, curbside } = read;
  const content: OrderContent = {
    diningOption: referenceTo(read.diningOption),
    behavior,
    checks,
    requiredPrepTime: read.requiredPrepTime,
    estimatedAtMs: estimateOf(read, context),
    numberOfGuests: read.numberOfGuests,
    table: read.table && referenceTo(read.table),
    serviceArea: read.serviceArea && referenceTo(read.serviceArea),
    revenueCenter: read.revenueCenter && referenceTo(read.revenueCenter),
    restaurantService: read.restaurantService && referenceTo(read.restaurantService),
    serverGuid: read.serverGuid,
    delivery: delivery && {
      state: 'PENDING',
      dispatchedAtMs: null,
      deliveredAtMs: null,
      employeeGuid: null,
    },
    isCurbsidePickup: curbside !== null,
    voidBusinessDate: null,
    prepMinutes: read.prepMinutes,
    closedOutAtMs: null,
  };
  const { customers, tabNames, requests, externalIds } = gathered;
  return { content, guests: { customers, tabNames, requests, delivery, curbside }, externalIds };
}

const referenceTo = ({ guid, externalId }: NamedReference): NamedReference => ({
  guid,
  externalId,
});

const MINUTE_MS = 60_000;

/** ORD-68. */
function estimateOf(
  { behavior, promisedAtMs, openedAtMs, prepMinutes }: ReadOrder,
  { restaurant: { prepTimes }, nowMs }: ReadingContext,
): number | null {
  if (behavior === 'DINE_IN') return null;
  if (promisedAtMs !== null) return promisedAtMs;
  const { takeoutThrottlingTime, deliveryThrottlingTime } = prepTimes;
  const throttling =
    (behavior === 'DELIVERY' ? deliveryThrottlingTime : takeoutThrottlingTime) ?? 0;
  return (openedAtMs ?? nowMs) + (prepMinutes + throttling) * MINUTE_MS;
}

function buildCheck(
  check: ReadCheck,
  priced: PricedCheck,
  order: ReadOrder,
  gathered: Gathered,
  context: BuildingContext,
): OrderCheck {
  const { nowMs } = context;
  const guid = newGuid();
  const { externalId, customer, tabName } = check;
  if (externalId !== null) gathered.externalIds.push({ kind: 'CHECK', externalId, guid });
  const customerGuid = customer && newGuid();
  if (customer) gathered.customers[guid] = customer;
  if (tabName !== null) gathered.tabNames[guid] = tabName;
  const sources = check.selections.map((read) => ({ read }));
  const selections = buildSelections(sources, priced, gathered, context);
  return {
    guid,
    externalId,
    displayNumber: check.displayNumber ?? context.nextCheckNumber(),
    openedAtMs: check.openedAtMs ?? order.openedAtMs ?? nowMs,
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
    paidAtMs: null,
    closedAtMs: null,
    voidedAtMs: null,
    voidBusinessDate: null,
    customerGuid,
    taxExempt: check.taxExempt,
    selections,
    ...pricedPartsOf(priced, selections),
    paymentStatus: 'OPEN',
  };
}

/** What a price of a check has beside its selections. */
export function pricedPartsOf(
  priced: PricedCheck,
  selections: readonly OrderSelection[],
): Pick<
  OrderCheck,
  | 'appliedDiscounts'
  | 'appliedServiceCharges'
  | 'amountMinor'
  | 'taxMinor'
  | 'totalMinor'
  | 'gratuityMinor'
> {
  const { appliedDiscounts, appliedServiceCharges } = priced;
  const { amountMinor, taxMinor, totalMinor, gratuityMinor } = priced;
  return {
    appliedDiscounts: appliedDiscounts.map((each) => discountOf(each, selections)),
    appliedServiceCharges: appliedServiceCharges.map((each): OrderCharge => {
      const { chargeMinor } = each;
      const appliedTaxes = each.appliedTaxes.map(taxOf);
      if ('stored' in each.request) {
        return { ...(each.request as StoredCharge).stored, chargeMinor, appliedTaxes };
      }
      const { charge, externalId } = each.request as ReadCharge;
      return {
        guid: newGuid(),
        externalId,
        serviceCharge: referenceTo(charge),
        name: charge.name,
        type: charge.amountType,
        openAmount: each.request.chargeAmount ?? null,
        delivery: charge.criteria.delivery,
        takeout: charge.criteria.takeout,
        dineIn: charge.criteria.dineIn,
        gratuity: charge.gratuity,
        taxable: charge.taxable,
        calculation: charge.serviceChargeCalculation,
        chargeMinor,
        appliedTaxes,
      };
    }),
    amountMinor,
    taxMinor,
    totalMinor,
    gratuityMinor,
  };
}

/** Where a priced selection comes from: the request, or the stored parts of an earlier one. */
export type Source =
  | { readonly read: ReadSelection }
  | { readonly parts: readonly [OrderSelection, ...OrderSelection[]] };

/** In the order of the prices, which has the parts that discounts split off (ORD-33). */
export function buildSelections(
  sources: readonly Source[],
  priced: PricedCheck,
  gathered: Gathered,
  context: BuildingContext,
): OrderSelection[] {
  const guidsOfParts = new Map<number, string[]>();
  const placed = priced.selections.map((one) => {
    const source = sources[one.requestIndex];
    if (!source) throw new Error('a price is of no selection');
    const guids = guidsOfParts.get(one.requestIndex) ?? [];
    const stored = 'parts' in source ? (source.parts[guids.length] ?? null) : null;
    const guid = stored?.guid ?? newGuid();
    guids.push(guid);
    guidsOfParts.set(one.requestIndex, guids);
    return { one, source, stored, guid };
  });
  const originOf = (requestIndex: number) => guidsOfParts.get(requestIndex)?.[0] ?? null;
  const built = placed.map(({ one, source, stored, guid }): OrderSelection => {
    const { quantity, isSplit, resolved } = one;
    const place = { guid, quantity, isSplit, host: null, isTakenAway: false };
    const made =
      'parts' in source
        ? { ...again(stored ?? source.parts[0], one, quantity), guid }
        : buildModifier(source.read, one, place, gathered, context);
    return {
      ...made,
      externalId: isSplit ? null : made.externalId,
      preDiscountPriceMinor: one.preDiscountPriceMinor,
      taxMinor: one.taxMinor,
      appliedTaxes: one.appliedTaxes.map(taxOf),
      resolved: { ...resolved, quantity },
      appliedDiscounts: [],
      splitOriginGuid: isSplit ? originOf(one.requestIndex) : null,
    };
  });
  return built.map((selection, at) => ({
    ...selection,
    appliedDiscounts: (priced.selections[at]?.appliedDiscounts ?? []).map((each) =>
      discountOf(each, built),
    ),
  }));
}

/** A stored selection or modifier with the price that it has now. */
function again<Stored extends OrderModifier>(
  stored: Stored,
  priced: PricedModifier,
  quantity: number,
): Stored {
  return {
    ...stored,
    quantity,
    preDiscountPriceMinor: priced.priceMinor,
    priceMinor: priced.priceMinor,
    modifiers: stored.modifiers.map((each, index) =>
      again(each, priced.modifiers[index] ?? FREE, quantity),
    ),
  };
}

interface Placed {
  readonly guid: string;
  readonly quantity: number;
  readonly isSplit: boolean;
  /** What a modifier is put on; null on top level. */
  readonly host: Entry | null;
  /** Whether a pre-modifier leaves it out. */
  readonly isTakenAway: boolean;
}

type Entry = NonNullable<ReadSelection['entry']>;

function buildModifier(
  read: ReadSelection,
  priced: PricedSelection | PricedModifier,
  { guid, quantity, isSplit, host, ...placed }: Placed,
  gathered: Gathered,
  context: BuildingContext,
): OrderModifier {
  const { entry, portion, optionGroup, preModifier, selectionType } = read;
  // Only the first part of what a discount split keeps the client's name for it.
  const externalId = isSplit ? null : read.externalId;
  if (externalId !== null) gathered.externalIds.push({ kind: 'SELECTION', externalId, guid });
  const isTakenAway = placed.isTakenAway || takesAway(preModifier);
  const isRequest = selectionType === 'SPECIAL_REQUEST';
  if (isRequest && read.displayName !== null) gathered.requests[guid] = read.displayName;
  const menuReference = (object: Identified | null): MenuReference | null =>
    object && {
      guid: object.guid,
      externalId: context.menus?.externalIds.get(object.guid) ?? null,
      multiLocationId: object.multiLocationId ?? null,
    };
  return {
    guid,
    externalId,
    item: menuReference(entry ?? portion),
    itemGroup: menuReference(read.itemGroup),
    optionGroup: menuReference(optionGroup),
    preModifier: menuReference(preModifier),
    quantity,
    selectionType,
    displayName: isRequest ? null : nameOf(entry ?? portion, preModifier),
    diningOption: read.diningOption && referenceTo(read.diningOption),
    deferred: read.deferred,
    unitOfMeasure: entry?.unitOfMeasure ?? 'NONE',
    plu: entry?.plu ?? '',
    premodifierPlu: preModifier?.plu ?? null,
    salesCategoryGuid: entry?.salesCategory?.guid ?? null,
    taxInclusion: optionGroup || host ? 'INHERITED' : inclusionOf(entry),
    optionGroupPricingMode: entry && optionGroup ? modeOf(entry, optionGroup, host) : null,
    fulfillmentStatus: 'NEW',
    voidReasonGuid: null,
    stockItemGuid: isTakenAway ? null : (entry?.guid ?? null),
    voidedAtMs: null,
    voidBusinessDate: null,
    createdAtMs: context.nowMs,
    modifiedAtMs: context.nowMs,
    receiptLinePriceMinor: priced.receiptLinePriceMinor,
    preDiscountPriceMinor: priced.priceMinor,
    priceMinor: priced.priceMinor,
    taxMinor: 0,
    appliedTaxes: [],
    modifiers: read.modifiers.map((modifier, index) => {
      const price = priced.modifiers[index] ?? FREE;
      const place = { guid: newGuid(), quantity, isSplit, host: entry ?? host, isTakenAway };
      return buildModifier(modifier, price, place, gathered, context);
    }),
  };
}

interface Identified {
  readonly guid: string;
  readonly multiLocationId?: string;
}

const FREE: PricedModifier = { receiptLinePriceMinor: 0, priceMinor: 0, modifiers: [] };

function nameOf(
  entry: { readonly name: string } | null,
  preModifier: ReadSelection['preModifier'],
): string {
  const name = entry?.name ?? '';
  if (!preModifier) return name;
  const { displayMode, name: word } = preModifier;
  return displayMode === 'PREFIX' ? `${word} ${name}` : `${name} ${word}`;
}

function inclusionOf(entry: ReadSelection['entry']): MenuItemSelection['taxInclusion'] {
  const isIncluded = entry && 'taxInclusion' in entry && entry.taxInclusion === 'TAX_INCLUDED';
  return isIncluded ? 'INCLUDED' : 'NOT_INCLUDED';
}

/** What a modifier group does to the price of what its options are put on. */
function modeOf(
  entry: Entry,
  { guid, pricingStrategy }: ModifierGroup,
  host: Entry | null,
): MenuItemSelection['optionGroupPricingMode'] {
  const isSize = host?.pricingRules?.sizeSpecificPricingGuid === guid;
  if (isSize && host.pricingStrategy === 'SIZE_PRICE') return 'REPLACES_PRICE';
  if (entry.pricingStrategy !== 'GROUP_PRICE') return 'ADJUSTS_PRICE';
  return pricingStrategy === 'NONE' && entry.price === 0 ? 'INCLUDED' : 'FIXED_PRICE';
}

function taxOf({ taxRate, name, type, rate, taxMinor }: AppliedTax): OrderTax {
  return { guid: newGuid(), taxRateGuid: taxRate, name, rate, taxMinor, type };
}

function discountOf(
  { discount, name, type, percentage, request, ...amounts }: PricedDiscount,
  selections: readonly OrderSelection[],
): OrderDiscount {
  const stored = 'stored' in request ? (request as StoredDiscount).stored : null;
  const sent = request as ReadDiscount;
  if (type === 'OPEN_PERCENT' || type === 'FIXED_TOTAL') {
    throw new Error(`a discount of the kind ${type} was priced`);
  }
  return {
    guid: stored?.guid ?? newGuid(),
    externalId: stored ? stored.externalId : sent.externalId,
    discountGuid: discount,
    name,
    type,
    percentage,
    openAmount: type === 'OPEN_FIXED' ? (request.discountAmount ?? null) : null,
    promoCode: stored ? stored.promoCode : sent.promoCode,
    discountMinor: amounts.discountMinor,
    nonTaxDiscountMinor: amounts.nonTaxDiscountMinor,
    triggers: amounts.triggers.flatMap(({ selection, quantity }) => {
      const selectionGuid = selections[selection]?.guid;
      return selectionGuid === undefined ? [] : [{ selectionGuid, quantity }];
    }),
    isVoided: false,
  };
}
