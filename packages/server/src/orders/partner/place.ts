import { attestEntries, originOf } from '../../audit/origin.ts';
import { ApiError } from '../../http/errors.ts';
import { isJsonObject } from '../../http/json-object.ts';
import { refusingItself } from '../../http/look-further.ts';
import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import { type OrderDeps, ownerOf } from '../order-deps.ts';
import { OrderRefused } from '../order-observer.ts';
import { listTakenExternalIds } from '../order-store.ts';
import { TakenOrder } from '../place/place-order.ts';
import { tryToPlace } from '../place/try-to-place.ts';
import { digestOfRequest } from '../request-digest.ts';
import { showOrder } from '../show-order.ts';

/** What an order was read by seldom changes twice while it is placed. */
const TRIES = 5;

export function placeOrderHandler(deps: OrderDeps): HandlerOf<'orders.place'> {
  return refusingItself(async (request) => {
    const { restaurant, body, faults, operation, principal } = request;
    const { clientId } = principal;
    const ownerGuid = ownerOf(principal);
    const requestDigest = digestOfRequest(deps.vault, body);
    const attest = attestEntries(deps.vault);
    const origin = originOf({ ...request, by: clientId, attest }, deps.realClock);
    const sent = {
      ...{ restaurantGuid: restaurant.guid, body, faults, operation },
      ...{ clientId, ownerGuid, requestDigest, origin },
    };
    try {
      for (let tried = 1; tried <= TRIES; tried += 1) {
        const order = await tryToPlace(deps, sent, tried > 1);
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
      const repeated = await repeatedOrder(deps, request, refusal, requestDigest);
      if (repeated) {
        request.note({ isRepeat: true });
        return { json: repeated };
      }
      if (refusal instanceof OrderRefused) deps.observer?.refused(refusal.reason);
      if (refusal instanceof TakenOrder) deps.observer?.refused('repeated');
      throw refusal;
    }
  });
}

type PlaceRequest = RequestFor<'orders.place'>;

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
