import { attestEntries, originOf } from '../../audit/origin.ts';
import { ApiError } from '../../http/errors.ts';
import { Faults } from '../../http/faults.ts';
import { isJsonObject } from '../../http/json-object.ts';
import { refusingItself } from '../../http/look-further.ts';
import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import { type OrderDeps, ownerOf } from '../order-deps.ts';
import { refuseOrder } from '../order-faults.ts';
import { OrderRefused } from '../order-observer.ts';
import { listTakenExternalIds } from '../order-store.ts';
import {
  judgeOrder,
  Outdated,
  type Placing,
  placedOnWire,
  placeOrder,
  TakenOrder,
} from '../place/place-order.ts';
import { priceRead } from '../price/price-order.ts';
import { afterStep, readOrder } from '../read-order/read-order.ts';
import { readingContext } from '../read-order/reading-context.ts';
import { digestOfRequest } from '../request-digest.ts';
import { showOrder } from '../show-order.ts';

/** What an order was read by seldom changes twice while it is placed. */
const TRIES = 5;

export function placeOrderHandler(deps: OrderDeps): HandlerOf<'orders.place'> {
  return refusingItself(async (request) => {
    const { restaurant, body, faults, principal } = request;
    const ownerGuid = ownerOf(principal);
    const digest = digestOfRequest(deps.vault, body);
    try {
      for (let tried = 1; tried <= TRIES; tried += 1) {
        const order = await tryToPlace(deps, request, { ownerGuid, digest });
        if (!order) continue;
        deps.observer?.changed('placed');
        return { json: order };
      }
      faults.refuse();
      throw new OrderRefused(
        'busy',
        'conflict',
        `The restaurant ${restaurant.guid} is being changed by somebody else: send the order again.`,
      );
    } catch (error) {
      const refusal = await refusalOf(deps, request, ownerGuid, error);
      const repeated = await repeatedOrder(deps, request, refusal, digest);
      if (repeated) return { json: repeated };
      if (refusal instanceof OrderRefused) deps.observer?.refused(refusal.reason);
      if (refusal instanceof TakenOrder) deps.observer?.refused('repeated');
      throw refusal;
    }
  });
}

type PlaceRequest = RequestFor<'orders.place'>;

/** Null if it has to be tried again. */
async function tryToPlace(
  deps: OrderDeps,
  request: PlaceRequest,
  { ownerGuid, digest }: { readonly ownerGuid: string; readonly digest: Buffer },
) {
  const { restaurant, body, operation, nowMs, principal } = request;
  const { database, orderSettings } = deps;
  const faults = new Faults(operation);
  faults.addAll(request.faults);
  const rest = { nowMs, isPlaced: true, faults, path: [] };
  const context = await readingContext(deps, restaurant.guid, rest);
  const read = readOrder(body, context);
  if (!read) {
    refuseOrder(faults);
    throw new Error('a body that is no order has no faults');
  }
  await afterStep(read);
  const priced = priceRead(read, context, orderSettings.percentTaxBasis);
  const attest = attestEntries(deps.vault);
  const placing: Placing = {
    deps,
    context,
    read,
    priced,
    ownerGuid,
    clientId: principal.clientId,
    requestDigest: digest,
    origin: originOf({ ...request, by: principal.clientId, attest }, deps.realClock),
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

/**
 * ORD-52: a taken identifier counts before all else, even if the body is faulty. An order without
 * faults is refused under the lock.
 */
async function refusalOf(
  { database: { sql } }: OrderDeps,
  { restaurant, body }: PlaceRequest,
  ownerGuid: string,
  error: unknown,
): Promise<unknown> {
  const isRefused = error instanceof ApiError && error.errorClass !== 'unavailable';
  const externalId: unknown = isJsonObject(body) ? body.externalId : null;
  if (!isRefused || error instanceof TakenOrder || typeof externalId !== 'string') return error;
  const owner = { restaurantGuid: restaurant.guid, ownerGuid };
  const [first] = await listTakenExternalIds(sql, owner, [{ kind: 'ORDER', externalId }]);
  return first ? new TakenOrder(first.guid) : error;
}

/** The stored order as it is now, if `orders.repeat` says so and the request is the same. */
async function repeatedOrder(
  deps: OrderDeps,
  { restaurant }: PlaceRequest,
  error: unknown,
  digest: Buffer,
) {
  if (!(error instanceof TakenOrder) || deps.orderSettings.repeat !== 'replay') return null;
  const shown = await showOrder(deps, restaurant, error.orderGuid, 'everything');
  return shown?.row.requestDigest.equals(digest) ? shown.order : null;
}
