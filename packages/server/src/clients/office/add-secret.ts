import { originOf } from '../../audit/origin.ts';
import { ApiError } from '../../http/errors.ts';
import { futureInstant } from '../../http/future-instant.ts';
import { grantsOf, type HandlerOf } from '../../http/operation.ts';
import { listSecretViews, updateOtherSecretsExpiry } from '../client-view-store.ts';
import { addSecret } from '../clients.ts';
import { type ClientAdminDeps, findManaged, isLive, lockLiveClient } from '../managed-client.ts';
import { placeOfClient, requireHeld } from '../may-grant.ts';
import { recordClientChange } from '../record-client.ts';
import { clientOnWire } from './on-wire.ts';

/** Enough for a rotation everywhere the account is used. */
const LIVE_SECRETS_AT_MOST = 10;

/**
 * With the secret the caller can act as the account, so the caller must hold its back office scopes
 * (ACC-5).
 */
export const addSecretHandler =
  ({ database, vault, realClock }: ClientAdminDeps): HandlerOf<'backOffice.clients.addSecret'> =>
  async (request) => {
    const { params, body, caller, reach, faults, nowMs } = request;
    const { clientId } = params;
    const expiresAt = futureInstant(body.expiresAt, ['expiresAt'], request);
    const othersExpireAt = futureInstant(body.othersExpireAt, ['othersExpireAt'], request);
    faults.refuse();
    const origin = originOf(request, realClock);
    const atMs = origin.at.getTime();
    const input = { label: body.label ?? null, expiresAt, by: origin.by };
    const json = await database.transaction(async (sql) => {
      const client = await lockLiveClient(sql, clientId, reach);
      const holder = { type: client.type, place: placeOfClient(client) };
      requireHeld(grantsOf(caller), holder, client.scopes);
      const secrets = await listSecretViews(sql, [clientId]);
      const live = secrets.filter((secret) => isLive(secret, atMs));
      if (live.length >= LIVE_SECRETS_AT_MOST) throw tooMany(live.length);
      const { secretGuid, clientSecret } = await recordClientChange(
        sql,
        origin,
        clientId,
        async () => {
          const added = await addSecret({ sql, vault }, clientId, atMs, input);
          const secret = { clientId, guid: added.secretGuid };
          if (othersExpireAt) await updateOtherSecretsExpiry(sql, secret, othersExpireAt);
          return added;
        },
      );
      const managed = await findManaged(sql, clientId, reach);
      return { client: clientOnWire(managed, nowMs), secretGuid, clientSecret };
    });
    return { json };
  };

function tooMany(count: number): ApiError {
  return new ApiError(
    'conflict',
    `The account has ${count} live secrets already: revoke one that is no longer needed.`,
  );
}
