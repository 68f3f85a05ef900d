import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { Database, Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { isWithin, type Reach } from '../../reach/reach.ts';
import { isArchived, noSuchEndpoint, wrongValue } from '../delivery/refusals.ts';
import { readTarget } from '../sockets/read-target.ts';
import type { TargetRules } from '../sockets/rules.ts';
import { archiveLocked } from './archive.ts';
import {
  type EndpointKey,
  type EndpointSettings,
  type EndpointView,
  findEndpoint,
  findEndpointCount,
  findEndpointLocked,
  findPartnerOfClientLocked,
  insertEndpoint,
  updateBrokenSecretProbe,
  updateEndpointSettings,
} from './endpoint-store.ts';
import { recordEndpointChange } from './record-endpoint.ts';
import {
  listWebhookSecrets,
  updateOtherWebhookSecretsExpiry,
  updateWebhookSecretRevoked,
} from './secret-store.ts';
import { issueSecret, LIVE_SECRETS_AT_MOST, type SecretDraft, signingSecrets } from './secrets.ts';

export interface EndpointDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly targetRules: TargetRules;
}

export interface EndpointAuthority {
  readonly reach: Reach;
  readonly origin: ChangeOrigin;
}

export interface EndpointDraft extends Partial<Omit<EndpointSettings, 'url'>> {
  readonly clientId: string;
  readonly url: string;
  readonly secret?: SecretDraft;
}

/** The secret cannot be read again. */
export interface IssuedWebhookSecret {
  readonly endpoint: EndpointView;
  readonly secretGuid: string;
  readonly secret: string;
}

export interface NextSecretDraft extends SecretDraft {
  readonly othersExpireAtMs: number | null;
}

export const endpointDefaults = {
  description: null,
  eventTypes: null,
  connectTimeoutMs: 2_000,
  answerTimeoutMs: 2_000,
  retryDelaysS: [300, 600],
  isOrdered: false,
} as const;

const ENDPOINTS_AT_MOST = 100;

/**
 * Throws ApiError `unprocessable` for an account without a partner within reach or a blocked
 * address, and `conflict` when the account has a hundred endpoints.
 */
export async function createEndpoint(
  deps: EndpointDeps,
  { secret = { label: null, expiresAtMs: null }, clientId, ...draft }: EndpointDraft,
  { reach, origin }: EndpointAuthority,
): Promise<IssuedWebhookSecret> {
  const url = soundUrl(deps, draft.url);
  return await deps.database.transaction(async (sql) => {
    const partnerGuid = await findPartnerOfClientLocked(sql, clientId);
    if (partnerGuid === null || !isWithin(reach, { kind: 'partner', guid: partnerGuid })) {
      throw wrongValue('clientId', 'names no live PARTNER account within your reach');
    }
    if ((await findEndpointCount(sql, clientId)) >= ENDPOINTS_AT_MOST) {
      throw new ApiError(
        'conflict',
        `The account has ${ENDPOINTS_AT_MOST} endpoints: archive one that nobody needs.`,
      );
    }
    const key = { partnerGuid, endpointGuid: newGuid() };
    const { at, by } = origin;
    const issued = await recordEndpointChange(sql, origin, key.endpointGuid, async () => {
      await insertEndpoint(sql, { ...endpointDefaults, ...draft, ...key, clientId, url, at, by });
      return await issueSecret({ sql, vault: deps.vault }, key, secret, { at, by });
    });
    return { endpoint: await findManagedEndpoint(sql, key.endpointGuid, reach), ...issued };
  });
}

/**
 * What waits goes out with the new settings. Throws ApiError `notFound`, `conflict` for an archived
 * endpoint, and `unprocessable` for a blocked address.
 */
export async function editEndpoint(
  deps: EndpointDeps,
  endpointGuid: string,
  edit: Partial<EndpointSettings>,
  { reach, origin }: EndpointAuthority,
): Promise<EndpointView> {
  const sound = edit.url === undefined ? edit : { ...edit, url: soundUrl(deps, edit.url) };
  return await deps.database.transaction(async (sql) => {
    const endpoint = await findLiveEndpoint(sql, endpointGuid, reach);
    const settings = { ...settingsOf(endpoint), ...sound };
    if (JSON.stringify(settings) === JSON.stringify(settingsOf(endpoint))) return endpoint;
    await recordEndpointChange(sql, origin, endpointGuid, () =>
      updateEndpointSettings(sql, keyOf(endpoint), settings, origin.at),
    );
    return await findManagedEndpoint(sql, endpointGuid, reach);
  });
}

/** Revokes its secrets and drops what waits. Throws ApiError `notFound`. */
export async function archiveEndpoint(
  deps: Pick<EndpointDeps, 'database'>,
  endpointGuid: string,
  { reach, origin }: EndpointAuthority,
): Promise<EndpointView> {
  return await deps.database.transaction(async (sql) => {
    const endpoint = await findEndpointLocked(sql, endpointGuid, reach);
    if (!endpoint) throw noSuchEndpoint();
    if (endpoint.archivedAt) return endpoint;
    await archiveLocked(sql, keyOf(endpoint), 'The endpoint was archived.', origin);
    return await findManagedEndpoint(sql, endpointGuid, reach);
  });
}

/** Throws ApiError `notFound`, and `conflict` for an archived endpoint or two live secrets. */
export async function addWebhookSecret(
  deps: EndpointDeps,
  endpointGuid: string,
  { othersExpireAtMs, ...draft }: NextSecretDraft,
  { reach, origin }: EndpointAuthority,
): Promise<IssuedWebhookSecret> {
  return await deps.database.transaction(async (sql) => {
    const key = keyOf(await findLiveEndpoint(sql, endpointGuid, reach));
    const secrets = await listWebhookSecrets(sql, [endpointGuid]);
    const live = signingSecrets(secrets, origin.at.getTime());
    if (live.length >= LIVE_SECRETS_AT_MOST) {
      throw new ApiError(
        'conflict',
        'The endpoint has two live secrets already: revoke the one that nobody needs.',
      );
    }
    const issued = await recordEndpointChange(sql, origin, endpointGuid, async () => {
      const added = await issueSecret({ sql, vault: deps.vault }, key, draft, origin);
      if (othersExpireAtMs !== null) {
        const expiresAt = new Date(othersExpireAtMs);
        await updateOtherWebhookSecretsExpiry(sql, key, added.secretGuid, expiresAt);
      }
      await updateBrokenSecretProbe(sql, key, origin.at);
      return added;
    });
    return { endpoint: await findManagedEndpoint(sql, endpointGuid, reach), ...issued };
  });
}

/**
 * Leaves a revoked secret unchanged. Throws ApiError `notFound`, and `conflict` for the last live
 * secret: nothing could be signed any more.
 */
export async function revokeWebhookSecret(
  deps: Pick<EndpointDeps, 'database'>,
  endpointGuid: string,
  secretGuid: string,
  { reach, origin }: EndpointAuthority,
): Promise<EndpointView> {
  return await deps.database.transaction(async (sql) => {
    const endpoint = await findEndpointLocked(sql, endpointGuid, reach);
    const secrets = await listWebhookSecrets(sql, [endpointGuid]);
    const secret = secrets.find(({ guid }) => guid === secretGuid);
    if (!endpoint || !secret) throw noSuchEndpoint();
    if (secret.revokedAt) return endpoint;
    const live = signingSecrets(secrets, origin.at.getTime());
    if (live.length === 1 && live[0]?.guid === secretGuid) {
      throw new ApiError(
        'conflict',
        'It is the last secret that lives, and deliveries could not be signed: add another one ' +
          'first.',
      );
    }
    await recordEndpointChange(sql, origin, endpointGuid, () =>
      updateWebhookSecretRevoked(sql, keyOf(endpoint), secretGuid, origin.at, origin.by),
    );
    return await findManagedEndpoint(sql, endpointGuid, reach);
  });
}

/** Also finds archived endpoints. Throws ApiError `notFound`. */
export async function findManagedEndpoint(
  sql: Sql,
  endpointGuid: string,
  reach: Reach,
): Promise<EndpointView> {
  const endpoint = await findEndpoint(sql, endpointGuid, reach);
  if (!endpoint) throw noSuchEndpoint();
  return endpoint;
}

/** Locks the endpoint. Throws ApiError `notFound`, and `conflict` for an archived one. */
export async function findLiveEndpoint(
  sql: Sql,
  endpointGuid: string,
  reach: Reach,
): Promise<EndpointView> {
  const endpoint = await findEndpointLocked(sql, endpointGuid, reach);
  if (!endpoint) throw noSuchEndpoint();
  if (endpoint.archivedAt) throw isArchived();
  return endpoint;
}

export function keyOf({ partnerGuid, guid }: EndpointView): EndpointKey {
  return { partnerGuid, endpointGuid: guid };
}

function settingsOf(endpoint: EndpointView): EndpointSettings {
  const { url, description, eventTypes, connectTimeoutMs, answerTimeoutMs } = endpoint;
  const { retryDelaysS, isOrdered } = endpoint;
  return {
    ...{ url, description, eventTypes, connectTimeoutMs, answerTimeoutMs },
    ...{ retryDelaysS, isOrdered },
  };
}

/** Throws ApiError `unprocessable`. */
function soundUrl({ targetRules }: EndpointDeps, url: string): string {
  const target = readTarget(url, targetRules);
  if (!('refusal' in target)) return target.url;
  throw new ApiError('unprocessable', target.refusal, {
    faults: [{ where: 'url', message: target.refusal }],
  });
}
