import type { Static } from 'typebox';
import {
  answer,
  choice,
  demandedByHandler,
  epoch,
  limits,
  line,
  list,
  orNull,
  request,
  text,
  whole,
} from './field.ts';
import { Type } from './type.ts';

export const LoginRequest = request('Credentials of an API client.', {
  clientId: line('Identifier of the client.'),
  clientSecret: text('Secret of the client.', { format: 'password', ...limits.secret }),
  userAccessType: line('The brand in capitals followed by _MACHINE_CLIENT.'),
});
export type LoginRequest = Static<typeof LoginRequest>;

export const LoginToken = answer('An access token.', {
  tokenType: Type.Literal('Bearer', { description: 'How to send it: as a bearer token.' }),
  scope: orNull(text('Always null; the token itself carries its scopes.')),
  expiresIn: whole('Seconds until the token expires.', { minimum: 1 }),
  accessToken: text('The token, a signed JWT.'),
  idToken: orNull(text('Always null.')),
  refreshToken: orNull(text('Always null; log in again instead.')),
});
export type LoginToken = Static<typeof LoginToken>;

export const LoginResponse = answer('An access token in its envelope.', {
  '@class': Type.Literal('.SuccessfulResponse', { description: 'Always .SuccessfulResponse.' }),
  token: LoginToken,
  status: Type.Literal('SUCCESS', { description: 'Always SUCCESS.' }),
});
export type LoginResponse = Static<typeof LoginResponse>;

/** An empty form field counts as absent (RFC 6749, section 3.2). */
const formField = { '~emptyIsAbsent': true } as const;

const clientCredentials = {
  client_id: Type.Optional(line('Identifier of the client, if not sent by HTTP Basic.', formField)),
  client_secret: Type.Optional(
    text('Secret of the client, if not sent by HTTP Basic.', {
      format: 'password',
      ...limits.secret,
      ...formField,
    }),
  ),
};

export const TokenRequest = request(
  'Request for an access token (RFC 6749, section 4.4).',
  {
    grant_type: demandedByHandler(
      Type.Literal('client_credentials', {
        description: 'Always client_credentials.',
        ...formField,
      }),
    ),
    scope: Type.Optional(
      text('Requested scopes, separated by spaces; all scopes of the client if absent.', {
        maxLength: 4_096,
        ...formField,
      }),
    ),
    ...clientCredentials,
  },
  // After the credentials, and another grant type with its own RFC 6749 error.
  ['grant_type'],
);
export type TokenRequest = Static<typeof TokenRequest>;

export const TokenResponse = answer('An access token (RFC 6749, section 5.1).', {
  access_token: text('The token, a signed JWT.'),
  token_type: Type.Literal('Bearer', { description: 'How to send it: as a bearer token.' }),
  expires_in: whole('Seconds until the token expires.', { minimum: 1 }),
  scope: text('Scopes of the token, separated by spaces.'),
});
export type TokenResponse = Static<typeof TokenResponse>;

export const OAuthError = Type.Object(
  {
    error: choice('Code of the error.', [
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'unauthorized_client',
      'unsupported_grant_type',
      'unsupported_token_type',
      'invalid_scope',
      'server_error',
    ]),
    error_description: Type.Optional(text('What was wrong, and what to do.')),
    error_uri: Type.Optional(text('Page that explains the error.', { format: 'uri' })),
  },
  { description: 'Why no token was issued (RFC 6749, section 5.2).', additionalProperties: false },
);
export type OAuthError = Static<typeof OAuthError>;

export const TokenReference = request('Names a token (RFC 7662 and RFC 7009).', {
  token: demandedByHandler(text('The token.', { maxLength: 8_192, ...formField })),
  token_type_hint: Type.Optional(line('The type of the token; optional.')),
  ...clientCredentials,
});
export type TokenReference = Static<typeof TokenReference>;

export const IntrospectionResponse = Type.Object(
  {
    active: Type.Boolean({
      description: 'Whether the token is live. If not, all other fields are absent.',
    }),
    scope: Type.Optional(text('Scopes, separated by spaces.')),
    client_id: Type.Optional(text('Client that the token was issued to.')),
    token_type: Type.Optional(text('Bearer.')),
    exp: Type.Optional(epoch('When it expires, in seconds since the epoch.')),
    iat: Type.Optional(epoch('When it was issued, in seconds since the epoch.')),
    sub: Type.Optional(text('Subject: the client identifier followed by @clients.')),
    aud: Type.Optional(
      Type.Union([text('The audience.'), list(text('An audience.'), 'The audiences.')], {
        description: 'Who the token is for.',
      }),
    ),
    iss: Type.Optional(text('Issuer.')),
    jti: Type.Optional(text('Identifier of the token.')),
  },
  { description: 'What a token is (RFC 7662).', additionalProperties: false },
);
export type IntrospectionResponse = Static<typeof IntrospectionResponse>;

/** Empty: a revocation always succeeds (AUTH-6, RFC 7009). */
export const RevocationResponse = answer('Nothing: a revocation always succeeds (RFC 7009).', {});
export type RevocationResponse = Static<typeof RevocationResponse>;

const values = (description: string) => list(text('A value.'), description);

export const AuthorizationServerMetadata = Type.Object(
  {
    issuer: text('The issuer of tokens.', { format: 'uri' }),
    token_endpoint: text('Where tokens are issued.', { format: 'uri' }),
    jwks_uri: text('Where the keys that verify tokens are published.', { format: 'uri' }),
    introspection_endpoint: text('Where a token is looked up.', { format: 'uri' }),
    revocation_endpoint: text('Where a token is revoked.', { format: 'uri' }),
    scopes_supported: values('Every scope.'),
    response_types_supported: values('Empty: there is no authorization endpoint.'),
    grant_types_supported: values('client_credentials only.'),
    token_endpoint_auth_methods_supported: values('How clients authenticate.'),
    introspection_endpoint_auth_methods_supported: values('How clients authenticate.'),
    revocation_endpoint_auth_methods_supported: values('How clients authenticate.'),
    service_documentation: Type.Optional(text('Documentation.', { format: 'uri' })),
  },
  { description: 'A description of the token service (RFC 8414).', additionalProperties: false },
);
export type AuthorizationServerMetadata = Static<typeof AuthorizationServerMetadata>;
