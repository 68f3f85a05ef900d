import type { Operation } from './operations/operation.ts';
import type { SchemaName } from './schemas.ts';

/** The statuses for which the credit card interface answers a ServiceError (C1). */
export const serviceErrorStatuses: readonly number[] = [400, 404, 409, 422, 500];

const standardDoors: readonly string[] = ['auth.token', 'auth.introspect', 'auth.revoke'];

/**
 * The shape of an operation's body for a status of 400 or more (C1). The standard doors of the token
 * service speak RFC 6749 where that standard has words for it (T6).
 */
export function errorSchemaName({ id, interface: owner }: Operation, status: number): SchemaName {
  if (owner === 'creditCards' && serviceErrorStatuses.includes(status)) return 'ServiceError';
  if (standardDoors.includes(id) && (status === 400 || status === 401)) return 'OAuthError';
  if (id === 'health.ready' && status === 503) return 'HealthReport';
  return 'ErrorMessage';
}
