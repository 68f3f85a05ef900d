import type { ApiClient, ApiClientSecret } from '@servery/contract';
import type { Sent } from '../../http/operation.ts';
import type { SecretView } from '../client-view-store.ts';
import { isLive, type ManagedClient } from '../managed-client.ts';

export function clientOnWire(client: ManagedClient, nowMs: number): Sent<ApiClient> {
  const { partnerGuid, partnerName, managementGroupGuid, managementGroupName, ...shown } = client;
  return {
    ...shown,
    partner: ownerOf(partnerGuid, partnerName),
    managementGroup: ownerOf(managementGroupGuid, managementGroupName),
    secrets: client.secrets.map(({ clientId: _, ...secret }) => ({
      ...secret,
      state: stateOf(secret, client, nowMs),
    })),
  };
}

function stateOf(
  secret: Pick<SecretView, 'revokedAt' | 'expiresAt'>,
  client: ManagedClient,
  nowMs: number,
): ApiClientSecret['state'] {
  if (secret.revokedAt || client.revokedAt) return 'REVOKED';
  return isLive(secret, nowMs) ? 'LIVE' : 'EXPIRED';
}

function ownerOf(guid: string | null, name: string | null) {
  return guid === null ? null : { guid, name: name ?? '' };
}
