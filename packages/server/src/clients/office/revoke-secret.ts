import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { findClientViewLocked, listSecretViews } from '../client-view-store.ts';
import { revokeSecret } from '../clients.ts';
import { type ClientAdminDeps, findManaged, noSuchManagedClient } from '../managed-client.ts';
import { recordClientChange } from '../record-client.ts';
import { clientOnWire } from './on-wire.ts';

/** Does nothing to a secret that is already revoked. */
export const revokeSecretHandler =
  ({ database, realClock }: ClientAdminDeps): HandlerOf<'backOffice.clients.revokeSecret'> =>
  async (request) => {
    const { params, reach, nowMs } = request;
    const { clientId, secretGuid } = params;
    const origin = originOf(request, realClock);
    const client = await database.transaction(async (sql) => {
      if (!(await findClientViewLocked(sql, clientId, reach))) throw noSuchManagedClient();
      const secrets = await listSecretViews(sql, [clientId]);
      const secret = secrets.find(({ guid }) => guid === secretGuid);
      if (!secret) throw noSuchManagedClient();
      if (!secret.revokedAt) {
        await recordClientChange(sql, origin, clientId, () =>
          revokeSecret({ sql }, clientId, secretGuid, origin.at.getTime(), origin.by),
        );
      }
      return await findManaged(sql, clientId, reach);
    });
    return { json: clientOnWire(client, nowMs) };
  };
