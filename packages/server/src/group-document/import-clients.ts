import type { Vault } from '@servery/support/secret.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import { type ApiClient, findClient, findSharedPartner } from '../clients/client-store.ts';
import { updateClientText } from '../clients/client-view-store.ts';
import { type ClientCredentials, createClient, setScopes } from '../clients/clients.ts';
import { recordClientChange } from '../clients/record-client.ts';
import { revokeAccount } from '../clients/revoke-account.ts';
import type { Sql } from '../database/database.ts';
import type { ClientContents, GroupContents } from './contents.ts';
import { ImportRefused } from './import-refused.ts';

/** `sql` is the import's transaction. */
export interface ImportClientsDeps {
  readonly sql: Sql;
  readonly vault: Vault;
  readonly origin: ChangeOrigin;
}

/**
 * Gives the credentials of new accounts, which can't be shown again. Revokes `knownClients` (the
 * group's live ones) that the document doesn't name, except those of a partner that another group
 * has too. Throws ImportRefused for an id that belongs to somebody else.
 */
export async function importClients(
  deps: ImportClientsDeps,
  contents: GroupContents,
  knownClients: readonly ApiClient[],
  nowMs: number,
): Promise<(ClientCredentials & { readonly name: string })[]> {
  const { origin } = deps;
  const { clients, group } = contents;
  if (clients === null) return [];
  const named = new Set(clients.map(({ clientId }) => clientId));
  for (const known of knownClients) {
    if (named.has(known.clientId)) continue;
    const { partnerGuid } = known;
    if (partnerGuid && (await findSharedPartner(deps.sql, group.guid, partnerGuid))) continue;
    await revokeAccount(deps.sql, known.clientId, origin);
  }
  const created: (ClientCredentials & { name: string })[] = [];
  for (const client of clients) {
    const credentials = await recordClientChange(deps.sql, origin, client.clientId, () =>
      importClient(deps, client, group.guid, nowMs),
    );
    if (credentials) created.push({ ...credentials, name: client.name });
  }
  return created;
}

async function importClient(
  deps: ImportClientsDeps,
  client: ClientContents,
  groupGuid: string,
  nowMs: number,
): Promise<ClientCredentials | null> {
  const { clientId, name, type, partnerGuid, scopes, holdsLegacyCardKey } = client;
  const managementGroupGuid = type === 'CUSTOMER' ? groupGuid : null;
  const known = await findClient(deps.sql, clientId);
  if (!known) {
    const input = {
      clientId,
      name,
      type,
      partnerGuid,
      managementGroupGuid,
      scopes,
      holdsLegacyCardKey,
      secret: { by: deps.origin.by },
    };
    return createClient(deps, input, nowMs);
  }
  if (known.revoked) {
    throw new ImportRefused(
      `The account ${clientId} was revoked, and a revoked account does not come back: ` +
        'give it another clientId or key.',
    );
  }
  const isOther = known.type !== type || known.partnerGuid !== partnerGuid;
  if (isOther || known.managementGroupGuid !== managementGroupGuid) {
    throw new ImportRefused(
      `The account ${clientId} belongs to somebody else: give this one another clientId or key.`,
    );
  }
  await updateClientText(deps.sql, clientId, { name, holdsLegacyCardKey });
  await setScopes(deps, clientId, scopes, nowMs);
  return null;
}
