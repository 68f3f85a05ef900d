import { randomUUID } from 'node:crypto';
import type { BackOfficeOrder, Order } from '@servery/contract';
import type { CallOptions, DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import { openOrdering } from './ordering.ts';

const CASH = { type: 'CASH', amount: 1 };
const HOURS_AHEAD_MS = 2 * 3_600_000;

const bodies: Readonly<Record<string, unknown>> = {
  'orders.reject': { reason: 'The kitchen is closed.' },
  'orders.fire': {},
  'orders.hold': {},
  'orders.ready': {},
  'orders.payments.add': CASH,
  'orders.payments.void': { reason: 'It was counted twice.' },
  'orders.selections.void': {},
  'orders.void': { reason: 'The guest left.' },
};

/** Bodies with a wrong value (422). */
export const restaurantOrdersWrong: Readonly<Record<string, unknown>> = {
  'orders.reject': { reason: '' },
  'orders.fire': { selectionGuids: ['soup'] },
  'orders.hold': { selectionGuids: ['soup'] },
  'orders.ready': { selectionGuids: ['soup'] },
  'orders.payments.add': { type: 'GOLD', amount: 1 },
  'orders.payments.void': { reason: '' },
  'orders.selections.void': { voidReasonGuid: 'the guest left' },
  'orders.void': { reason: '' },
};

/** A call about an order at a restaurant that is answered by 200. */
export async function restaurantOrderSample(
  callers: DemoCallers,
  name: string,
): Promise<CallOptions> {
  const [restaurantGuid] = openRestaurants(callers.platform.demo);
  if (name === 'orders.list') return { params: { restaurantGuid } };
  const isManual = name === 'orders.approve' || name === 'orders.reject';
  const order = await placeFuture(callers, restaurantGuid, isManual);
  const options = callOf(restaurantGuid, order, name);
  if (name !== 'orders.payments.void') return options;
  const paid = await ask(callers, 'orders.payments.add', restaurantGuid, order);
  const paymentGuid = paid.order.checks[0]?.payments[0]?.guid ?? '';
  return { ...options, params: { ...options.params, paymentGuid } };
}

/** What the order does not allow anymore (409). */
export async function restaurantOrderConflict(
  callers: DemoCallers,
  name: string,
): Promise<CallOptions | null> {
  const moves = [...Object.keys(bodies), 'orders.approve', 'orders.fulfil'];
  // A selection of a voided order is voided already, which is no conflict.
  if (!moves.includes(name) || name === 'orders.selections.void') return null;
  const [restaurantGuid] = openRestaurants(callers.platform.demo);
  const order = await placeFuture(callers, restaurantGuid, false);
  const options = callOf(restaurantGuid, order, name);
  if (name === 'orders.payments.void') {
    const paid = await ask(callers, 'orders.payments.add', restaurantGuid, order);
    await ask(callers, 'orders.fulfil', restaurantGuid, order);
    const paymentGuid = paid.order.checks[0]?.payments[0]?.guid ?? '';
    return { ...options, params: { ...options.params, paymentGuid } };
  }
  const end = name === 'orders.void' ? 'orders.fulfil' : 'orders.void';
  await ask(callers, end, restaurantGuid, order);
  return options;
}

/** Fills every field of the orders of a restaurant, and gives each answer to `record`. */
export async function walkRestaurantOrders(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const [restaurantGuid] = openRestaurants(callers.platform.demo);
  const client = await callers.as('operator');
  for (const end of ['orders.fulfil', 'orders.void']) {
    const order = await placeFuture(callers, restaurantGuid, false);
    record('BackOfficeOrder', await ask(callers, 'orders.fire', restaurantGuid, order));
    record('BackOfficeOrder', await ask(callers, end, restaurantGuid, order));
    const { params = {} } = callOf(restaurantGuid, order, 'orders.events');
    record('OrderEvent[]', (await client.call('backOffice.orders.events', 200, { params })).json);
  }
  const query = { pageSize: 1 };
  const options = { params: { restaurantGuid }, query };
  record('BackOfficeOrderPage', (await client.call('backOffice.orders.list', 200, options)).json);
}

function callOf(restaurantGuid: string, order: Order, name: string): CallOptions {
  const [check] = order.checks;
  const params = {
    restaurantGuid,
    orderGuid: order.guid ?? '',
    ...(name === 'orders.payments.add' && { checkGuid: check?.guid ?? '' }),
    ...(name === 'orders.selections.void' && { selectionGuid: check?.selections[0]?.guid ?? '' }),
  };
  const json = bodies[name];
  return { params, ...(json === undefined ? {} : { json }) };
}

async function ask(
  callers: DemoCallers,
  name: string,
  restaurantGuid: string,
  order: Order,
): Promise<BackOfficeOrder> {
  const client = await callers.as('operator');
  const options = callOf(restaurantGuid, order, name);
  return (await client.call(`backOffice.${name}`, 200, options)).json as BackOfficeOrder;
}

/** Scheduled, so that the clock does not send it to the kitchen meanwhile. */
async function placeFuture(
  callers: DemoCallers,
  restaurant: string,
  isManual: boolean,
): Promise<Order> {
  const partner = await callers.as('partner');
  const operator = await callers.as('operator');
  const { orderOf } = await openOrdering(partner, restaurant);
  const approve = async (approval: 'auto' | 'manual') => {
    const json = { orders: { approval } };
    const params = { restaurantGuid: restaurant };
    await operator.call('backOffice.restaurants.update', 200, { params, json });
  };
  if (isManual) await approve('manual');
  const { now } = (await operator.call('backOffice.clock.get', 200, {})).json as { now: string };
  const promisedDate = new Date(Date.parse(now) + HOURS_AHEAD_MS).toISOString();
  const json = orderOf({ promisedDate, externalId: `ring:${randomUUID()}` });
  const placed = await partner.call('orders.place', 200, { restaurant, json });
  if (isManual) await approve('auto');
  return placed.json as Order;
}
