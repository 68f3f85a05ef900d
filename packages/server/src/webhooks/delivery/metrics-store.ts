import type { Sql } from '../../database/database.ts';
import type { EndpointState, EndpointStateReason } from '../endpoints/endpoint-store.ts';
import { isReplayable } from './replayable-store.ts';

interface Count<Value> {
  readonly value: Value;
  readonly count: number;
}

export async function listEndpointCounts(sql: Sql): Promise<Count<EndpointState>[]> {
  return await sql<Count<EndpointState>[]>`
    select state as value, count(*)::integer as count from webhook_endpoint
    where archived_at is null group by state`;
}

export async function listPauseCounts(sql: Sql): Promise<Count<EndpointStateReason>[]> {
  return await sql<Count<EndpointStateReason>[]>`
    select state_reason as value, count(*)::integer as count from webhook_endpoint
    where archived_at is null and state = 'PAUSED' group by state_reason`;
}

/** Skips replayed ones, so that an alert ends when everything possible is done. */
export async function listDeadLetterCounts(sql: Sql, limit: number): Promise<Count<string>[]> {
  return await sql<Count<string>[]>`
    select d.endpoint_guid as value, count(*)::integer as count
    from webhook_delivery d
    join webhook_endpoint e on e.partner_guid = d.partner_guid and e.guid = d.endpoint_guid
    where e.archived_at is null and ${isReplayable(sql)}
    group by d.endpoint_guid order by count desc, d.endpoint_guid limit ${limit}`;
}

export interface EndpointQueue {
  readonly endpointGuid: string;
  readonly count: number;
  readonly oldest: Date;
}

export async function listQueues(sql: Sql, limit: number): Promise<EndpointQueue[]> {
  return await sql<EndpointQueue[]>`
    select endpoint_guid as "endpointGuid", count(*)::integer as count, min(queued_at) as oldest
    from webhook_delivery where state = 'QUEUED'
    group by endpoint_guid order by min(queued_at), endpoint_guid limit ${limit}`;
}
