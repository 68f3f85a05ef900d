import { originOf } from '../../audit/origin.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { findClientViewLocked } from '../client-view-store.ts';
import { type ClientAdminDeps, findManaged, noSuchManagedClient } from '../managed-client.ts';
import { revokeAccount } from '../revoke-account.ts';
import { clientOnWire } from './on-wire.ts';

/**
 * Also revokes its secrets, tokens and webhook endpoints (AUTH-9). Does nothing to a revoked
 * account.
 */
export const revokeClientHandler =
  (deps: ClientAdminDeps): HandlerOf<'backOffice.clients.revoke'> =>
  async (request) => {
    const { params, reach, nowMs } = request;
    const { clientId } = params;
    const origin = originOf(request, deps.realClock);
    const isKept = (await deps.isKept?.(clientId)) ?? false;
    const revoked = await deps.database.transaction(async (sql) => {
      const client = await findClientViewLocked(sql, clientId, reach);
      if (!client) throw noSuchManagedClient();
      if (isKept) throw keptAccount();
      if (!client.revokedAt) await revokeAccount(sql, clientId, origin);
      return await findManaged(sql, clientId, reach);
    });
    return { json: clientOnWire(revoked, nowMs) };
  };

function keptAccount(): ApiError {
  return new ApiError(
    'conflict',
    'The sandbox needs this account to start, so you cannot revoke it: create your own account ' +
      'to try this.',
  );
}
