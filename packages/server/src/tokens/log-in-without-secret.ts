import type { Vault } from '@servery/support/secret.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { ApiClient } from '../clients/client-store.ts';
import { addSecret } from '../clients/clients.ts';
import { findLogin } from '../clients/grant-store.ts';
import { recordClientChange } from '../clients/record-client.ts';
import { ApiError } from '../http/errors.ts';
import { type IssueTokenDeps, issueToken } from './issue-token.ts';

export interface WithoutSecretDeps extends IssueTokenDeps {
  readonly vault: Vault;
}

const ALL_SCOPES = '';
const SECRET_MS = 3_600_000;

/**
 * A token of the client as if it logged in itself. A token belongs to a secret (AUTH-10), so a
 * client without one gets one that nobody knows and that soon ends.
 */
export async function logInWithoutSecret(
  deps: WithoutSecretDeps,
  client: ApiClient,
  nowMs: number,
  origin: ChangeOrigin,
): Promise<string> {
  const { clientId } = client;
  const login = await findLogin(deps.database.sql, clientId, ALL_SCOPES);
  const live = login?.secrets.find(
    ({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs,
  );
  const secretGuid = live?.guid ?? (await addUnknownSecret(deps, clientId, nowMs, origin));
  const request = { client, secretGuid, narrowedTo: ALL_SCOPES };
  return (await issueToken(deps, request, null, nowMs)).accessToken;
}

async function addUnknownSecret(
  { database, vault }: WithoutSecretDeps,
  clientId: string,
  nowMs: number,
  origin: ChangeOrigin,
): Promise<string> {
  const secret = { label: 'replay', expiresAt: new Date(nowMs + SECRET_MS), by: origin.by };
  const added = await database.transaction((sql) =>
    recordClientChange(sql, origin, clientId, () =>
      addSecret({ sql, vault }, clientId, nowMs, secret),
    ),
  );
  return added.secretGuid;
}

/** Throws ApiError `conflict`. */
export function requireActive(client: ApiClient | null, clientId: string): ApiClient {
  if (client && !client.revoked) return client;
  throw new ApiError(
    'conflict',
    client
      ? `The client ${clientId} was revoked: nobody can send requests as it anymore.`
      : `The client ${clientId} does not exist there: create it, or replay into another sandbox.`,
  );
}
