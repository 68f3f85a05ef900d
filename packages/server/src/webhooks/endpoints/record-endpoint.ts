import { type ChangeOrigin, insertEntry } from '../../audit/entry-store.ts';
import type { Sql } from '../../database/database.ts';
import { everywhere } from '../../support/due-work.ts';
import { findEndpoint } from './endpoint-store.ts';
import { listWebhookSecrets } from './secret-store.ts';

/**
 * Writes the audit log in the same transaction, without secrets, and only when something differs.
 */
export async function recordEndpointChange(
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
