import type { Connection, ConnectionChange } from '@servery/contract';
import { isoTimestamp } from '../../../http/timestamps.ts';
import type { ConnectionChangeRow } from '../../change-store.ts';
import type { ConnectionView, Employee } from '../../connection-store.ts';

/** A connection in wire form. */
export function connectionOnWire(connection: ConnectionView): Connection {
  const { removedAt } = connection;
  return {
    restaurantGuid: connection.restaurantGuid,
    restaurantName: connection.restaurantName,
    partnerGuid: connection.partnerGuid,
    partnerName: connection.partnerName,
    state: removedAt ? 'DISCONNECTED' : 'CONNECTED',
    externalGroupRef: connection.externalGroupRef,
    externalRestaurantRef: connection.externalRestaurantRef,
    changedBy: employeeOf(connection),
    createdAt: isoTimestamp(connection.createdAt),
    modifiedAt: isoTimestamp(connection.modifiedAt),
    disconnectedAt: removedAt && isoTimestamp(removedAt),
    disconnectReason: connection.removedReason,
  };
}

/** One change of a connection in wire form. */
export function changeOnWire(change: ConnectionChangeRow): ConnectionChange {
  return {
    number: change.number,
    kind: change.kind,
    at: isoTimestamp(change.at),
    by: change.actor,
    employee: employeeOf(change),
    requestId: change.requestId,
    externalGroupRef: change.externalGroupRef,
    externalRestaurantRef: change.externalRestaurantRef,
    reason: change.reason,
  };
}

function employeeOf({ firstName, lastName, email, phone }: Employee): Employee {
  return { firstName, lastName, email, phone };
}
