import { insertEntry } from '../../audit/entry-store.ts';
import { type SystemOriginDeps, systemOrigin } from '../../audit/origin.ts';
import type { Sql } from '../../database/database.ts';
import type { EndpointKey, EndpointStanding } from '../endpoints/endpoint-store.ts';

/** The endpoint loses the reason later; the audit log keeps it. */
export async function recordStandingChange(
  sql: Sql,
  deps: SystemOriginDeps,
  before: EndpointKey & EndpointStanding,
  after: EndpointStanding,
): Promise<void> {
  if (before.state === after.state && before.stateReason === after.stateReason) return;
  const { partnerGuid, endpointGuid } = before;
  const operation = after.state === 'ACTIVE' ? 'webhooks.resume' : 'webhooks.pause';
  await insertEntry(sql, systemOrigin(deps, 'webhooks', operation), {
    subject: { kind: 'webhookEndpoint', id: endpointGuid },
    partnerGuid,
    before: documentOf(before),
    after: documentOf(after),
  });
}

function documentOf({ state, stateReason, stateDetail, stateSince, failures }: EndpointStanding) {
  return { state, stateReason, stateDetail, stateSince, failures };
}
