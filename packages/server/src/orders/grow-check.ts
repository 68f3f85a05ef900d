import { type Order, orderLimits } from '@servery/contract';
import {
  judgeDiscounts,
  localTime,
  type PriceFault,
  priceCheck,
  type ResolvedCheck,
  resolveCheck,
} from '@servery/pricing';
import { ApiError } from '../http/errors.ts';
import { Faults } from '../http/faults.ts';
import { recordReadStock } from '../stock/record.ts';
import { type ChangeRequest, changeOrder } from './change-order.ts';
import { noGuestData, type OrderCheck, type OrderRow, type OrderSelection } from './order.ts';
import type { OrderDeps } from './order-deps.ts';
import { conflicting, pathOf, refuseOrder } from './order-faults.ts';
import type { OrderCause } from './order-observer.ts';
import {
  insertExternalIds,
  listGuestData,
  listTakenExternalIds,
  upsertGuestData,
} from './order-store.ts';
import { Outdated, refuseOutdated, refuseTakenIds, sentIdsOf } from './place/place-order.ts';
import { buildSelections, gatherNothing, pricedPartsOf, type Source } from './price/build-order.ts';
import {
  agreedPricingContextOf,
  notePriceFault,
  priceFaultText,
  selectionForPricing,
} from './price/price-order.ts';
import { reopenCheck, withVoided } from './price/stored-check.ts';
import { changeableOwner } from './reach-orders.ts';
import type { ReadDiscount } from './read-order/read-discounts.ts';
import type { ReadSelection } from './read-order/read-selection.ts';
import type { ReadingContext } from './read-order/reading.ts';
import { readingContext } from './read-order/reading-context.ts';
import { needOf, refuseShortItems, stockAfter } from './stock-need.ts';
import { listStockOf } from './stock-store.ts';
import type { Changing, OrderChange } from './write-change.ts';

/** What operations 7 to 9 add to a check. */
export interface Addition {
  readonly cause: OrderCause;
  readonly selections?: readonly ReadSelection[];
  readonly checkDiscounts?: readonly ReadDiscount[];
  readonly selectionDiscounts?: {
    readonly selectionGuid: string;
    readonly discounts: readonly ReadDiscount[];
  };
}

export type GrowRequest = ChangeRequest & {
  readonly params: { readonly orderGuid: string; readonly checkGuid: string };
  readonly faults: Faults;
};

const TRIES = 5;

/** `read` notes the faults of the body in the context's faults. */
export async function growCheck(
  deps: OrderDeps,
  request: GrowRequest,
  read: (context: ReadingContext) => Addition,
): Promise<Order> {
  const { restaurant, nowMs, operation, params, principal } = request;
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const faults = new Faults(operation);
    faults.addAll(request.faults);
    const rest = { nowMs, isPlaced: true, faults, path: [] };
    const context = await readingContext(deps, restaurant.guid, rest, tried > 1);
    const addition = read(context);
    refuseOrder(faults);
    const named = { orderGuid: params.orderGuid, ownerGuid: changeableOwner(principal) };
    const growing = { deps, context, addition, checkGuid: params.checkGuid };
    try {
      return await changeOrder(deps, request, named, (changing) => grow(growing, changing));
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
    }
  }
  throw new ApiError('conflict', 'Somebody else is changing the restaurant: try again.');
}

interface Growing {
  readonly deps: OrderDeps;
  readonly context: ReadingContext;
  readonly addition: Addition;
  readonly checkGuid: string;
}

async function grow(growing: Growing, changing: Changing): Promise<OrderChange> {
  const { deps, context, addition, checkGuid } = growing;
  const { sql, order, restaurant, origin, news } = changing;
  refuseOutdated(restaurant, context.restaurant);
  const check = requireCheck(order.content.checks, checkGuid);
  if (order.fulfilledAt) {
    throw new ApiError('conflict', 'The order was fulfilled: place a new one.');
  }
  const faults = new Faults({ statuses: [] });
  const selections = addition.selections ?? [];
  const isDiscount = selections.length === 0;
  if (isDiscount && check.paymentStatus !== 'OPEN') {
    throw new ApiError(
      'conflict',
      `The check is ${check.paymentStatus}, so it can't get discounts: only an OPEN check can.`,
    );
  }
  refuseTooMany(order, selections, faults);
  await refuseTaken(growing, changing, faults);
  const needs = needOf(selections);
  const stock = await listStockOf(sql, restaurant.guid, [...needs.keys()]);
  if (deps.orderSettings.stock === 'enforce') refuseShortItems(needs, stock, faults);
  const diningOption = { guid: order.content.diningOption.guid };
  const { grown, gathered } = priceGrown(growing, check, diningOption, faults);
  await insertExternalIds(sql, order, order.guid, gathered.externalIds);
  if (Object.keys(gathered.requests).length > 0) {
    const [guests] = await listGuestData(sql, restaurant.guid, [order.guid]);
    const content = guests?.content ?? noGuestData;
    const requests = { ...content.requests, ...gathered.requests };
    await upsertGuestData(sql, order, { ...content, requests });
  }
  const reason = { cause: 'ORDER', orderGuid: order.guid } as const;
  await recordReadStock(sql, origin, restaurant.guid, stockAfter(needs, stock), reason, news);
  const checks = order.content.checks.map((one) => (one === check ? grown : one));
  return {
    cause: addition.cause,
    details: { checkGuid, totalMinor: grown.totalMinor },
    content: { ...order.content, checks },
  };
}

export function requireCheck(checks: readonly OrderCheck[], checkGuid: string): OrderCheck {
  const guid = checkGuid.toLowerCase();
  const found = checks.find((one) => one.guid === guid);
  if (found) return found;
  throw new ApiError('notFound', 'The order has no such check: check checkGuid in the path.');
}

/** ORD-10. */
function refuseTooMany(
  { content }: OrderRow,
  added: readonly ReadSelection[],
  faults: Faults,
): void {
  const count = content.checks.reduce((sum, check) => sum + check.selections.length, added.length);
  if (added.length === 0 || count <= orderLimits.selections) return;
  faults.add(
    [],
    `would give the order ${count} selections; at most ${orderLimits.selections} are allowed`,
  );
}

/** ORD-52. */
async function refuseTaken(
  { addition, context }: Growing,
  { sql, order }: Changing,
  faults: Faults,
): Promise<void> {
  const sent = sentIdsOf(addition.selections ?? []);
  const taken = await listTakenExternalIds(sql, order, sent);
  const placed = sent.map((one) => ({ ...one, path: [...context.path, ...one.path] }));
  refuseTakenIds(placed, taken, faults);
}

/** ORD-42: what was ordered keeps its price; the rest is computed again. Throws ApiError. */
function priceGrown(
  { deps, context, addition }: Growing,
  check: OrderCheck,
  diningOption: { readonly guid: string },
  faults: Faults,
) {
  const { percentTaxBasis } = deps.orderSettings;
  const pricing = agreedPricingContextOf(context, percentTaxBasis);
  const { configuration, restaurant, nowMs } = context;
  const reopened = reopenCheck(check, configuration);
  const selections = addition.selections ?? [];
  const requests = { selections: selections.map(selectionForPricing) };
  const resolution = resolveCheck(requests, diningOption, '', pricing);
  for (const fault of resolution.faults ?? []) {
    notePriceFault(faults, pathOf(fault.place).slice(1), fault.reason);
  }
  refuseOrder(faults);
  const added = resolution.priced?.selections ?? [];
  // A BOGO on an echoed selection stands on the check (ORD-33).
  const returned = resolution.priced?.appliedDiscounts ?? [];
  const growth: Growth = {
    stored: reopened.check,
    added,
    checkDiscounts: [...(addition.checkDiscounts ?? []), ...returned],
    selectionDiscounts: addition.selectionDiscounts?.discounts ?? [],
    discounted: discountedSelection(addition, reopened.parts),
  };
  const whole = wholeCheck(growth);
  const priced = priceCheck(whole, '', pricing);
  for (const fault of priced.faults ?? []) noteGrowthFault(faults, growth, fault);
  if (priced.priced) {
    const judged = judgeDiscounts(whole, '', {
      discounts: pricing.configuration.discounts,
      diningOptionGuid: diningOption.guid,
      preDiscountMinor: priced.priced.preDiscountMinor,
      now: localTime(nowMs, pricing.menus.restaurantTimeZone),
      currencyExponent: pricing.settings.currencyExponent,
    });
    for (const fault of ofAddition(judged, growth)) noteGrowthFault(faults, growth, fault);
  }
  refuseOrder(faults);
  if (!priced.priced) throw new Error('a check without faults was not priced');
  const sources: Source[] = [
    ...reopened.parts.map((parts) => ({ parts })),
    ...selections.map((read) => ({ read })),
  ];
  const gathered = gatherNothing();
  const building = { ...context, nextCheckNumber: () => '' };
  const built = buildSelections(sources, priced.priced, gathered, building);
  const isSent = check.selections.some(({ fulfillmentStatus: status }) =>
    ['SENT', 'READY'].includes(status),
  );
  const isOld = new Set(check.selections.map(({ guid }) => guid));
  const sent = built.map((one) => (isSent && !isOld.has(one.guid) ? sentToKitchen(one) : one));
  const parts = pricedPartsOf(priced.priced, sent);
  const all = withVoided(check.selections, sent);
  const grown = { ...check, ...parts, selections: all, modifiedAtMs: nowMs };
  return { grown, gathered, currencyCode: restaurant.currencyCode };
}

/** ORD-63. */
const sentToKitchen = (selection: OrderSelection): OrderSelection => ({
  ...selection,
  fulfillmentStatus: 'SENT',
});

interface Growth {
  readonly stored: ResolvedCheck;
  readonly added: ResolvedCheck['selections'];
  readonly checkDiscounts: ResolvedCheck['appliedDiscounts'];
  readonly selectionDiscounts: ResolvedCheck['appliedDiscounts'];
  /** The selection that `selectionDiscounts` are for. */
  readonly discounted: number | null;
}

function discountedSelection(
  { selectionDiscounts }: Addition,
  parts: readonly (readonly OrderSelection[])[],
): number | null {
  if (!selectionDiscounts) return null;
  const { selectionGuid } = selectionDiscounts;
  const index = parts.findIndex((all) => all.some(({ guid }) => guid === selectionGuid));
  if (index >= 0) return index;
  throw new ApiError('notFound', 'The check has no such selection: check selectionGuid.');
}

function wholeCheck(growth: Growth): ResolvedCheck {
  const { stored, added, checkDiscounts, selectionDiscounts, discounted } = growth;
  const own = stored.selections[discounted ?? -1]?.appliedDiscounts ?? [];
  if (own.length + selectionDiscounts.length > 1 && selectionDiscounts.length > 0) {
    throw new ApiError(
      'badRequest',
      'The selection already has a discount, and it can have only one: leave this one out.',
    );
  }
  const first = stored.selections.length;
  return {
    ...stored,
    selections: [
      ...stored.selections.map((one, index) =>
        index === discounted ? { ...one, appliedDiscounts: [...own, ...selectionDiscounts] } : one,
      ),
      ...added.map((one) => ({ ...one, requestIndex: first + one.requestIndex })),
    ],
    appliedDiscounts: [...stored.appliedDiscounts, ...checkDiscounts],
  };
}

/**
 * What was agreed met its rule then (ORD-31), and stays. All discounts together are judged when
 * some are added (ORD-35).
 */
function ofAddition(judged: readonly PriceFault[], growth: Growth): readonly PriceFault[] {
  const added = judged.filter(({ place }) => isOfAddition(pathOf(place), growth));
  const isAlone = growth.checkDiscounts.length + growth.selectionDiscounts.length === 0;
  if (added.length > 0 || (isAlone && bringingDiscounts(growth).length === 0)) return added;
  return judged.filter(({ reason }) => reason === 'DISCOUNT_EXCLUSIVE');
}

function isOfAddition([list, index = -1]: Path, { stored, discounted }: Growth): boolean {
  if (list === 'appliedDiscounts') return Number(index) >= stored.appliedDiscounts.length;
  if (list !== 'selections') return false;
  return Number(index) >= stored.selections.length || index === discounted;
}

/** The body has only what is added. */
function noteGrowthFault(faults: Faults, growth: Growth, { place, reason }: PriceFault): void {
  const path = pathOf(place);
  if (isOfAddition(path, growth)) notePriceFault(faults, placeInBody(path, growth), reason);
  else if (unpublished.includes(reason)) {
    const what = `${place.replace('.', '')} ${priceFaultText(reason)}`;
    conflicting(faults, [], `cannot be priced because of what is on the check: ${what}`);
  } else notePriceFault(faults, bringingDiscounts(growth), reason);
}

const unpublished: readonly PriceFault['reason'][] = [
  'UNKNOWN_DISCOUNT',
  'UNKNOWN_SERVICE_CHARGE',
  'UNKNOWN_TAX_RATE',
];

type Path = ReturnType<typeof pathOf>;

function placeInBody([list, index, ...rest]: Path, growth: Growth): Path {
  const { stored, added } = growth;
  if (list === 'selections') {
    const position = Number(index) - stored.selections.length;
    return position < 0 ? rest.slice(1) : [position, ...rest];
  }
  if (added.length > 0) return bringingDiscounts(growth);
  return [Number(index) - stored.appliedDiscounts.length, ...rest];
}

/** The place of the first added selection with a discount, if there is one. */
function bringingDiscounts({ added }: Growth): Path {
  const first = added.find(({ appliedDiscounts }) => appliedDiscounts.length > 0);
  return first ? [first.requestIndex, 'appliedDiscounts'] : [];
}
