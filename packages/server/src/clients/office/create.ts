import type { ClientType } from '@servery/contract';
import { originOf } from '../../audit/origin.ts';
import type { Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { Faults } from '../../http/faults.ts';
import { futureInstant } from '../../http/future-instant.ts';
import { grantsOf, type HandlerOf } from '../../http/operation.ts';
import { isWithin, type Reach } from '../../reach/reach.ts';
import { findPlace } from '../../reach/reached-store.ts';
import { listHeldScopes } from '../client-view-store.ts';
import { createClient, newClientId, orderedScopes } from '../clients.ts';
import { type ClientAdminDeps, findManaged } from '../managed-client.ts';
import {
  addGivenFaults,
  type ClientOwner,
  type ClientPlace,
  placeOfClient,
  requireMayGive,
} from '../may-grant.ts';
import { recordClientChange } from '../record-client.ts';
import { clientOnWire } from './on-wire.ts';

/** The caller must be allowed to give everything that the account gets (ACC-1 to ACC-5). */
export const createClientHandler =
  ({ database, vault, realClock }: ClientAdminDeps): HandlerOf<'backOffice.clients.create'> =>
  async (request) => {
    const { body, caller, reach, faults, nowMs } = request;
    const { name, description = null, type, holdsLegacyCardKey, secret = {} } = body;
    const { partnerGuid = null, managementGroupGuid = null } = body;
    const owner = { partnerGuid, managementGroupGuid };
    const holder = { type, place: placeOfClient(owner) };
    addOwnerFaults(type, owner, faults);
    addGivenFaults(holder, body, faults);
    const expiresAt = futureInstant(secret.expiresAt, ['secret', 'expiresAt'], request);
    faults.refuse();
    await requirePlace(database.sql, holder.place, reach);
    const scopes = orderedScopes(body.scopes);
    const clientId = newClientId();
    const origin = originOf(request, realClock);
    const given = { scopes, legacyCardKey: holdsLegacyCardKey };
    const text = { name, description, holdsLegacyCardKey };
    const first = { label: secret.label ?? null, expiresAt, by: origin.by };
    const input = { clientId, ...text, type, ...owner, scopes, secret: first };
    const json = await database.transaction(async (sql) => {
      await requireMayGive(grantsOf(caller), holder, given, () => listHeldScopes(sql, type, owner));
      const { secretGuid, clientSecret } = await recordClientChange(sql, origin, clientId, () =>
        createClient({ sql, vault }, input, origin.at.getTime()),
      );
      const client = clientOnWire(await findManaged(sql, clientId, reach), nowMs);
      return { client, secretGuid, clientSecret };
    });
    return { json };
  };

function addOwnerFaults(
  type: ClientType,
  { partnerGuid, managementGroupGuid }: ClientOwner,
  faults: Faults,
): void {
  const isPartner = type === 'PARTNER';
  if (isPartner !== (partnerGuid !== null)) {
    faults.add(['partnerGuid'], 'is required for a PARTNER account, and not allowed for others');
  }
  if (isPartner ? managementGroupGuid !== null : type === 'CUSTOMER' && !managementGroupGuid) {
    faults.add(
      ['managementGroupGuid'],
      'is required for a CUSTOMER account, and not allowed for a PARTNER account',
    );
  }
}

/** The same answer for an unknown owner and one out of reach. */
async function requirePlace(sql: Sql, place: ClientPlace, reach: Reach): Promise<void> {
  const isReached = isWithin(reach, place);
  if (place.kind === 'platform') {
    if (isReached) return;
    throw new ApiError(
      'forbidden',
      'You do not have access to the whole platform, so no account that you create can have it: ' +
        'send the managementGroupGuid of one of your groups.',
    );
  }
  if (isReached && (await findPlace(sql, place.kind, place.guid))) return;
  const [where, what] =
    place.kind === 'partner'
      ? ['partnerGuid', 'partner']
      : ['managementGroupGuid', 'management group'];
  const message = `names no ${what} that you have access to`;
  throw new ApiError('unprocessable', `${where} ${message}.`, { faults: [{ where, message }] });
}
