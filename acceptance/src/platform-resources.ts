const state =
  'PENDING|AUTHORIZED|DENIED|ABORTED|UNKNOWN|REVERSAL_PENDING|REVERSED|APPLIED|' +
  'CAPTURE_SCHEDULED|CAPTURE_PENDING|CAPTURED|VOID_PENDING|VOIDED|REVIEW';
const algorithm = 'RSA-OAEP-SHA256|RSA-OAEP-SHA1|RSA-OAEP-256|ECDH-ES';

/**
 * The resources of the platform's own interface and of the standard doors to tokens, in the
 * notation of resources.ts.
 */
export const platformResources = {
  CardEncryptionKey: {
    keyId: 'string',
    algorithm,
    publicKeyPem: 'string',
    publicKeyJwk: 'JsonWebKey',
    notAfter: 'instant?',
  },
  PartnerPayment: {
    merchantGuid: 'uuid',
    paymentUuid: 'uuid',
    state,
    attempt: 'integer',
    answer: 'PaymentAnswer',
    currencyCode: 'string',
    amount: 'number',
    tipAmount: 'number',
    capturedAmount: 'number?',
    createdAt: 'instant',
    modifiedAt: 'instant',
    authorizedAt: 'instant?',
    applyDeadline: 'instant?',
    captureDeadline: 'instant?',
    captureAt: 'instant?',
    isVoidable: 'boolean',
    changes: 'PaymentChange[]',
  },
  PaymentAnswer: { status: 'integer', body: 'PaymentStatus?' },
  PaymentChange: { state, cause: 'string', attempt: 'integer', at: 'instant' },
  WhoAmI: {
    type: 'PARTNER|CUSTOMER|BACK_OFFICE|PERSON',
    id: 'string',
    name: 'string',
    email: 'string?',
    grants: 'WhoAmIGrant[]',
    restaurantCount: 'integer',
    restaurants: 'ReachedRestaurant[]',
    call: 'ForeseenCall?',
  },
  WhoAmIGrant: {
    place: 'platform|group|restaurant|partner',
    guid: 'uuid?',
    name: 'string?',
    scopes: 'HeldScope[]',
  },
  HeldScope: { scope: 'string', allows: 'string' },
  ReachedRestaurant: { guid: 'uuid', name: 'string', archived: 'boolean' },
  ForeseenCall: {
    operation: 'string',
    method: 'string',
    path: 'string',
    scope: 'string?',
    restaurantGuid: 'uuid?',
    refusal: 'ForeseenRefusal?',
  },
  ForeseenRefusal: { status: 'integer', code: 'integer', message: 'string' },
  PublishedChange: {
    publishNumber: 'integer',
    publishedAt: 'instant',
    collection: 'string',
    guid: 'uuid',
    kind: 'CREATED|CHANGED|REMOVED',
  },
  PublishedChangePage: {
    results: 'PublishedChange[]',
    nextCursor: 'string',
    hasMore: 'boolean',
  },
  EventPage: {
    results: 'PartnerEventEntry[]',
    nextCursor: 'string',
    hasMore: 'boolean',
    missedCount: 'integer',
  },
  HealthReport: { status: 'ok|ready|unavailable', reason: 'string?' },
  TokenResponse: {
    access_token: 'string',
    token_type: 'string',
    expires_in: 'integer',
    scope: 'string',
  },
  IntrospectionResponse: {
    active: 'boolean',
    'scope?': 'string',
    'client_id?': 'string',
    'token_type?': 'string',
    'exp?': 'integer',
    'iat?': 'integer',
    'sub?': 'string',
    'aud?': 'any',
    'iss?': 'string',
    'jti?': 'string',
  },
  RevocationResponse: {},
  OAuthError: {
    error:
      'invalid_request|invalid_client|invalid_grant|unauthorized_client|unsupported_grant_type|' +
      'unsupported_token_type|invalid_scope|server_error',
    'error_description?': 'string',
    'error_uri?': 'string',
  },
  AuthorizationServerMetadata: {
    issuer: 'string',
    token_endpoint: 'string',
    jwks_uri: 'string',
    introspection_endpoint: 'string',
    revocation_endpoint: 'string',
    scopes_supported: 'string[]',
    response_types_supported: 'string[]',
    grant_types_supported: 'string[]',
    token_endpoint_auth_methods_supported: 'string[]',
    introspection_endpoint_auth_methods_supported: 'string[]',
    revocation_endpoint_auth_methods_supported: 'string[]',
    'service_documentation?': 'string',
  },
  // No operation answers it yet.
  RestaurantImage: {
    width: 'integer',
    height: 'integer',
    url: 'string',
    heightWidthRatio: 'number',
  },
  JsonWebKeySet: { keys: 'JsonWebKey[]' },
  JsonWebKey: {
    kty: 'string',
    'kid?': 'string',
    'use?': 'string',
    'alg?': 'string',
    'n?': 'string',
    'e?': 'string',
    'crv?': 'string',
    'x?': 'string',
    'y?': 'string',
  },
};
