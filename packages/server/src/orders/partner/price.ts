import type { FaultList } from '../../document/faults.ts';
import { Faults } from '../../http/faults.ts';
import { refusingItself } from '../../http/look-further.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { orderOnWire } from '../on-wire.ts';
import type { OrderDeps } from '../order-deps.ts';
import { refuseOrder } from '../order-faults.ts';
import { buildOrder } from '../price/build-order.ts';
import { priceRead } from '../price/price-order.ts';
import { afterStep, readOrder } from '../read-order/read-order.ts';
import { readingContext } from '../read-order/reading-context.ts';
import { needOf, refuseShortItems } from '../stock-need.ts';
import { listStockOf } from '../stock-store.ts';

export function priceOrderHandler(deps: OrderDeps): HandlerOf<'orders.price'> {
  return refusingItself(async ({ restaurant, body, operation, faults: found, nowMs }) => {
    const faults = withoutPayments(found, new Faults(operation));
    const rest = { nowMs, isPlaced: false, faults, path: [] };
    const context = await readingContext(deps, restaurant.guid, rest);
    const { orderSettings, database } = deps;
    const { percentTaxBasis } = orderSettings;
    const read = readOrder(body, context);
    if (read) await afterStep(read);
    const priced = read && priceRead(read, context, percentTaxBasis);
    if (read && orderSettings.stock === 'enforce') {
      const needs = needOf(read.checks.flatMap(({ selections }) => selections));
      const stock = await listStockOf(database.sql, restaurant.guid, [...needs.keys()]);
      refuseShortItems(needs, stock, faults);
    }
    refuseOrder(faults);
    if (!read?.diningOption || !priced) throw new Error('an order without faults was not priced');
    await afterStep(read);
    const building = { ...context, nextCheckNumber: () => '' };
    const { diningOption } = read;
    const { content, guests } = buildOrder({ ...read, diningOption }, priced, building);
    await afterStep(read);
    const order = {
      content,
      openedAt: dateOf(read.openedAtMs),
      promisedAt: dateOf(read.promisedAtMs),
    };
    const { currencyCode } = context.restaurant;
    return { json: orderOnWire(order, { currencyCode, guests, payments: [], isStored: false }) };
  });
}

const dateOf = (atMs: number | null) => (atMs === null ? null : new Date(atMs));

/** ORD-43: whatever is in them, the payments of an order don't matter for its price. */
function withoutPayments(found: FaultList, faults: Faults): Faults {
  for (const { kind, path, message } of found.kept) {
    if (path[0] === 'checks' && path[2] === 'payments') continue;
    if (kind === 'missing') faults.addMissing(path, message);
    else faults.add(path, message);
  }
  return faults;
}
