import { originOf } from '../../audit/origin.ts';
import { grantsOf, type HandlerOf } from '../../http/operation.ts';
import { listHeldScopes, updateClientText } from '../client-view-store.ts';
import { orderedScopes, setScopes } from '../clients.ts';
import { type ClientAdminDeps, findManaged, lockLiveClient } from '../managed-client.ts';
import { addGivenFaults, placeOfClient, requireMayGive } from '../may-grant.ts';
import { recordClientChange } from '../record-client.ts';
import { clientOnWire } from './on-wire.ts';

/** Scopes that the account already has need no permission. */
export const updateClientHandler =
  ({ database, realClock }: ClientAdminDeps): HandlerOf<'backOffice.clients.update'> =>
  async (request) => {
    const { params, body, caller, reach, faults, nowMs } = request;
    const { clientId } = params;
    const origin = originOf(request, realClock);
    const client = await database.transaction(async (sql) => {
      const before = await lockLiveClient(sql, clientId, reach);
      const { name, description, holdsLegacyCardKey } = { ...before, ...body };
      const holder = { type: before.type, place: placeOfClient(before) };
      const asked = { holdsLegacyCardKey, scopes: body.scopes ?? [] };
      addGivenFaults(holder, asked, faults);
      faults.refuse();
      const scopes = body.scopes ? orderedScopes(body.scopes) : before.scopes;
      const added = {
        scopes: scopes.filter((scope) => !before.scopes.includes(scope)),
        legacyCardKey: holdsLegacyCardKey && !before.holdsLegacyCardKey,
      };
      await requireMayGive(grantsOf(caller), holder, added, () =>
        listHeldScopes(sql, before.type, before),
      );
      await recordClientChange(sql, origin, clientId, async () => {
        await updateClientText(sql, clientId, { name, description, holdsLegacyCardKey });
        await setScopes({ sql }, clientId, scopes, origin.at.getTime());
      });
      return await findManaged(sql, clientId, reach);
    });
    return { json: clientOnWire(client, nowMs) };
  };
