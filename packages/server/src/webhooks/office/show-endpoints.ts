import type { WebhookEndpoint } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import { type EndpointView, listEndpointHealth } from '../endpoints/endpoint-store.ts';
import { listWebhookSecrets } from '../endpoints/secret-store.ts';
import { signingSecrets } from '../endpoints/secrets.ts';
import { endpointOnWire } from './present.ts';

const DAY_MS = 86_400_000;

/** Endpoints in wire form, with their queues, their last day and the secrets that sign now. */
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

/** One endpoint in wire form. */
export async function showEndpoint(
  sql: Sql,
  endpoint: EndpointView,
  nowMs: number,
): Promise<WebhookEndpoint> {
  const [shown] = await showEndpoints(sql, [endpoint], nowMs);
  if (!shown) throw new Error('an endpoint was not shown');
  return shown;
}
