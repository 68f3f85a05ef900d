import { isScope, orderedScopes } from '../../clients/clients.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { authenticateClient } from '../client-authentication.ts';
import { type IssueTokenDeps, issueToken } from '../issue-token.ts';
import type { LogInDeps } from '../log-in.ts';
import { noStore, oauthRefused } from '../oauth-refused.ts';

export type TokenDeps = LogInDeps & IssueTokenDeps;

export const tokenHandler =
  (deps: TokenDeps): HandlerOf<'auth.token'> =>
  async (request) => {
    const { body, nowMs } = request;
    const asked = readScopes(body.scope);
    const { client, secret } = await authenticateClient(deps, request, asked ?? '');
    if (body.grant_type === undefined) {
      throw oauthRefused('invalid_request', 'grant_type is missing: send client_credentials.');
    }
    if (body.grant_type !== 'client_credentials') {
      throw oauthRefused('unsupported_grant_type', 'The grant_type must be client_credentials.');
    }
    const held = client.scopes.join(' ');
    const isMissing = (scope: string) => !(client.scopes as readonly string[]).includes(scope);
    if (asked === null || asked.split(' ').filter(Boolean).some(isMissing)) {
      throw oauthRefused('invalid_scope', 'The client does not have all of the requested scopes.');
    }
    // Asking for all scopes is a plain login, so that both endpoints give the same token.
    const isWhole = asked === '' || asked === held;
    const narrowedTo = isWhole ? '' : asked;
    const token = await issueToken(
      deps,
      { client, secretGuid: secret.guid, narrowedTo },
      narrowedTo === asked ? secret : null,
      nowMs,
    );
    return {
      json: {
        access_token: token.accessToken,
        token_type: 'Bearer',
        expires_in: token.expiresInSeconds,
        scope: isWhole ? held : asked,
      },
      headers: noStore,
    };
  };

/** Empty for none, null when one doesn't exist. */
function readScopes(scope: string | undefined): string | null {
  if (scope === undefined) return '';
  const names = scope.split(' ').filter(Boolean);
  return names.every(isScope) ? orderedScopes(names).join(' ') : null;
}
