import type { Sql } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { answerPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import {
  type ClientPlace,
  type ClientView,
  listClientViews,
  listSecretViews,
} from '../client-view-store.ts';
import type { ClientAdminDeps } from '../managed-client.ts';
import { clientOnWire } from './on-wire.ts';

export function listClientsHandler({
  database: { sql },
  vault,
}: ClientAdminDeps): HandlerOf<'backOffice.clients.list'> {
  const tokens = pageTokens(vault, 'backOffice.clients');
  return ({ query: sent, reach, nowMs }) =>
    answerPage(sent, {
      tokens,
      list: async (query, after: ClientPlace | null, limit) =>
        withSecrets(sql, await listClientViews(sql, { reach, ...query }, after, limit)),
      placeOf: ({ createdAt, clientId }) => ({ createdAt: createdAt.toISOString(), clientId }),
      onWire: (client) => clientOnWire(client, nowMs),
    });
}

async function withSecrets(sql: Sql, clients: readonly ClientView[]) {
  const ids = clients.map(({ clientId }) => clientId);
  const secrets = Map.groupBy(await listSecretViews(sql, ids), ({ clientId }) => clientId);
  return clients.map((client) => ({ ...client, secrets: secrets.get(client.clientId) ?? [] }));
}
