import { type ChangeOrigin, insertEntry } from '../../audit/entry-store.ts';
import type { Sql } from '../../database/database.ts';
import { everywhere } from '../../support/due-work.ts';
import { findEndpoint } from './endpoint-store.ts';
import { listWebhookSecrets } from './secret-store.ts';

/** They change with each attempt, not by a decision, so the audit log leaves them out. */
const counters = ['failures', 'failingSince', 'probes', 'probeAt'] as const;

/**
 * Writes the audit log in the same transaction, without secrets, and only when something differs.
 */
export async function recordEndpointChange<Result>(
  sql: Sql,
  origin: ChangeOrigin,
  endpointGuid: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await documentOf(sql, endpointGuid);
  const result = await change();
  const after = await documentOf(sql, endpointGuid);
  const known = after ?? before;
  if (!known || JSON.stringify(before) === JSON.stringify(after)) return result;
  await insertEntry(sql, origin, {
    subject: { kind: 'webhookEndpoint', id: endpointGuid },
    partnerGuid: known.partnerGuid,
    before,
    after,
  });
  return result;
}

async function documentOf(sql: Sql, endpointGuid: string) {
  const view = await findEndpoint(sql, endpointGuid, everywhere);
  if (!view) return null;
  const { partnerName: _, clientName: __, ...document } = view;
  const left: readonly string[] = counters;
  const kept = Object.entries(document).filter(([name]) => !left.includes(name));
  const secrets = (await listWebhookSecrets(sql, [endpointGuid])).map(
    ({ endpointGuid: _endpoint, ...secret }) => secret,
  );
  return { ...Object.fromEntries(kept), partnerGuid: view.partnerGuid, secrets };
}
