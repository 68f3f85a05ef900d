import { type AuthorizationServerMetadata, partnerScopes } from '@servery/contract';
import type { HandlerOf } from '../../http/operation.ts';
import { type Issuer, issuerIdentifier } from '../issuer.ts';
import { publicForAnHour } from './jwks.ts';

const AUTHENTICATION_METHODS = ['client_secret_basic', 'client_secret_post'];

export const metadataHandler =
  ({ issuer }: { readonly issuer: Issuer }): HandlerOf<'auth.metadata'> =>
  async () => ({ json: metadata(issuer), headers: publicForAnHour });

function metadata(issuer: Issuer): AuthorizationServerMetadata {
  const base = issuer.baseUrl();
  return {
    issuer: issuerIdentifier(issuer),
    token_endpoint: `${base}/oauth/token`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    introspection_endpoint: `${base}/oauth/introspect`,
    revocation_endpoint: `${base}/oauth/revoke`,
    // Doesn't announce back office scopes to everybody (RFC 8414, 2).
    scopes_supported: [...partnerScopes],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
    introspection_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
    revocation_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
  };
}
