import type { HandlerOf } from '../../http/operation.ts';
import { TokenRefused } from '../access-tokens.ts';
import { authenticateClient, sentToken } from '../client-authentication.ts';
import { type InspectTokenDeps, inspectToken } from '../inspect-token.ts';
import { audience, type Issuer, issuerIdentifier } from '../issuer.ts';
import type { LogInDeps } from '../log-in.ts';
import { noStore } from '../oauth-refused.ts';

export interface IntrospectDeps extends LogInDeps, InspectTokenDeps {
  readonly issuer: Issuer;
}

/** A client learns nothing about another's token, not even that it is live. */
export const introspectHandler =
  (deps: IntrospectDeps): HandlerOf<'auth.introspect'> =>
  async (request) => {
    const { client } = await authenticateClient(deps, request);
    const live = await inspectToken(deps, sentToken(request.body), request.nowMs).catch((error) => {
      if (error instanceof TokenRefused) return null;
      throw error;
    });
    if (live?.claims.clientId !== client.clientId) {
      return { json: { active: false }, headers: noStore };
    }
    const { claims, scopes } = live;
    const json = {
      active: true,
      scope: scopes.join(' '),
      client_id: claims.clientId,
      token_type: 'Bearer',
      exp: claims.expiresAt,
      iat: claims.issuedAt,
      sub: claims.subject,
      aud: audience(deps.issuer),
      iss: issuerIdentifier(deps.issuer),
      jti: claims.jti,
    } as const;
    return { json, headers: noStore };
  };
