import { brandedHeaders, machineClientAccessType } from '../brand.ts';
import { standardDoorsPrefix } from '../error-bodies.ts';
import { exampleGuid, serials } from '../examples/example.ts';
import { exampleOf } from '../examples.ts';
import type { JsonSchema } from '../json-schema.ts';
import {
  bodyBytesAtMost,
  namesRestaurantInHeader,
  type RequestBody,
} from '../operations/operation.ts';
import { type Parameter, parametersOf } from '../operations/parameters.ts';
import type { Operation } from '../operations.ts';
import { backOfficeScopes, partnerScopes, scopeGrants } from '../scopes.ts';
import { csrfHeaderName, sessionCookieName } from '../session-names.ts';
import { bodySchema, responsesOf } from './responses.ts';

export function operationObject(operation: Operation, brand: string): JsonSchema {
  const { id, tag, summary, description, mayEndInSlash, requestBody } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    // Two paths would be two operations to generators.
    description: mayEndInSlash ? `${description} The path may end in a slash.` : description,
    security: securityOf(operation),
    parameters: [
      ...parametersOf(operation.params).map((parameter) => parameterObject('path', parameter)),
      ...(namesRestaurantInHeader(operation) ? [{ $ref: `${parameterBase}restaurant` }] : []),
      ...parametersOf(operation.query).map((parameter) => parameterObject('query', parameter)),
      ...(isRevalidated(operation) ? [{ $ref: `${parameterBase}ifNoneMatch` }] : []),
    ],
    ...(requestBody && { requestBody: requestBodyObject(requestBody, brand) }),
    responses: responsesOf(operation, brand),
  };
}

const isRevalidated = (operation: Operation) => operation.statuses.includes(304);

const parameterBase = '#/components/parameters/';

export function parameterComponents(operations: readonly Operation[], brand: string): JsonSchema {
  const restaurant = {
    name: brandedHeaders(brand).restaurantExternalId,
    in: 'header',
    description: 'The GUID of the restaurant that the request is for.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: exampleGuid(serials.restaurant),
  };
  const ifNoneMatch = {
    name: 'If-None-Match',
    in: 'header',
    description:
      'ETag of an earlier response. If the content has not changed, the response is a 304.',
    required: false,
    schema: { type: 'string' },
    example: '"k7Jm2Qw9"',
  };
  return {
    ...(operations.some(namesRestaurantInHeader) && { restaurant }),
    ...(operations.some(isRevalidated) && { ifNoneMatch }),
  };
}

export function securitySchemes(
  operations: readonly Operation[],
  brand: string,
  baseUrl = '',
): JsonSchema {
  const used = new Set(operations.flatMap(securityOf).flatMap((each) => Object.keys(each)));
  const known = {
    oauth2: {
      type: 'oauth2',
      description: 'OAuth 2.0 client credentials. Tokens are JSON Web Tokens that follow RFC8725.',
      flows: {
        clientCredentials: { tokenUrl: `${baseUrl}/oauth/token`, scopes: grantsOf(operations) },
      },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'The access token from a login, for clients without an OAuth library: POST to ' +
        `${baseUrl}/authentication/v1/authentication/login as ` +
        `${machineClientAccessType(brand)}. Tokens are JSON Web Tokens that follow RFC8725.`,
    },
    sessionCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName,
      description: 'The session of a person. A browser stores it after login.',
    },
    csrfToken: {
      type: 'apiKey',
      in: 'header',
      name: csrfHeaderName,
      description: 'The csrfToken of the session. Pages of other sites cannot know it.',
    },
    clientBasic: {
      type: 'http',
      scheme: 'basic',
      description: 'Identifier and secret of the client (RFC 6749, section 2.3.1).',
    },
  };
  return Object.fromEntries(Object.entries(known).filter(([name]) => used.has(name)));
}

/** Only scopes of the kinds that these operations take: partners don't read back office scopes. */
function grantsOf(operations: readonly Operation[]): JsonSchema {
  const secured = operations.filter(({ security }) => security !== 'none');
  const isBackOffice = ({ interface: owner }: Operation) => owner === 'backOffice';
  const kinds = [
    ...(secured.every(isBackOffice) ? [] : partnerScopes),
    ...(secured.some(isBackOffice) ? backOfficeScopes : []),
  ];
  return Object.fromEntries(kinds.map((scope) => [scope, scopeGrants[scope]]));
}

/** An empty requirement means that no scheme is needed, or that the form can carry the secret. */
function securityOf(operation: Operation): Record<string, string[]>[] {
  const { security, scope, path } = operation;
  const bearer = [{ oauth2: scope ? [scope] : [] }, { bearer: [] }];
  if (security === 'session') return [sessionOf(operation)];
  if (security === 'bearer') {
    return operation.interface === 'backOffice' ? [...bearer, sessionOf(operation)] : bearer;
  }
  return path.startsWith(standardDoorsPrefix) ? [{ clientBasic: [] }, {}] : [{}];
}

/**
 * Browsers send a cookie automatically, so changes must repeat a token that only our pages know.
 */
function sessionOf({ method }: Operation): Record<string, string[]> {
  return { sessionCookie: [], ...(method !== 'GET' && { csrfToken: [] }) };
}

function parameterObject(place: 'path' | 'query', parameter: Parameter): JsonSchema {
  const { name, ...rest } = parameter;
  return { name, in: place, ...rest };
}

function requestBodyObject(body: RequestBody, brand: string): JsonSchema {
  const media = { schema: bodySchema(body), example: exampleOf(body, brand) };
  return {
    description:
      `${body.array ? 'The elements, in the order of the response.' : 'The request.'} ` +
      `At most ${(body.maxBytes ?? bodyBytesAtMost).toLocaleString('en-US')} bytes.`,
    required: body.required,
    content: Object.fromEntries(body.contentTypes.map((type) => [type, media])),
  };
}
