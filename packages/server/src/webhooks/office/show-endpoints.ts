import type { WebhookEndpoint, WebhookSecret } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import {
  type EndpointHealth,
  type EndpointView,
  listEndpointHealth,
} from '../endpoints/endpoint-store.ts';
import { listWebhookSecrets, type WebhookSecretView } from '../endpoints/secret-store.ts';
import { signingSecrets } from '../endpoints/secrets.ts';

const DAY_MS = 86_400_000;

export async function showEndpoints(
  sql: Sql,
  endpoints: readonly EndpointView[],
  nowMs: number,
): Promise<WebhookEndpoint[]> {
  if (endpoints.length === 0) return [];
  const guids = endpoints.map(({ guid }) => guid);
  const since = new Date(nowMs - DAY_MS);
  const healths = new Map(
    (await listEndpointHealth(sql, guids, since)).map((health) => [health.endpointGuid, health]),
  );
  const secrets = Map.groupBy(
    await listWebhookSecrets(sql, guids),
    ({ endpointGuid }) => endpointGuid,
  );
  return endpoints.map((endpoint) => {
    const health = healths.get(endpoint.guid);
    if (!health) throw new Error('an endpoint has no queue');
    const own = signingSecrets(secrets.get(endpoint.guid) ?? [], nowMs);
    return endpointOnWire({ endpoint, health, secrets: own });
  });
}

export async function showEndpoint(
  sql: Sql,
  endpoint: EndpointView,
  nowMs: number,
): Promise<WebhookEndpoint> {
  const [shown] = await showEndpoints(sql, [endpoint], nowMs);
  if (!shown) throw new Error('an endpoint was not shown');
  return shown;
}

interface ShownEndpoint {
  readonly endpoint: EndpointView;
  readonly health: EndpointHealth;
  readonly secrets: readonly WebhookSecretView[];
}

function endpointOnWire({ endpoint, health, secrets }: ShownEndpoint): WebhookEndpoint {
  return {
    guid: endpoint.guid,
    partnerGuid: endpoint.partnerGuid,
    partnerName: endpoint.partnerName,
    clientId: endpoint.clientId,
    url: endpoint.url,
    description: endpoint.description,
    eventTypes: endpoint.eventTypes && [...endpoint.eventTypes],
    connectTimeoutMs: endpoint.connectTimeoutMs,
    answerTimeoutMs: endpoint.answerTimeoutMs,
    retryDelaysSeconds: [...endpoint.retryDelaysS],
    isOrdered: endpoint.isOrdered,
    ...standingOnWire(endpoint),
    queued: health.queued,
    oldestQueuedAt: textOf(health.oldestQueuedAt),
    deadLetters: health.dead,
    attemptsLastDay: health.attempts,
    deliveredLastDay: health.acknowledged,
    lastDeliveredAt: textOf(health.lastAcknowledgedAt),
    secrets: secrets.map(secretOnWire),
    createdAt: isoTimestamp(endpoint.createdAt),
    createdBy: endpoint.createdBy,
    modifiedAt: isoTimestamp(endpoint.modifiedAt),
  };
}

function standingOnWire(endpoint: EndpointView) {
  const { archivedAt } = endpoint;
  return {
    state: archivedAt ? ('ARCHIVED' as const) : endpoint.state,
    pauseReason: endpoint.state === 'PAUSED' && !archivedAt ? endpoint.stateReason : null,
    stateReason: archivedAt ? null : endpoint.stateDetail,
    stateSince: isoTimestamp(archivedAt ?? endpoint.stateSince),
    consecutiveFailures: endpoint.failures,
    nextProbeAt: archivedAt ? null : textOf(endpoint.probeAt),
  };
}

function secretOnWire({ guid, label, createdAt, expiresAt }: WebhookSecretView): WebhookSecret {
  return { guid, label, createdAt: isoTimestamp(createdAt), expiresAt: textOf(expiresAt) };
}

function textOf(instant: Date | null): string | null {
  return instant && isoTimestamp(instant);
}
