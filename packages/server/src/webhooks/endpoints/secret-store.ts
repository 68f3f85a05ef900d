import type { WebhookSecret } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import type { EndpointKey } from './endpoint-store.ts';

export interface WebhookSecretView extends Pick<WebhookSecret, 'guid' | 'label'> {
  readonly endpointGuid: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revokedBy: string | null;
}

export interface SealedSecret extends EndpointKey {
  readonly guid: string;
  readonly sealed: Buffer;
  readonly expiresAt: Date | null;
}

export interface NewSecret extends SealedSecret {
  readonly label: string | null;
  readonly at: Date;
  readonly by: string;
}

export async function insertWebhookSecret(sql: Sql, secret: NewSecret): Promise<void> {
  const { partnerGuid, endpointGuid, guid, sealed, label, expiresAt, at, by } = secret;
  await sql`
    insert into webhook_secret (partner_guid, endpoint_guid, guid, sealed, label, created_at,
      created_by, expires_at)
    values (${partnerGuid}, ${endpointGuid}, ${guid}, ${sealed}, ${label}, ${at}, ${by},
      ${expiresAt})`;
}

export async function listWebhookSecrets(
  sql: Sql,
  endpointGuids: readonly string[],
): Promise<WebhookSecretView[]> {
  return await sql<WebhookSecretView[]>`
    select s.endpoint_guid as "endpointGuid", s.guid, s.label, s.created_at as "createdAt",
      s.created_by as "createdBy", s.expires_at as "expiresAt", s.revoked_at as "revokedAt",
      s.revoked_by as "revokedBy"
    from webhook_endpoint e
    join webhook_secret s on s.partner_guid = e.partner_guid and s.endpoint_guid = e.guid
    where e.guid = any(${endpointGuids}::uuid[])
    order by s.endpoint_guid, s.created_at desc, s.guid desc`;
}

export async function listAllSealedSecrets(sql: Sql): Promise<SealedSecret[]> {
  return await sql<SealedSecret[]>`
    select partner_guid as "partnerGuid", endpoint_guid as "endpointGuid", guid, sealed,
      expires_at as "expiresAt"
    from webhook_secret order by partner_guid, endpoint_guid, guid`;
}

/** All of them without a GUID. */
export async function updateWebhookSecretsRevoked(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  { at, by }: { readonly at: Date; readonly by: string },
  guid: string | null = null,
): Promise<void> {
  await sql`
    update webhook_secret set revoked_at = ${at}, revoked_by = ${by}
    where partner_guid = ${partnerGuid} and endpoint_guid = ${endpointGuid}
      and guid = coalesce(${guid}::uuid, guid) and revoked_at is null`;
}

export async function updateOtherWebhookSecretsExpiry(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  guid: string,
  expiresAt: Date,
): Promise<void> {
  await sql`
    update webhook_secret set expires_at = ${expiresAt}
    where partner_guid = ${partnerGuid} and endpoint_guid = ${endpointGuid} and guid <> ${guid}
      and revoked_at is null and (expires_at is null or expires_at > ${expiresAt})`;
}
