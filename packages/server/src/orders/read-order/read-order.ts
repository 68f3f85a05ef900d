import { type CheckRequest, type OrderRequest, orderLimits } from '@servery/contract';
import { nextTurn } from '@servery/support/runner.ts';
import { isJsonObject } from '../../http/json-object.ts';
import type { Behavior, GuestData, NamedReference } from '../order.ts';
import { OrderRefused } from '../order-observer.ts';
import { minutesOf } from '../times.ts';
import { Part } from './part.ts';
import { type ReadCharge, readCharges } from './read-charges.ts';
import { type ReadDiscount, readDiscounts } from './read-discounts.ts';
import { readCurbside, readCustomer, readDelivery, readPersonText } from './read-guests.ts';
import { type ReadPayment, readPayments } from './read-payments.ts';
import type { ReadSelection } from './read-selection.ts';
import { readSelections } from './read-selections.ts';
import { readTimeField } from './read-time.ts';
import { type ReadingContext, readNamed, readText, refuseUnsupported } from './reading.ts';

/** An order as it was sent, with what its references name. */
export interface ReadOrder {
  readonly externalId: string | null;
  readonly diningOption: (NamedReference & { readonly curbside: boolean }) | null;
  readonly behavior: Behavior | null;
  readonly checks: readonly ReadCheck[];
  readonly openedAtMs: number | null;
  readonly promisedAtMs: number | null;
  readonly requiredPrepTime: string | null;
  readonly prepMinutes: number;
  readonly numberOfGuests: number;
  readonly table: NamedReference | null;
  readonly serviceArea: NamedReference | null;
  readonly revenueCenter: NamedReference | null;
  readonly restaurantService: NamedReference | null;
  readonly serverGuid: string | null;
  readonly delivery: GuestData['delivery'];
  readonly curbside: GuestData['curbside'];
}

export interface ReadCheck {
  readonly part: Part<CheckRequest>;
  readonly externalId: string | null;
  readonly openedAtMs: number | null;
  readonly selections: readonly ReadSelection[];
  readonly customer: GuestData['customers'][string] | null;
  readonly appliedDiscounts: readonly ReadDiscount[];
  readonly appliedServiceCharges: readonly ReadCharge[];
  readonly payments: readonly ReadPayment[];
  readonly taxExempt: boolean;
  readonly tabName: string | null;
  readonly displayNumber: string | null;
}

/** Working through fewer takes no more than a few milliseconds. */
const LONG_SELECTIONS = 100;

/** Between two steps of the work on an order: after a long one, other requests have their turn. */
export async function afterStep({ checks }: ReadOrder): Promise<void> {
  const count = checks.reduce((sum, { selections }) => sum + selections.length, 0);
  if (count >= LONG_SELECTIONS) await nextTurn();
}

/** Notes every fault of the body (ORD-2). Throws only if it has no checks to speak of (ORD-11). */
export function readOrder(body: unknown, context: ReadingContext): ReadOrder | null {
  const { faults, path } = context;
  if (!isJsonObject(body)) return null;
  const order = new Part<OrderRequest>(body as OrderRequest, path, faults);
  refuseUnsupported(order, 'marketplaceFacilitatorTaxInfo');
  const count = order.count('checks');
  if (count > orderLimits.checks) {
    throw new OrderRefused(
      'invalid',
      'payloadTooLarge',
      `The order has ${count} checks; at most ${orderLimits.checks} are allowed: send several ` +
        'orders.',
    );
  }
  order.require('checks');
  if (order.isSound('checks') && order.get('checks')?.length === 0) {
    order.fault('must have at least one check', 'checks');
  }
  const diningOption = readDiningOption(order, context);
  return finishOrder(order, diningOption, context);
}

function finishOrder(
  order: Part<OrderRequest>,
  diningOption: ReturnType<typeof readDiningOption>,
  context: ReadingContext,
): ReadOrder {
  const { configuration } = context;
  const behavior = diningOption?.behavior ?? null;
  const table = readNamed(order, 'table', configuration.tables);
  const ofTable = {
    serviceArea: configuration.serviceAreas.get(table?.serviceArea ?? ''),
    revenueCenter: configuration.revenueCenters.get(table?.revenueCenter ?? ''),
  };
  const checks = order.parts('checks').map((check) => readCheck(check, behavior, context));
  const selections = checks.reduce((sum, check) => sum + check.part.count('selections'), 0);
  if (selections > orderLimits.selections) {
    order.fault(
      `have ${selections} selections; at most ${orderLimits.selections} are allowed in an order`,
      'checks',
    );
  }
  const delivery = behavior === 'DELIVERY' ? readDelivery(order) : null;
  return {
    externalId: context.isPlaced ? readText(order, 'externalId') : null,
    diningOption,
    behavior,
    checks,
    ...readTimes(order, context),
    ...readPrepTime(order, behavior, context),
    numberOfGuests: order.get('numberOfGuests') ?? 1,
    table,
    serviceArea:
      readNamed(order, 'serviceArea', configuration.serviceAreas) ?? ofTable.serviceArea ?? null,
    revenueCenter:
      readNamed(order, 'revenueCenter', configuration.revenueCenters) ??
      ofTable.revenueCenter ??
      null,
    restaurantService: readNamed(order, 'restaurantService', configuration.restaurantServices),
    serverGuid: order.get('server')?.guid.toLowerCase() ?? null,
    delivery,
    curbside: readCurbside(order),
  };
}

function readDiningOption(order: Part<OrderRequest>, { configuration }: ReadingContext) {
  order.require('diningOption', 'is required and missing: send {"guid": …} of a dining option');
  return readNamed(order, 'diningOption', configuration.diningOptions);
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const YEAR_MINUTES = 365 * 24 * 60;

/** ORD-20. */
function readTimes(order: Part<OrderRequest>, { nowMs }: ReadingContext) {
  const openedAtMs = readTimeField(order, 'openedDate');
  const promisedAtMs = readTimeField(order, 'promisedDate');
  if (openedAtMs !== null && openedAtMs < nowMs - 24 * HOUR_MS) {
    order.fault('must not be more than 24 hours ago', 'openedDate');
  }
  if (openedAtMs !== null && openedAtMs > nowMs + 365 * 24 * HOUR_MS) {
    order.fault('must not be more than 365 days ahead', 'openedDate');
  }
  if (promisedAtMs !== null && openedAtMs !== null && promisedAtMs < openedAtMs) {
    order.fault('must not be before openedDate', 'promisedDate');
  } else if (promisedAtMs !== null && promisedAtMs < nowMs - 5 * MINUTE_MS) {
    order.fault('must not be more than five minutes ago', 'promisedDate');
  }
  return { openedAtMs, promisedAtMs };
}

/** ORD-11. The restaurant's own time counts if none is sent. */
function readPrepTime(
  order: Part<OrderRequest>,
  behavior: Behavior | null,
  { restaurant: { prepTimes } }: ReadingContext,
) {
  const sent = order.get('requiredPrepTime');
  const minutes = sent === undefined ? 0 : minutesOf(sent);
  if (minutes === null || minutes < 0 || minutes > YEAR_MINUTES || minutes % 5 !== 0) {
    order.fault(
      'must be a multiple of five minutes, for example PT15M, and at most 365 days',
      'requiredPrepTime',
    );
  } else if (sent !== undefined && minutes > 0) {
    return { requiredPrepTime: sent, prepMinutes: minutes };
  }
  const { takeoutPrepTime, deliveryPrepTime } = prepTimes;
  const usual = { DINE_IN: 0, TAKE_OUT: takeoutPrepTime, DELIVERY: deliveryPrepTime };
  return { requiredPrepTime: null, prepMinutes: (behavior && usual[behavior]) ?? 0 };
}

function readCheck(
  check: Part<CheckRequest>,
  behavior: Behavior | null,
  context: ReadingContext,
): ReadCheck {
  refuseUnsupported(check, 'appliedLoyaltyInfo');
  return {
    part: check,
    externalId: context.isPlaced ? readText(check, 'externalId') : null,
    openedAtMs: readTimeField(check, 'openedDate'),
    selections: readSelections(check.parts('selections'), context),
    customer: readCustomer(check, behavior),
    appliedDiscounts: readDiscounts(check.parts('appliedDiscounts'), context),
    appliedServiceCharges: readCharges(check, behavior, context),
    payments: context.isPlaced ? readPayments(check.parts('payments'), context) : [],
    taxExempt: check.get('taxExempt') ?? false,
    tabName: readPersonText(check, 'tabName'),
    displayNumber: readText(check, 'displayNumber'),
  };
}
