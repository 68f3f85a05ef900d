import { insertEntry } from '../../audit/entry-store.ts';
import type { Database, Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { Reach } from '../../reach/reach.ts';
import type { EndpointAuthority } from '../endpoints/endpoints.ts';
import { type DeliveryView, findDelivery, updateDeliveryDropped } from './delivery-store.ts';

/** Leaves a dropped one unchanged. Throws ApiError `notFound`, `conflict` if delivered. */
export async function dropDelivery(
  { database }: { readonly database: Database },
  guid: string,
  reason: string,
  { reach, origin }: EndpointAuthority,
): Promise<DeliveryView> {
  return await database.transaction(async (sql) => {
    const delivery = await findManagedDelivery(sql, guid, reach);
    if (delivery.state === 'DROPPED') return delivery;
    const { at, by } = origin;
    if (!(await updateDeliveryDropped(sql, delivery, { at, by, reason }))) {
      throw new ApiError('conflict', 'The delivery is done: the endpoint accepted it.');
    }
    const after = await findManagedDelivery(sql, guid, reach);
    await insertEntry(sql, origin, {
      subject: { kind: 'webhookDelivery', id: guid },
      partnerGuid: delivery.partnerGuid,
      before: documentOf(delivery),
      after: documentOf(after),
    });
    return after;
  });
}

/** Throws ApiError `notFound`, with the same text for a delivery out of reach. */
export async function findManagedDelivery(sql: Sql, guid: string, reach: Reach) {
  const delivery = await findDelivery(sql, guid, reach);
  if (delivery) return delivery;
  throw new ApiError(
    'notFound',
    "There is no such delivery, or you don't have access to it: check the path. Deliveries are " +
      'kept as long as their event.',
  );
}

function documentOf({ endpointGuid, eventGuid, state, reason }: DeliveryView) {
  return { endpointGuid, eventGuid, state, dropReason: state === 'DROPPED' ? reason : null };
}
