import type { Operation, Order } from '@servery/contract';
import type { FaultList } from '../../document/faults.ts';
import { Faults } from '../../http/faults.ts';
import type { OrderDeps } from '../order-deps.ts';
import { refuseOrder } from '../order-faults.ts';
import { priceRead } from '../price/price-order.ts';
import { afterStep, readOrder } from '../read-order/read-order.ts';
import { readingContext } from '../read-order/reading-context.ts';
import { judgeOrder, Outdated, type Placing, placedOnWire, placeOrder } from './place-order.ts';

/** When it is placed is in `origin`. */
export interface SentOrder
  extends Pick<Placing, 'clientId' | 'ownerGuid' | 'requestDigest' | 'origin'> {
  readonly restaurantGuid: string;
  readonly body: unknown;
  /** What the schemas found. */
  readonly faults: FaultList;
  readonly operation: Pick<Operation, 'statuses'>;
}

/** Null if it has to be tried again. Throws ApiError with all faults. */
export async function tryToPlace(
  deps: OrderDeps,
  sent: SentOrder,
  isAgain: boolean,
): Promise<Order | null> {
  const { restaurantGuid, body, clientId, ownerGuid, requestDigest, origin } = sent;
  const { database, orderSettings } = deps;
  const faults = new Faults(sent.operation);
  faults.addAll(sent.faults);
  const rest = { nowMs: origin.at.getTime(), isPlaced: true, faults, path: [] };
  const context = await readingContext(deps, restaurantGuid, rest, isAgain);
  const read = readOrder(body, context);
  if (!read) {
    refuseOrder(faults);
    throw new Error('a body that is no order has no faults');
  }
  await afterStep(read);
  const placing: Placing = {
    ...{ deps, context, read, clientId, ownerGuid, requestDigest, origin },
    priced: priceRead(read, context, orderSettings.percentTaxBasis),
  };
  // So that all faults are told at once; without one, they are judged under the lock.
  if (faults.count > 0) await judgeOrder(database.sql, placing, faults);
  refuseOrder(faults);
  try {
    return placedOnWire(await placeOrder(placing), context.restaurant.currencyCode);
  } catch (error) {
    if (error instanceof Outdated) return null;
    throw error;
  }
}
