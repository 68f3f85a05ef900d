import type { WebhookEndpoint, WebhookSecret } from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { EndpointHealth, EndpointView } from '../endpoints/endpoint-store.ts';
import type { WebhookSecretView } from '../endpoints/secret-store.ts';

/** An endpoint with what is told of it beside its settings. */
export interface ShownEndpoint {
  readonly endpoint: EndpointView;
  readonly health: EndpointHealth;
  /** Those that it is signed for with now, the newest first. */
  readonly secrets: readonly WebhookSecretView[];
}

/** An endpoint in wire form. */
export function endpointOnWire({ endpoint, health, secrets }: ShownEndpoint): WebhookEndpoint {
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
