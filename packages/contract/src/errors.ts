export interface ErrorClassDescription {
  readonly status: number;
  readonly code: number;
  readonly title: string;
  readonly explanation: string;
}

/**
 * API-2. Four codes are known from elsewhere. Ours are 20 and the status (21 for the second kind of
 * a status), so that they cannot collide. Never give a code a new meaning.
 */
export const errorClasses = {
  badRequest: {
    status: 400,
    code: 10000,
    title: 'Bad request',
    explanation:
      'A header, a parameter, or the body is missing or malformed. The message says where: ' +
      'correct it and send the request again.',
  },
  unauthorized: {
    status: 401,
    code: 10013,
    title: 'Unauthorized',
    explanation:
      'The request has no valid access token, or the credentials are wrong. Get a new token and ' +
      'send it as "Authorization: Bearer <token>".',
  },
  secondFactorRequired: {
    status: 401,
    code: 21401,
    title: 'Second factor required',
    explanation:
      'The password is right, and the account has an authenticator app. Send the login again with ' +
      'the current code of the app.',
  },
  notFound: {
    status: 404,
    code: 10003,
    title: 'Not found',
    explanation:
      'The path does not exist, or the object in it does not exist, is archived, or belongs to ' +
      'another restaurant. Check the identifier.',
  },
  unknownPrefix: {
    status: 404,
    code: 10022,
    title: 'Unknown interface',
    explanation:
      'The path does not start with the prefix of an interface. Check the base address and ' +
      'the prefix.',
  },
  forbidden: {
    status: 403,
    code: 20403,
    title: 'Forbidden',
    explanation:
      'The client lacks the scope that the operation needs, has a type that the interface does not ' +
      'serve, or is not connected to the restaurant. Ask the restaurant to connect, or the ' +
      'operator for the scope.',
  },
  restaurantArchived: {
    status: 403,
    code: 21403,
    title: 'Restaurant archived',
    explanation:
      'The client has access to the restaurant, but the restaurant is archived and unavailable. ' +
      'Skip it until the partner lists no longer say "deleted": true. You can still read the ' +
      'restaurant itself with includeArchived=true.',
  },
  methodNotAllowed: {
    status: 405,
    code: 20405,
    title: 'Method not allowed',
    explanation:
      'The path exists, but it does not support this method. The Allow header lists the ' +
      'supported methods.',
  },
  conflict: {
    status: 409,
    code: 20409,
    title: 'Conflict',
    explanation:
      'The request conflicts with the current state: the configuration was published between two ' +
      'pages (start again with the first page), the payment identifier is already in use, or the ' +
      'object is in a state that does not allow the operation.',
  },
  payloadTooLarge: {
    status: 413,
    code: 20413,
    title: 'Body too large',
    explanation:
      'The body is larger than the operation allows. The OpenAPI document states the limit. Send a ' +
      'long list in parts.',
  },
  unsupportedMediaType: {
    status: 415,
    code: 20415,
    title: 'Unsupported media type',
    explanation: 'The operation does not support this Content-Type. Send application/json.',
  },
  expectationFailed: {
    status: 417,
    code: 20417,
    title: 'Expectation failed',
    explanation:
      'The service does not support the value of the Expect header. Send "100-continue", ' +
      'or leave the header out.',
  },
  unprocessable: {
    status: 422,
    code: 20422,
    title: 'Unprocessable content',
    explanation:
      'The body is well formed, but a value has the wrong type, is out of range, or conflicts ' +
      'with another value.',
  },
  unknownItem: {
    status: 422,
    code: 21422,
    title: 'Unknown item',
    explanation:
      'One of several places in the body names an item that is not published at the restaurant. ' +
      'Only entries of "errors" have this code.',
  },
  tooManyRequests: {
    status: 429,
    code: 20429,
    title: 'Too many requests',
    explanation: 'You have reached the rate limit. Wait for the number of seconds in Retry-After.',
  },
  internal: {
    status: 500,
    code: 20500,
    title: 'Internal error',
    explanation:
      'The service failed; the request was valid. Retry later. If the error persists, report the ' +
      'request identifier.',
  },
  unavailable: {
    status: 503,
    code: 20503,
    title: 'Unavailable',
    explanation: 'The service is not available now, for example while it starts. Retry later.',
  },
  versionNotSupported: {
    status: 505,
    code: 20505,
    title: 'HTTP version not supported',
    explanation: 'The request does not use HTTP/1.0 or HTTP/1.1. Send it with HTTP/1.1.',
  },
} as const satisfies Record<string, ErrorClassDescription>;

export type ErrorClass = keyof typeof errorClasses;
