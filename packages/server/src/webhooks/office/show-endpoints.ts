import type { WebhookEndpoint } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import { withInstantTexts } from '../../text/instant.ts';
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
  const healths = await listEndpointHealth(sql, guids, new Date(nowMs - DAY_MS));
  const secrets = await listWebhookSecrets(sql, guids);
  return endpoints.map((endpoint) => {
    const health = healths.find(({ endpointGuid }) => endpointGuid === endpoint.guid);
    if (!health) throw new Error('an endpoint has no queue');
    const own = secrets.filter(({ endpointGuid }) => endpointGuid === endpoint.guid);
    return endpointOnWire(endpoint, health, signingSecrets(own, nowMs));
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

function endpointOnWire(
  endpoint: EndpointView,
  { endpointGuid: _, ...health }: EndpointHealth,
  secrets: readonly WebhookSecretView[],
): WebhookEndpoint {
  const { clientName, stateBy, failingSince, probes, archivedBy, ...rest } = endpoint;
  const { stateDetail, failures, probeAt, archivedAt, ...shown } = rest;
  return {
    ...withInstantTexts({
      ...shown,
      ...health,
      stateSince: archivedAt ?? endpoint.stateSince,
      nextProbeAt: archivedAt ? null : probeAt,
    }),
    state: archivedAt ? 'ARCHIVED' : endpoint.state,
    pauseReason: endpoint.state === 'PAUSED' && !archivedAt ? endpoint.stateReason : null,
    stateReason: archivedAt ? null : stateDetail,
    consecutiveFailures: failures,
    secrets: secrets.map(({ guid, label, createdAt, expiresAt }) =>
      withInstantTexts({ guid, label, createdAt, expiresAt }),
    ),
  };
}
