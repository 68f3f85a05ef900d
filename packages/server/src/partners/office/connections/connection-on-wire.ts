import type { Connection } from '@servery/contract';
import { isoTimestamp } from '../../../http/timestamps.ts';
import type { ConnectionView, Employee } from '../../connection-store.ts';

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

export function employeeOnWire({ firstName, lastName, email, phone }: Employee): Employee {
  return { firstName, lastName, email, phone };
}
