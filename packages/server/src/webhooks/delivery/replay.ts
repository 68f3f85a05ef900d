import type { WebhookReplay } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { insertEntry } from '../../audit/entry-store.ts';
import type { Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { type EndpointView, listScopesOfClient } from '../endpoints/endpoint-store.ts';
import {
  type EndpointAuthority,
  type EndpointDeps,
  findManagedEndpoint,
  keyOf,
  requireLive,
} from '../endpoints/endpoints.ts';
import { typesFor } from '../events/types-for.ts';
import { insertReplayDeliveries, updateExtraNumber } from './queue-store.ts';
import {
  findReplayBounds,
  findRequestedReplay,
  insertReplays,
  type ReplayBounds,
  type ReplaySelection,
  updateDeadReplayed,
} from './replay-store.ts';

export interface AskedReplay {
  readonly endpointGuid: string;
  readonly selection: ReplaySelection;
  /** Null when the caller did not count first. */
  readonly expectedCount: number | null;
  /** Makes the request idempotent; generated when absent or null. */
  readonly requestGuid?: string | null;
}

/** More would lock the endpoint's row for seconds. */
const REPLAYS_AT_MOST = 50_000;

/** Throws ApiError `notFound`, and the same as `replayEvents` for the endpoint's state. */
export async function countReplay(
  { database }: Pick<EndpointDeps, 'database'>,
  { endpointGuid, selection }: Pick<AskedReplay, 'endpointGuid' | 'selection'>,
  { reach }: Pick<EndpointAuthority, 'reach'>,
): Promise<ReplayBounds> {
  const endpoint = await findManagedEndpoint(database.sql, endpointGuid, reach);
  requireTold(endpoint);
  return await findReplayBounds(database.sql, await scopeOf(database.sql, endpoint, selection));
}

/**
 * Queues the events in order behind everything that waits; the partner's streams get them too.
 * Idempotent by request GUID. Throws ApiError `notFound`, and `conflict` for an archived or
 * disabled endpoint, more than 50,000 events, or an unexpected count.
 */
export async function replayEvents(
  { database }: Pick<EndpointDeps, 'database'>,
  { endpointGuid, selection, expectedCount, requestGuid: known = null }: AskedReplay,
  { reach, origin }: EndpointAuthority,
): Promise<ReplayBounds & Pick<WebhookReplay, 'requestGuid'>> {
  // The count and the written events must come from the same snapshot.
  const options = { isolation: 'repeatable read' } as const;
  return await database.transaction(async (sql) => {
    const endpoint = await findManagedEndpoint(sql, endpointGuid, reach, { isLocked: true });
    requireTold(endpoint);
    const before = known && (await findRequestedReplay(sql, keyOf(endpoint), known));
    if (before) return { ...before, requestGuid: known };
    const scope = await scopeOf(sql, endpoint, selection);
    const bounds = await findReplayBounds(sql, scope);
    requireCount(bounds.count, expectedCount);
    if (bounds.count === 0) return { ...bounds, requestGuid: null };
    const requestGuid = known ?? newGuid();
    const first = await updateExtraNumber(sql, endpoint.partnerGuid, bounds.count);
    await insertReplays(sql, { ...scope, requestGuid, first, at: origin.at });
    const guids = Array.from({ length: bounds.count }, () => newGuid());
    await insertReplayDeliveries(sql, { ...keyOf(endpoint), first, guids, at: origin.at });
    await updateDeadReplayed(sql, keyOf(endpoint), first);
    await insertEntry(sql, origin, {
      subject: { kind: 'webhookEndpoint', id: endpointGuid },
      partnerGuid: endpoint.partnerGuid,
      before: null,
      after: { replay: { requestGuid, selection, ...bounds } },
    });
    return { ...bounds, requestGuid };
  }, options);
}

/** Throws ApiError `conflict` for an archived or disabled endpoint. */
export function requireTold(endpoint: EndpointView): void {
  requireLive(endpoint);
  if (endpoint.state !== 'DISABLED') return;
  throw new ApiError(
    'conflict',
    'The endpoint is disabled, so nothing is queued for it: resume it first.',
  );
}

function requireCount(count: number, expectedCount: number | null): void {
  if (expectedCount !== null && count !== expectedCount) {
    throw new ApiError(
      'conflict',
      `There are now ${count} events instead of ${expectedCount}: count them again.`,
    );
  }
  if (count <= REPLAYS_AT_MOST) return;
  throw new ApiError(
    'conflict',
    `These are ${count} events, but at most ${REPLAYS_AT_MOST} can be replayed at once: choose a range.`,
  );
}

async function scopeOf(
  sql: Sql,
  { partnerGuid, guid, clientId, eventTypes }: EndpointView,
  selection: ReplaySelection,
) {
  const allowedTypes = typesFor(new Set(await listScopesOfClient(sql, clientId)));
  return { partnerGuid, endpointGuid: guid, eventTypes, allowedTypes, selection };
}
