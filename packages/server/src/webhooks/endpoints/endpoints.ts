import { eventTypes as allEventTypes } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { type ChangeOrigin, insertEntry } from '../../audit/entry-store.ts';
import type { Database, Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { isWithin, type Reach } from '../../reach/reach.ts';
import { everywhere } from '../../support/due-work.ts';
import { updateDeliveriesDueAgain, updateQueuedDropped } from '../delivery/delivery-store.ts';
import { readTarget, type TargetRules } from '../sockets/read-target.ts';
import {
  type EndpointKey,
  type EndpointSettings,
  type EndpointState,
  type EndpointView,
  findEndpoint,
  findEndpointCount,
  findPartnerOfClientLocked,
  insertEndpoint,
  listEndpointsOfClientLocked,
  updateBrokenSecretProbe,
  updateEndpointArchived,
  updateEndpointSettings,
  updateEndpointStanding,
} from './endpoint-store.ts';
import {
  listWebhookSecrets,
  updateOtherWebhookSecretsExpiry,
  updateWebhookSecretsRevoked,
} from './secret-store.ts';
import {
  LIVE_SECRETS_AT_MOST,
  newSecret,
  type SecretDraft,
  signingSecrets,
  storeSecret,
} from './secrets.ts';

export interface EndpointDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly targetRules: TargetRules;
}

export interface EndpointAuthority {
  readonly reach: Reach;
  readonly origin: ChangeOrigin;
}

export interface EndpointDraft extends Partial<EndpointSettings> {
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
  readonly othersExpireAt: Date | null;
}

export const endpointDefaults = {
  description: null,
  eventTypes: null,
  connectTimeoutMs: 2_000,
  answerTimeoutMs: 2_000,
  retryDelaysSeconds: [300, 600],
  isOrdered: false,
};

const ENDPOINTS_AT_MOST = 100;

/**
 * Throws ApiError `unprocessable` for an account without a partner within reach or a blocked
 * address, and `conflict` when the account has a hundred endpoints.
 */
export async function createEndpoint(
  deps: EndpointDeps,
  { secret = { label: null, expiresAt: null }, clientId, ...draft }: EndpointDraft,
  { reach, origin }: EndpointAuthority,
): Promise<IssuedWebhookSecret> {
  const settings = { ...endpointDefaults, ...soundSettings(deps, draft) };
  return await deps.database.transaction(async (sql) => {
    const partnerGuid = await findPartnerOfClientLocked(sql, clientId);
    if (partnerGuid === null || !isWithin(reach, { kind: 'partner', guid: partnerGuid })) {
      const message = 'names no live PARTNER account that you have access to';
      const faults = [{ where: 'clientId', message }];
      throw new ApiError('unprocessable', `clientId ${message}.`, { faults });
    }
    if ((await findEndpointCount(sql, clientId)) >= ENDPOINTS_AT_MOST) {
      throw new ApiError(
        'conflict',
        `The account has ${ENDPOINTS_AT_MOST} endpoints: archive one that is no longer needed.`,
      );
    }
    const key = { partnerGuid, endpointGuid: newGuid() };
    const { at, by } = origin;
    const issued = newSecret();
    await recordChange(sql, origin, key.endpointGuid, async () => {
      await insertEndpoint(sql, { ...settings, ...key, clientId, at, by });
      await storeSecret(sql, deps.vault, { ...key, ...issued, ...secret, at, by });
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
  authority: EndpointAuthority,
): Promise<EndpointView> {
  const sound = soundSettings(deps, edit);
  return await changeEndpoint(deps, endpointGuid, authority, async (sql, endpoint) => {
    requireLive(endpoint);
    const settings = { ...endpoint, ...sound };
    if (JSON.stringify(settings) === JSON.stringify(endpoint)) return;
    await updateEndpointSettings(sql, keyOf(endpoint), settings, authority.origin.at);
  });
}

/**
 * PAUSED: events still queue. DISABLED: none do, and what waits stays. ACTIVE: sends what waits, in
 * order. Leaves a state that a person set unchanged. Throws ApiError `notFound`, and `conflict` for
 * an archived endpoint.
 */
export async function setEndpointState(
  deps: Pick<EndpointDeps, 'database'>,
  endpointGuid: string,
  wish: { readonly state: EndpointState; readonly reason?: string },
  authority: EndpointAuthority,
): Promise<EndpointView> {
  const { state, reason: stateDetail = null } = wish;
  const { at, by } = authority.origin;
  return await changeEndpoint(deps, endpointGuid, authority, async (sql, endpoint) => {
    requireLive(endpoint);
    if (endpoint.state === state && (endpoint.stateReason ?? 'PERSON') === 'PERSON') return;
    await updateEndpointStanding(sql, keyOf(endpoint), {
      ...{ state, stateReason: state === 'ACTIVE' ? null : 'PERSON', stateDetail },
      ...{ stateSince: at, stateBy: by },
      ...{ failures: 0, failingSince: null, probes: 0, probeAt: null },
    });
    if (state === 'ACTIVE') await updateDeliveriesDueAgain(sql, keyOf(endpoint), at);
  });
}

/** Revokes its secrets and drops what waits. Throws ApiError `notFound`. */
export async function archiveEndpoint(
  deps: Pick<EndpointDeps, 'database'>,
  endpointGuid: string,
  authority: EndpointAuthority,
): Promise<EndpointView> {
  return await changeEndpoint(deps, endpointGuid, authority, async (sql, endpoint) => {
    if (endpoint.archivedAt) return;
    await archiveLocked(sql, keyOf(endpoint), 'The endpoint was archived.', authority.origin);
  });
}

/**
 * Runs in the transaction that revokes the account: its endpoints would look alive but get nothing.
 */
export async function archiveEndpointsOfClient(
  sql: Sql,
  clientId: string,
  origin: ChangeOrigin,
): Promise<void> {
  const reason = 'The account of the endpoint was revoked.';
  for (const key of await listEndpointsOfClientLocked(sql, clientId)) {
    await recordChange(sql, origin, key.endpointGuid, () =>
      archiveLocked(sql, key, reason, origin),
    );
  }
}

async function archiveLocked(
  sql: Sql,
  key: EndpointKey,
  reason: string,
  origin: ChangeOrigin,
): Promise<void> {
  const { at, by } = origin;
  await updateEndpointArchived(sql, key, at, by);
  await updateWebhookSecretsRevoked(sql, key, origin);
  await updateQueuedDropped(sql, key, { at, by, reason });
}

/** Throws ApiError `notFound`, and `conflict` for an archived endpoint or two live secrets. */
export async function addWebhookSecret(
  deps: EndpointDeps,
  endpointGuid: string,
  { othersExpireAt, ...draft }: NextSecretDraft,
  authority: EndpointAuthority,
): Promise<IssuedWebhookSecret> {
  const { at, by } = authority.origin;
  const issued = newSecret();
  const endpoint = await changeEndpoint(deps, endpointGuid, authority, async (sql, endpoint) => {
    requireLive(endpoint);
    const secrets = await listWebhookSecrets(sql, [endpointGuid]);
    if (signingSecrets(secrets, at.getTime()).length >= LIVE_SECRETS_AT_MOST) {
      throw new ApiError(
        'conflict',
        'The endpoint has two live secrets already: revoke the one that is no longer needed.',
      );
    }
    const key = keyOf(endpoint);
    await storeSecret(sql, deps.vault, { ...key, ...issued, ...draft, at, by });
    if (othersExpireAt !== null) {
      await updateOtherWebhookSecretsExpiry(sql, key, issued.secretGuid, othersExpireAt);
    }
    await updateBrokenSecretProbe(sql, key, at);
  });
  return { endpoint, ...issued };
}

/**
 * Leaves a revoked secret unchanged. Throws ApiError `notFound`, and `conflict` for the last live
 * secret: nothing could be signed anymore.
 */
export async function revokeWebhookSecret(
  deps: Pick<EndpointDeps, 'database'>,
  endpointGuid: string,
  secretGuid: string,
  authority: EndpointAuthority,
): Promise<EndpointView> {
  const { origin } = authority;
  return await changeEndpoint(deps, endpointGuid, authority, async (sql, endpoint) => {
    const secrets = await listWebhookSecrets(sql, [endpointGuid]);
    const secret = secrets.find(({ guid }) => guid === secretGuid);
    if (!secret) throw noSuchEndpoint();
    if (secret.revokedAt) return;
    const live = signingSecrets(secrets, origin.at.getTime());
    if (live.length === 1 && live[0]?.guid === secretGuid) {
      throw new ApiError(
        'conflict',
        'It is the last live secret, and deliveries could not be signed without it: add another one ' +
          'first.',
      );
    }
    await updateWebhookSecretsRevoked(sql, keyOf(endpoint), origin, secretGuid);
  });
}

/** Also finds archived endpoints. Throws ApiError `notFound`. */
export async function findManagedEndpoint(
  sql: Sql,
  endpointGuid: string,
  reach: Reach,
  options?: { readonly isLocked: boolean },
): Promise<EndpointView> {
  const endpoint = await findEndpoint(sql, endpointGuid, reach, options);
  if (!endpoint) throw noSuchEndpoint();
  return endpoint;
}

/** Throws ApiError `conflict` for an archived endpoint. */
export function requireLive({ archivedAt }: EndpointView): void {
  if (!archivedAt) return;
  throw new ApiError('conflict', 'The endpoint was archived for good: create another one.');
}

/** The same text for an endpoint or secret out of reach, which must look absent. */
function noSuchEndpoint(): ApiError {
  return new ApiError(
    'notFound',
    "There is no such webhook endpoint or secret, or you don't have access to it: check the path.",
  );
}

export function keyOf({ partnerGuid, guid }: EndpointView): EndpointKey {
  return { partnerGuid, endpointGuid: guid };
}

/** Locks the endpoint. Throws ApiError `notFound`. */
async function changeEndpoint(
  { database }: Pick<EndpointDeps, 'database'>,
  endpointGuid: string,
  { reach, origin }: EndpointAuthority,
  change: (sql: Sql, endpoint: EndpointView) => Promise<void>,
): Promise<EndpointView> {
  return await database.transaction(async (sql) => {
    const endpoint = await findManagedEndpoint(sql, endpointGuid, reach, { isLocked: true });
    await recordChange(sql, origin, endpointGuid, () => change(sql, endpoint));
    return await findManagedEndpoint(sql, endpointGuid, reach);
  });
}

/**
 * Writes the audit log in the same transaction, without secrets, and only when something differs.
 */
async function recordChange(
  sql: Sql,
  origin: ChangeOrigin,
  endpointGuid: string,
  change: () => Promise<void>,
): Promise<void> {
  const before = await documentOf(sql, endpointGuid);
  await change();
  const after = await documentOf(sql, endpointGuid);
  if (!after || JSON.stringify(before) === JSON.stringify(after)) return;
  await insertEntry(sql, origin, {
    subject: { kind: 'webhookEndpoint', id: endpointGuid },
    partnerGuid: after.partnerGuid,
    before,
    after,
  });
}

/** Without counters, which change with each attempt, not by a decision. */
async function documentOf(sql: Sql, endpointGuid: string) {
  const view = await findEndpoint(sql, endpointGuid, everywhere);
  if (!view) return null;
  const { partnerName, clientName, failures, failingSince, probes, probeAt, ...document } = view;
  const secrets = (await listWebhookSecrets(sql, [endpointGuid])).map(
    ({ endpointGuid: _, ...secret }) => secret,
  );
  return { ...document, secrets };
}

/** Throws ApiError `unprocessable` for a blocked address. */
function soundSettings<Settings extends Partial<EndpointSettings>>(
  { targetRules }: EndpointDeps,
  settings: Settings,
): Settings {
  const { url, eventTypes } = settings;
  const target = url === undefined ? null : readTarget(url, targetRules);
  if (target && 'refusal' in target) {
    const { refusal: message } = target;
    throw new ApiError('unprocessable', message, { faults: [{ where: 'url', message }] });
  }
  const inOrder = eventTypes && allEventTypes.filter((type) => eventTypes.includes(type));
  return {
    ...settings,
    ...(target && { url: target.url }),
    ...(inOrder && { eventTypes: inOrder }),
  };
}
