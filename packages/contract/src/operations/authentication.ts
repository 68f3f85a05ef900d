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

/** The operations of the token service. */
export const authenticationOperations = [
  operation({
    ...common,
    id: 'auth.login',
    method: 'POST',
    path: '/authentication/v1/authentication/login',
    summary: 'Log in an API client',
    description:
      'Answers an access token. A repeated login answers the same token with the time it still ' +
      'lives, until its last minute. Keep the token and use it until it ends.',
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
      'The client credentials grant of RFC 6749. The client authenticates by HTTP ' +
      'Basic or in the form.',
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
    description: 'Tells what a token is (RFC 7662). The client authenticates as for a token.',
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
      'Ends a token of the client at once (RFC 7009); a token that is not live is no error. The ' +
      'client authenticates as for a token.',
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
    description: 'Tells OAuth libraries where the doors of the token service are (RFC 8414).',
    response: { schema: 'AuthorizationServerMetadata', array: false },
  }),
  operation({
    ...common,
    id: 'auth.jwks',
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'List the signing keys',
    description: 'Answers the public keys that access tokens are signed with (RFC 7517).',
    response: { schema: 'JsonWebKeySet', array: false },
  }),
] as const;
