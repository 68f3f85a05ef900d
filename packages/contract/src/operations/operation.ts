import type { BrandedHeaders } from '../brand.ts';
import type { CollectionName } from '../collections.ts';
import type { InterfaceId } from '../interfaces.ts';
import type { RolePlace } from '../roles.ts';
import { limits } from '../schemas/field.ts';
import type { SchemaName } from '../schemas.ts';
import type { Scope } from '../scopes.ts';
import type {
  BackOfficeOperationId,
  BackOfficeRestaurantOperationId,
  PublicBackOfficeOperationId,
  SessionOperationId,
} from './back-office-ids.ts';

export type {
  BackOfficeOperationId,
  BackOfficeRestaurantOperationId,
  PublicBackOfficeOperationId,
  SessionOperationId,
};

/** Operations that need no access token. */
export type PublicOperationId =
  | 'auth.login'
  | 'auth.token'
  | 'auth.metadata'
  | 'auth.jwks'
  | 'auth.introspect'
  | 'auth.revoke'
  | 'health.live'
  | 'health.ready'
  | 'docs.error'
  | 'docs.index'
  | 'docs.openapi'
  | PublicBackOfficeOperationId;

/** Operations of a client that work on no particular restaurant. */
export type ClientOperationId =
  | 'partners.restaurants.list'
  | 'partners.connectedRestaurants.list'
  | 'platform.cardEncryptionKeys.list'
  | 'platform.whoami'
  | `platform.events.${'list' | 'stream'}`;

/** The operations of the configuration interface. */
export type ConfigurationOperationId =
  | `configuration.${CollectionName}.${'list' | 'get'}`
  | 'configuration.tipWithholding.get';

/** Operations that work on the restaurant that the request names. */
export type RestaurantOperationId =
  | 'creditCards.authorize'
  | 'stock.list'
  | 'stock.search'
  | 'stock.update'
  | 'restaurants.get'
  | 'restaurants.listGroup'
  | ConfigurationOperationId;

/** The stable name of an operation: route, log field, metric label, test title, docs heading. */
export type OperationId =
  | PublicOperationId
  | ClientOperationId
  | RestaurantOperationId
  | SessionOperationId
  | BackOfficeOperationId
  | BackOfficeRestaurantOperationId;

/** A path or query parameter. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: string | number | boolean;
}

/** A JSON value that an operation takes or answers: a resource or a list of it. */
export interface Body {
  readonly schema: SchemaName;
  /** True for a list of the resource. */
  readonly array: boolean;
  /** How long such a list can be, where there is a limit. */
  readonly maxItems?: number;
}

/** How many bytes a body may have where its operation says nothing else (API-9). */
export const bodyBytesAtMost = 1_048_576;

/** How many bytes a body with credentials may have: it is read before the caller is known (AUTH-10). */
export const credentialBytesAtMost = 16_384;

/** The body that an operation takes. */
export interface RequestBody extends Body {
  readonly contentTypes: readonly string[];
  readonly required: boolean;
  /** How many bytes it may have; `bodyBytesAtMost` when absent (API-9). */
  readonly maxBytes?: number;
  /** True when the server parses it beside other requests, because that takes long. */
  readonly isParsedLater?: boolean;
}

/** A response header: a branded one by its role, or a standard one by its name. */
export type ResponseHeader =
  | Exclude<keyof BrandedHeaders, 'restaurantExternalId'>
  | 'ETag'
  | 'Link'
  | 'Set-Cookie';

/**
 * How an operation finds its restaurant: not at all, in the restaurant header, in that header where
 * it may also be an archived one (RST-2), in the path, which the header must repeat (API-6), or in the
 * path alone, as `merchantUuid` or `restaurantGuid`: there a restaurant that is unknown and one out
 * of reach are the same 404.
 */
export type RestaurantRule =
  | 'none'
  | 'header'
  | 'headerArchivedAllowed'
  | 'merchant'
  | 'merchantInPath'
  | 'restaurantInPath';

/** Whether the restaurant stands in the path and nowhere else. */
export const namesRestaurantInPath = ({ restaurant }: Pick<Operation, 'restaurant'>): boolean =>
  restaurant === 'merchantInPath' || restaurant === 'restaurantInPath';

/** Whether the restaurant stands in the restaurant header. */
export const namesRestaurantInHeader = ({ restaurant }: Pick<Operation, 'restaurant'>): boolean =>
  restaurant !== 'none' && !namesRestaurantInPath({ restaurant });

/** What answers are written in; events and NDJSON are sent piece by piece, as they come. */
export type MediaType =
  | 'application/json'
  | 'text/html'
  | 'text/plain'
  | 'text/event-stream'
  | 'application/x-ndjson';

/** One thing that a caller can ask; routes, types, OpenAPI and docs all derive from it. */
export interface Operation {
  readonly id: OperationId;
  readonly interface: InterfaceId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The whole path below the base address, with `{name}` for each path parameter. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /**
   * What has to be sent: nothing, an access token (in the back office a person's session does as
   * well), or a person's session and nothing else.
   */
  readonly security: 'none' | 'bearer' | 'session';
  readonly scope: Scope | null;
  /**
   * The place that the scope has to be held for as a whole: the platform, a management group (that
   * of the restaurant, where the operation has one) or a partner. The platform is always enough.
   * Null where the scope may be held for any place.
   */
  readonly heldFor: Exclude<RolePlace, 'restaurant'> | null;
  /** True for operations that refuse the accounts of management groups (AUTH-7, PTN-6). */
  readonly isForPartners: boolean;
  /** True for operations that production refuses to everybody. */
  readonly isForSandbox: boolean;
  readonly restaurant: RestaurantRule;
  readonly requestBody: RequestBody | null;
  readonly pathParameters: readonly Parameter[];
  readonly queryParameters: readonly Parameter[];
  /** Null when the answer is not JSON. */
  readonly response: Body | null;
  /** What the answer is written in. */
  readonly mediaType: MediaType;
  /** The headers of a success. */
  readonly responseHeaders: readonly ResponseHeader[];
  /** Every status it can answer. A wrong method (405) is an answer of the path, not of it. */
  readonly statuses: readonly number[];
}

/** What has to be said about an operation; `operation` derives the rest. */
export type OperationDraft = Pick<
  Operation,
  'id' | 'interface' | 'method' | 'path' | 'tag' | 'summary' | 'description' | 'response'
> &
  Partial<
    Pick<
      Operation,
      | 'scope'
      | 'heldFor'
      | 'isForPartners'
      | 'isForSandbox'
      | 'restaurant'
      | 'requestBody'
      | 'pathParameters'
      | 'queryParameters'
      | 'mediaType'
    >
  > & {
    /** Only for operations without an access token. */
    readonly security?: 'none' | 'session';
    /** False for operations that are never refused for their number. */
    readonly rateLimited?: boolean;
    /** False for reads whose answer is another one each time: there is nothing to revalidate. */
    readonly revalidated?: boolean;
    /** Headers beside those that every operation of its kind has. */
    readonly headers?: readonly ResponseHeader[];
    /** Statuses beside those that follow from its kind. */
    readonly also?: readonly number[];
  };

const rateLimitHeaders = ['rateLimitBy', 'rateLimitRemaining', 'rateLimitReset'] as const;

/** Completes a draft with what follows from its kind: statuses (API-5) and headers (API-3, API-7, API-11). */
export function operation(draft: OperationDraft): Operation {
  const { security = 'bearer', rateLimited = true, revalidated = true, ...more } = draft;
  const { headers = [], also = [], ...rest } = more;
  const restaurant = draft.restaurant ?? 'none';
  const isRevalidated = draft.method === 'GET' && revalidated;
  const hasInput =
    Boolean(draft.requestBody || draft.queryParameters) || namesRestaurantInHeader({ restaurant });
  const follows: readonly (readonly [boolean, readonly number[]])[] = [
    [true, [200]],
    [isRevalidated, [304]],
    [hasInput, [400]],
    [security !== 'none', [401, 403]],
    [namesRestaurantInPath({ restaurant }), [404]],
    [Boolean(draft.requestBody), [413]],
    // A login that is not JSON is a 400, whatever type it says it has (AUTH-1).
    [Boolean(draft.requestBody) && draft.id !== 'auth.login', [415]],
    [rateLimited, [429, 500, 503]],
  ];
  const statuses = new Set([
    ...follows.flatMap(([holds, values]) => (holds ? values : [])),
    ...also,
  ]);
  return {
    scope: null,
    heldFor: null,
    isForPartners: false,
    isForSandbox: false,
    requestBody: null,
    pathParameters: [],
    queryParameters: [],
    mediaType: 'application/json',
    ...rest,
    security,
    restaurant,
    responseHeaders: [
      'requestId',
      ...(rateLimited && draft.id !== 'auth.login' ? rateLimitHeaders : []),
      ...(isRevalidated ? (['ETag'] as const) : []),
      ...headers,
    ],
    statuses: [...statuses].sort((a, b) => a - b),
  };
}

/** A required path parameter that holds a GUID. */
export const guidParameter = (name: string, description: string): Parameter => ({
  name,
  description,
  required: true,
  schema: { type: 'string', format: 'uuid' },
  example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35',
});

/** The query parameter that limits a list to what changed after an instant (API-8). */
export const lastModifiedParameter = (description: string): Parameter => ({
  name: 'lastModified',
  description,
  required: false,
  schema: { type: 'string', ...limits.instant },
  example: '2026-01-31T18:30:00.000+0000',
});

/** The query parameter that asks for a further page. */
export const pageTokenParameter = (description: string): Parameter => ({
  name: 'pageToken',
  description,
  required: false,
  // Far more than any of ours needs.
  schema: { type: 'string', maxLength: 2_048 },
  example: 'AbCdEf012345',
});
