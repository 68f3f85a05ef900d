import type { Connection } from '@servery/contract';
import { isoTimestamp } from '../../../http/timestamps.ts';
import type { ConnectionView, Employee } from '../../connection-store.ts';

/** A connection as the contract writes it. */
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
    changedBy: employeeOnWire(connection),
    createdAt: isoTimestamp(connection.createdAt),
    modifiedAt: isoTimestamp(connection.modifiedAt),
    disconnectedAt: removedAt && isoTimestamp(removedAt),
    disconnectReason: connection.removedReason,
  };
}

/** The employee who changed a connection, as the contract writes one. */
export function employeeOnWire({ firstName, lastName, email, phone }: Employee): Employee {
  return { firstName, lastName, email, phone };
}
