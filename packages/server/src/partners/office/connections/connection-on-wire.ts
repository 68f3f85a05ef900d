import type { Connection } from '@servery/contract';
import { ApiError } from '../../../http/errors.ts';
import type { Sent } from '../../../http/operation.ts';
import type { ConnectionView } from '../../connection-store.ts';

export function connectionOnWire(connection: ConnectionView): Sent<Connection> {
  const { firstName, lastName, email, phone, ...others } = connection;
  const { removedAt, removedReason, managementGroupGuid: _, ...shown } = others;
  return {
    ...shown,
    state: removedAt ? 'DISCONNECTED' : 'CONNECTED',
    changedBy: { firstName, lastName, email, phone },
    disconnectedAt: removedAt,
    disconnectReason: removedReason,
  };
}

/** The same text for an unknown partner and one that was never connected. */
export function neverConnected(): ApiError {
  return new ApiError(
    'notFound',
    'The restaurant was never connected to this partner: check the path, or connect them.',
  );
}
