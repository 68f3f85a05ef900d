import { credentialBytesAtMost, operation, type RequestBody } from './operation.ts';

const common = { interface: 'authentication', tag: 'Authentication', security: 'none' } as const;

const form = <const Name extends RequestBody['schema']>(schema: Name) =>
  ({
    schema,
    array: false,
    contentTypes: ['application/x-www-form-urlencoded'],
    required: true,
    maxBytes: credentialBytesAtMost,
  }) as const;

export const authenticationOperations = [
  operation({
    ...common,
    id: 'auth.login',
    method: 'POST',
    path: '/authentication/v1/authentication/login',
    summary: 'Log in an API client',
    description:
      'Returns an access token. A repeated login returns the same token, until its last minute, ' +
      'with its remaining lifetime. Keep the token and use it until it expires.',
    requestBody: {
      schema: 'LoginRequest',
      array: false,
      contentTypes: ['application/json'],
      required: true,
      maxBytes: credentialBytesAtMost,
    },
    response: { schema: 'LoginResponse', array: false },
    also: [401],
  }),
  operation({
    ...common,
    id: 'auth.token',
    method: 'POST',
    path: '/oauth/token',
    summary: 'Issue an access token',
    description:
      'The client credentials grant of RFC 6749. The client authenticates with HTTP Basic or ' +
      'form fields.',
    requestBody: form('TokenRequest'),
    response: { schema: 'TokenResponse', array: false },
    also: [401],
  }),
  operation({
    ...common,
    id: 'auth.introspect',
    method: 'POST',
    path: '/oauth/introspect',
    summary: 'Look up a token',
    description:
      'Returns what a token is (RFC 7662). The client authenticates as it does for a token.',
    requestBody: form('TokenReference'),
    response: { schema: 'IntrospectionResponse', array: false },
    also: [401],
  }),
  operation({
    ...common,
    id: 'auth.revoke',
    method: 'POST',
    path: '/oauth/revoke',
    summary: 'Revoke a token',
    description:
      'Revokes a token of the client at once (RFC 7009). Revoking a token that is not live is ' +
      'not an error. The client authenticates as it does for a token.',
    requestBody: form('TokenReference'),
    response: { schema: 'RevocationResponse', array: false },
    also: [401],
  }),
  operation({
    ...common,
    id: 'auth.metadata',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Describe the token service',
    description: 'Returns the endpoints of the token service, for OAuth libraries (RFC 8414).',
    response: { schema: 'AuthorizationServerMetadata', array: false },
  }),
  operation({
    ...common,
    id: 'auth.jwks',
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'List the signing keys',
    description: 'Returns the public keys that access tokens are signed with (RFC 7517).',
    response: { schema: 'JsonWebKeySet', array: false },
  }),
] as const;
