import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { everywhere } from '../support/due-work.ts';
import { type ClientView, findClientView, listSecretViews } from './client-view-store.ts';

type Document = Readonly<Record<string, unknown>>;

/**
 * Writes the audit log in the same transaction, or nothing when nothing differs. The audit log
 * never holds a secret or its digest.
 */
export async function recordClientChange<Result>(
  sql: Sql,
  origin: ChangeOrigin,
  clientId: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await documentOf(sql, clientId);
  const result = await change();
  const after = await documentOf(sql, clientId);
  const client = after ?? before;
  if (!client || JSON.stringify(before?.document) === JSON.stringify(after?.document)) {
    return result;
  }
  await insertEntry(sql, origin, {
    subject: { kind: 'client', id: clientId },
    managementGroupGuid: client.view.managementGroupGuid,
    partnerGuid: client.view.partnerGuid,
    before: before?.document ?? null,
    after: after?.document ?? null,
  });
  return result;
}

/** Leaves out the last use, which is no change. */
async function documentOf(
  sql: Sql,
  clientId: string,
): Promise<{ readonly view: ClientView; readonly document: Document } | null> {
  const view = await findClientView(sql, clientId, everywhere);
  if (!view) return null;
  const { partnerName: _, managementGroupName: __, lastUsedAt: ___, ...document } = view;
  const secrets = (await listSecretViews(sql, [clientId])).map(
    ({ clientId: _client, lastUsedAt: _used, ...secret }) => secret,
  );
  return { view, document: { ...document, secrets } };
}
