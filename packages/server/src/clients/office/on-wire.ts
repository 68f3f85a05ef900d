import type { ApiClient, ApiClientSecret } from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { SecretView } from '../client-view-store.ts';
import { isLive, type ManagedClient } from '../managed-client.ts';

export function clientOnWire(client: ManagedClient, nowMs: number): ApiClient {
  const { partnerGuid, partnerName, managementGroupGuid, managementGroupName } = client;
  return {
    clientId: client.clientId,
    name: client.name,
    description: client.description,
    type: client.type,
    partner: ownerOf(partnerGuid, partnerName),
    managementGroup: ownerOf(managementGroupGuid, managementGroupName),
    scopes: [...client.scopes],
    holdsLegacyCardKey: client.holdsLegacyCardKey,
    createdAt: isoTimestamp(client.createdAt),
    createdBy: client.createdBy,
    revokedAt: textOf(client.revokedAt),
    revokedBy: client.revokedBy,
    lastUsedAt: textOf(client.lastUsedAt),
    secrets: client.secrets.map((secret) => secretOnWire(secret, client.revokedAt, nowMs)),
  };
}

function secretOnWire(
  secret: SecretView,
  clientRevokedAt: Date | null,
  nowMs: number,
): ApiClientSecret {
  const isRevoked = secret.revokedAt !== null || clientRevokedAt !== null;
  return {
    guid: secret.guid,
    label: secret.label,
    state: isRevoked ? 'REVOKED' : isLive(secret, nowMs) ? 'LIVE' : 'EXPIRED',
    createdAt: isoTimestamp(secret.createdAt),
    createdBy: secret.createdBy,
    expiresAt: textOf(secret.expiresAt),
    revokedAt: textOf(secret.revokedAt),
    revokedBy: secret.revokedBy,
    lastUsedAt: textOf(secret.lastUsedAt),
  };
}

function ownerOf(guid: string | null, name: string | null) {
  return guid === null ? null : { guid, name: name ?? '' };
}

function textOf(instant: Date | null): string | null {
  return instant && isoTimestamp(instant);
}
