import type { Operation } from './operations.ts';

export type ErrorSchemaName = 'ErrorMessage' | 'ServiceError' | 'OAuthError' | 'HealthReport';

export const serviceErrorStatuses: readonly number[] = [400, 404, 409, 422, 500];

export const standardDoorsPrefix = '/oauth/';

/**
 * API-1, except for the standard doors of the token service, which answer in the shape of RFC 6749
 * (AUTH-6).
 */
export function errorSchemaName(operation: Operation, status: number): ErrorSchemaName {
  const { id, path, interface: owner } = operation;
  if (owner === 'creditCards' && serviceErrorStatuses.includes(status)) return 'ServiceError';
  if (path.startsWith(standardDoorsPrefix)) return 'OAuthError';
  if (id === 'health.ready' && status === 503) return 'HealthReport';
  return 'ErrorMessage';
}
