import type { Operation } from './operations.ts';

/** The resources that tell why a request was refused. */
export type ErrorSchemaName = 'ErrorMessage' | 'ServiceError' | 'OAuthError' | 'HealthReport';

/** The statuses for which the credit card interface answers a ServiceError (API-1). */
export const serviceErrorStatuses: readonly number[] = [400, 404, 409, 422, 500];

/** What the paths of the standard doors of the token service start with (AUTH-6). */
export const standardDoorsPrefix = '/oauth/';

/**
 * The shape of an operation's body for a status of 400 or more (API-1). The standard doors of the
 * token service answer the shape of RFC 6749 (AUTH-6).
 */
export function errorSchemaName(operation: Operation, status: number): ErrorSchemaName {
  const { id, path, interface: owner } = operation;
  if (owner === 'creditCards' && serviceErrorStatuses.includes(status)) return 'ServiceError';
  if (path.startsWith(standardDoorsPrefix)) return 'OAuthError';
  if (id === 'health.ready' && status === 503) return 'HealthReport';
  return 'ErrorMessage';
}
