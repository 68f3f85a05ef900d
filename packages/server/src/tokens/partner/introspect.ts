import type { IntrospectionResponse } from '@servery/contract';
import type { HandlerOf } from '../../http/operation.ts';
import { TokenRefused } from '../access-tokens.ts';
import { type InspectTokenDeps, inspectToken } from '../inspect-token.ts';
import { audience, type Issuer, issuerIdentifier } from '../issuer.ts';
import type { LogInDeps } from '../log-in.ts';
import { noStore } from '../oauth-refused.ts';
import { authenticateClient, sentToken } from './authenticate-client.ts';

export interface IntrospectDeps extends LogInDeps, InspectTokenDeps {
  readonly issuer: Issuer;
}

export const introspectHandler =
  (deps: IntrospectDeps): HandlerOf<'auth.introspect'> =>
  async (request) => {
    const { client } = await authenticateClient(deps, request);
    const token = sentToken(request.body);
    const json = await introspect(deps, client.clientId, token, request.nowMs);
    return { json, headers: noStore };
  };

/** A client learns nothing about another's token, not even that it is live. */
async function introspect(
  deps: IntrospectDeps,
  clientId: string,
  token: string,
  nowMs: number,
): Promise<IntrospectionResponse> {
  try {
    const { claims, scopes } = await inspectToken(deps, token, nowMs);
    if (claims.clientId !== clientId) return { active: false };
    return {
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
    };
  } catch (error) {
    if (error instanceof TokenRefused) return { active: false };
    throw error;
  }
}
