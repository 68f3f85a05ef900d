import { isScope, orderedScopes } from '../../clients/clients.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { type IssueTokenDeps, issueToken } from '../issue-token.ts';
import type { LogInDeps } from '../log-in.ts';
import { noStore, oauthRefused } from '../oauth-refused.ts';
import { authenticateClient } from './authenticate-client.ts';

/** What the handler needs. */
export type TokenDeps = LogInDeps & IssueTokenDeps;

/** Issues an access token by the client credentials grant (RFC 6749 section 4.4). */
export const tokenHandler =
  (deps: TokenDeps): HandlerOf<'auth.token'> =>
  async (request) => {
    const { body, nowMs } = request;
    const asked = readScopes(body.scope);
    const { client, secret } = await authenticateClient(deps, request, asked ?? '');
    if (body.grant_type !== 'client_credentials') {
      throw oauthRefused('unsupported_grant_type', 'The grant_type must be client_credentials.');
    }
    const held = client.scopes.join(' ');
    const isMissing = (scope: string) => !(client.scopes as readonly string[]).includes(scope);
    if (asked === null || asked.split(' ').filter(Boolean).some(isMissing)) {
      throw oauthRefused('invalid_scope', 'The client does not have all of the requested scopes.');
    }
    // A request for everything is the plain login, so that both endpoints give one token.
    const isWhole = asked === '' || asked === held;
    const narrowedTo = isWhole ? '' : asked;
    const token = await issueToken(
      deps,
      { client, secretGuid: secret.guid, narrowedTo },
      // What was read is about the requested scopes.
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

/** The requested scopes, sorted, without repeats; empty for none, null when one does not exist. */
function readScopes(scope: string | undefined): string | null {
  if (scope === undefined) return '';
  const names = scope.split(' ').filter(Boolean);
  return names.every(isScope) ? orderedScopes(names).join(' ') : null;
}
