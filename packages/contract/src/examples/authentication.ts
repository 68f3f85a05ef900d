import { machineClientAccessType } from '../brand.ts';
import { partnerScopes } from '../scopes.ts';
import { type Examples, exampleGuid } from './example.ts';

const clientId = exampleGuid(70);
const accessToken = 'header.claims.signature';
const baseUrl = 'https://localhost:4443';

export const authenticationExamples = (
  brand: string,
): Examples<
  | 'AuthorizationServerMetadata'
  | 'HealthReport'
  | 'IntrospectionResponse'
  | 'JsonWebKeySet'
  | 'LoginRequest'
  | 'LoginResponse'
  | 'RevocationResponse'
  | 'TokenReference'
  | 'TokenRequest'
  | 'TokenResponse'
> => ({
  LoginRequest: {
    clientId,
    clientSecret: 'not-a-real-secret',
    userAccessType: machineClientAccessType(brand),
  },
  LoginResponse: {
    '@class': '.SuccessfulResponse',
    token: {
      tokenType: 'Bearer',
      scope: null,
      expiresIn: 86400,
      accessToken,
      idToken: null,
      refreshToken: null,
    },
    status: 'SUCCESS',
  },
  TokenRequest: { grant_type: 'client_credentials', scope: 'config:read stock:read' },
  TokenResponse: {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 86400,
    scope: 'config:read stock:read',
  },
  TokenReference: { token: accessToken },
  IntrospectionResponse: {
    active: true,
    scope: 'config:read stock:read',
    client_id: clientId,
    token_type: 'Bearer',
    exp: 1769968800,
    iat: 1769882400,
    sub: `${clientId}@clients`,
    iss: baseUrl,
  },
  RevocationResponse: {},
  AuthorizationServerMetadata: {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/oauth/token`,
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    scopes_supported: [...partnerScopes],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  },
  JsonWebKeySet: {
    keys: [{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: '2026-01', n: 'sXchDaQebH', e: 'AQAB' }],
  },
  HealthReport: { status: 'ready', reason: null },
});
