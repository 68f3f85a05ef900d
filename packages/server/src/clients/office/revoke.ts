import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../../audit/origin.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { findClientViewLocked } from '../client-view-store.ts';
import { findManaged, noSuchManagedClient } from '../managed-client.ts';
import { revokeAccount } from '../revoke-account.ts';
import { clientOnWire } from './on-wire.ts';

/** What the handler needs. */
export interface RevokeClientDeps {
  readonly database: Database;
  readonly realClock: Clock;
  /**
   * Whether an account must stay: the sandbox does not start without its own. None when absent.
   */
  readonly isKept?: (clientId: string) => Promise<boolean>;
}

/**
 * Revokes an account with all of its secrets, tokens and webhook endpoints, at once (AUTH-9); one
 * that was revoked already stays as it is.
 */
export const revokeClientHandler =
  (deps: RevokeClientDeps): HandlerOf<'backOffice.clients.revoke'> =>
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
    'The sandbox needs this account to start, so you cannot revoke it: create one of your own to ' +
      'try this with.',
  );
}
