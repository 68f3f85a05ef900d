import { partnerEventTypes, webhookDeliveryStates } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import { type ListPosition, type ListQuery, readInstantParameter } from '../../http/list-query.ts';
import type { BackOfficeRequest, OperationHandlers } from '../../http/operation.ts';
import { answerPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { readGuidFilter } from '../../http/read-query.ts';
import type { Reach } from '../../reach/reach.ts';
import {
  type DeliveryFilter,
  type DeliveryView,
  findDelivery,
  listAttempts,
  listDeliveries,
} from '../delivery/delivery-store.ts';
import { dropDelivery } from '../delivery/drop-delivery.ts';
import { noSuchDelivery } from '../delivery/refusals.ts';
import { authorityOf, type EndpointRouteDeps } from './endpoint-routes.ts';
import { attemptOnWire, deliveryOnWire } from './present-delivery.ts';
import { readReason } from './read-body.ts';

const names = ['endpointGuid', 'state', 'eventGuid', 'eventType', 'since', 'pageSize'] as const;
type Name = (typeof names)[number];

/** As many as the contract says; more of one delivery are rare. */
const ATTEMPTS_SHOWN = 100;

/** The operations of the back office on deliveries: what waits, what failed, and every attempt. */
export function deliveryHandlers(
  deps: EndpointRouteDeps,
): Pick<OperationHandlers, `backOffice.webhooks.deliveries.${'list' | 'get' | 'drop'}`> {
  const { sql } = deps.database;
  const tokens = pageTokens<ListPosition<Name, string>>(
    deps.vault,
    'backOffice.webhooks.deliveries',
  );
  return {
    'backOffice.webhooks.deliveries.list': ({ query, reach }) =>
      answerPage(query, {
        names,
        tokens,
        list: (asked, after, limit) => listDeliveries(sql, readFilter(asked, reach), after, limit),
        placeOf: ({ guid }: DeliveryView) => guid,
        onWire: deliveryOnWire,
      }),
    'backOffice.webhooks.deliveries.get': async (request) => {
      const guid = deliveryGuidOf(request);
      // One instant for both: else its last attempt is there, and it seems to wait all the same.
      const { delivery, attempts } = await deps.database.transaction(
        async (snapshot) => {
          const delivery = await findDelivery(snapshot, guid, request.reach);
          if (!delivery) throw noSuchDelivery();
          return { delivery, attempts: await listAttempts(snapshot, delivery, ATTEMPTS_SHOWN) };
        },
        { isolation: 'repeatable read', readOnly: true },
      );
      const { body } = delivery;
      return {
        json: { ...deliveryOnWire(delivery), body, attempts: attempts.map(attemptOnWire) },
      };
    },
    'backOffice.webhooks.deliveries.drop': async (request) => {
      const reason = readReason(request.body);
      const authority = authorityOf(request, deps.realClock);
      const dropped = await dropDelivery(deps, deliveryGuidOf(request), reason, authority);
      return { json: deliveryOnWire(dropped) };
    },
  };
}

function deliveryGuidOf({ params }: BackOfficeRequest): string {
  const guid = parseGuid(params.deliveryGuid ?? '');
  if (guid === null) throw noSuchDelivery();
  return guid;
}

function readFilter(query: ListQuery<Name>, reach: Reach): DeliveryFilter {
  return {
    reach,
    endpointGuid: readGuidFilter('endpointGuid', query.endpointGuid),
    state: readOneOf('state', query.state, webhookDeliveryStates),
    eventGuid: readGuidFilter('eventGuid', query.eventGuid),
    eventType: readOneOf('eventType', query.eventType, partnerEventTypes),
    since: readInstantParameter('since', query.since),
  };
}

function readOneOf<Value extends string>(
  name: string,
  text: string | undefined,
  values: readonly Value[],
): Value | null {
  if (text === undefined) return null;
  const found = values.find((value) => value === text);
  if (found !== undefined) return found;
  throw new ApiError('badRequest', `${name} must be one of ${values.join(', ')}.`);
}
